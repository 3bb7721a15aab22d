import { defineEvent } from '../event.ts';
import { taskDetail, taskKey } from './task-detail.ts';

export const RebalanceFinished = defineEvent({
  type: 'RebalanceFinished',
  version: 1,
  says: 'Every workload of a task has its result, and the finish time is kept in the task.',
  schema: taskDetail,
  key: taskKey,
});
