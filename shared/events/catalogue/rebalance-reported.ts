import { defineEvent, taskDetail, taskKey } from '../event.ts';

export const RebalanceReported = defineEvent({
  type: 'RebalanceReported',
  version: 1,
  description: 'The finished result is on the object: status and finishTime can be read there.',
  schema: taskDetail,
  key: taskKey,
});
