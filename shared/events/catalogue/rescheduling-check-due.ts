import { defineEvent, taskDetail, taskKey } from '../event.ts';

export const ReschedulingCheckDue = defineEvent({
  type: 'ReschedulingCheckDue',
  version: 1,
  description: 'It is time to look whether the scheduler acted on the triggers of a task.',
  schema: taskDetail,
  key: taskKey,
});
