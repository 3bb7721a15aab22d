import * as z from 'zod/mini';
import { defineEvent, hubName, objectName } from '../event.ts';

export const PropagationPolicyChanged = defineEvent({
  type: 'PropagationPolicyChanged',
  version: 1,
  description:
    'A PropagationPolicy, or where it has no namespace a ClusterPropagationPolicy, was created, edited or deleted on a hub where reductions are held.',
  schema: z.object({ hub: hubName, namespace: z.union([objectName, z.literal('')]), name: objectName }),
  fromHub: true,
  key: ({ hub, namespace, name }) => `${hub}/${namespace}/${name}`,
});
