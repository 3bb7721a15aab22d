import { defineEvent } from '../event.ts';
import { taskDetail, taskKey } from './task-detail.ts';

export const RebalanceProgressed = defineEvent({
  type: 'RebalanceProgressed',
  version: 1,
  says: 'Some chunk of a task is done; others are not.',
  schema: taskDetail,
  key: taskKey,
});
