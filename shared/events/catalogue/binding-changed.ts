import * as z from 'zod/mini';
import { defineEvent, hubName, objectName } from '../event.ts';

export const BindingChanged = defineEvent({
  type: 'BindingChanged',
  version: 1,
  description:
    'A ResourceBinding, or where it has no namespace a ClusterResourceBinding, was created or edited on the hub, or resync found that it is to be scheduled.',
  schema: z.object({ hub: hubName, namespace: z.union([objectName, z.literal('')]), name: objectName }),
  fromHub: true,
  key: ({ hub, namespace, name }) => `${hub}/${namespace}/${name}`,
});
