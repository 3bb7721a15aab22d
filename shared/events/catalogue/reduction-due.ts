import * as z from 'zod/mini';
import { defineEvent, hubName, objectName } from '../event.ts';

export const ReductionDue = defineEvent({
  type: 'ReductionDue',
  version: 1,
  description: 'The reductions of a binding are due for a reconcile: a grace period is over, or resync found drift.',
  schema: z.object({ hub: hubName, namespace: z.union([objectName, z.literal('')]), name: objectName }),
  key: ({ hub, namespace, name }) => `${hub}/${namespace}/${name}`,
});
