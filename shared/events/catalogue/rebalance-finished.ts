import { defineEvent, taskDetail, taskKey } from '../event.ts';

export const RebalanceFinished = defineEvent({
  type: 'RebalanceFinished',
  version: 1,
  description: 'Every workload of a task has its result, and the finish time is kept in the task.',
  schema: taskDetail,
  key: taskKey,
});
