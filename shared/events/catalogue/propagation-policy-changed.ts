import * as z from 'zod/mini';
import { defineEvent, hubName, objectName } from '../event.ts';

export const PropagationPolicyChanged = defineEvent({
  type: 'PropagationPolicyChanged',
  version: 1,
  says: 'A PropagationPolicy, or where it has no namespace a ClusterPropagationPolicy, was created, edited or deleted on a hub where reductions are held.',
  schema: z.object({ hub: hubName, namespace: z.union([objectName, z.literal('')]), name: objectName }),
  key: ({ hub, namespace, name }) => `${hub}/${namespace}/${name}`,
});
