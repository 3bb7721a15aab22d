import { defineEvent } from '../event.ts';
import { taskDetail, taskKey } from './task-detail.ts';

export const RebalanceReported = defineEvent({
  type: 'RebalanceReported',
  version: 1,
  says: 'The finished result is on the object: status and finishTime can be read there.',
  schema: taskDetail,
  key: taskKey,
});
