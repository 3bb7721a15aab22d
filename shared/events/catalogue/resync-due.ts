import * as z from 'zod/mini';
import { defineEvent, hubName } from '../event.ts';

export const ResyncDue = defineEvent({
  type: 'ResyncDue',
  version: 1,
  description:
    'A hub is to be compared with its tasks: on a schedule, at a start, or because a change has no object name.',
  schema: z.object({ hub: hubName }),
  recurs: true,
  fromHub: true,
  key: ({ hub }) => hub,
});
