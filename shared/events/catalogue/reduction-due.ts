import * as z from 'zod/mini';
import { defineEvent, hubName, objectName } from '../event.ts';

export const ReductionDue = defineEvent({
  type: 'ReductionDue',
  version: 1,
  says: 'The reductions of a binding are to be looked at: the grace of one is over, or resync found that it is not where it should be.',
  schema: z.object({ hub: hubName, namespace: z.union([objectName, z.literal('')]), name: objectName }),
  key: ({ hub, namespace, name }) => `${hub}/${namespace}/${name}`,
});
