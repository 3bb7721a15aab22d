import * as z from 'zod/mini';
import { defineEvent, hubName, objectName } from '../event.ts';

export const BindingStatusChanged = defineEvent({
  type: 'BindingStatusChanged',
  version: 1,
  description:
    'The status of a ResourceBinding, or where it has no namespace of a ClusterResourceBinding, was written on the hub: of a hub where reductions are held.',
  schema: z.object({ hub: hubName, namespace: z.union([objectName, z.literal('')]), name: objectName }),
  fromHub: true,
  key: ({ hub, namespace, name }) => `${hub}/${namespace}/${name}`,
});
