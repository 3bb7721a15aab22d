import * as z from 'zod/mini';
import { defineEvent, hubName, objectName, uid } from '../event.ts';

export const RebalanceChunkPlanned = defineEvent({
  type: 'RebalanceChunkPlanned',
  version: 1,
  description: 'A chunk of a task has workloads whose trigger is to be written.',
  schema: z.object({ hub: hubName, uid, name: objectName, plan: z.string(), chunk: z.number().check(z.nonnegative()) }),
  key: ({ hub, uid, plan, chunk }) => `${hub}/${uid}/${plan}/${chunk}`,
});
