import * as z from 'zod/mini';
import { defineEvent, hubName } from '../event.ts';

export const ResyncDue = defineEvent({
  type: 'ResyncDue',
  version: 1,
  says: 'A hub is to be compared with its tasks: by the clock, at a start, or because a change could not be told by name.',
  schema: z.object({ hub: hubName }),
  key: ({ hub }) => hub,
});
