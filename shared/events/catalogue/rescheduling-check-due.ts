import { defineEvent } from '../event.ts';
import { taskDetail, taskKey } from './task-detail.ts';

export const ReschedulingCheckDue = defineEvent({
  type: 'ReschedulingCheckDue',
  version: 1,
  says: 'It is time to look whether the scheduler acted on the triggers of a task.',
  schema: taskDetail,
  key: taskKey,
});
