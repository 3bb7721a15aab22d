import * as z from 'zod/mini';
import { defineEvent, hubName } from '../event.ts';

export const DeschedulingChunkPlanned = defineEvent({
  type: 'DeschedulingChunkPlanned',
  version: 1,
  description: 'A run of the descheduler has a chunk of bindings whose clusters are to be asked.',
  schema: z.object({ hub: hubName, run: z.string(), chunk: z.number().check(z.nonnegative()) }),
  key: ({ hub, run, chunk }) => `${hub}/${run}/${chunk}`,
});
