import { defineEvent, taskDetail, taskKey } from '../event.ts';

export const RebalanceProgressed = defineEvent({
  type: 'RebalanceProgressed',
  version: 1,
  description: 'Some chunk of a task is done; others are not.',
  schema: taskDetail,
  key: taskKey,
});
