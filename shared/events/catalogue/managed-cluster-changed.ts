import * as z from 'zod/mini';
import { defineEvent, hubName, objectName } from '../event.ts';

export const ManagedClusterChanged = defineEvent({
  type: 'ManagedClusterChanged',
  version: 1,
  description: 'A ManagedCluster was created, edited, tainted or deleted on the hub.',
  schema: z.object({ hub: hubName, name: objectName }),
  fromHub: true,
  key: ({ hub, name }) => `${hub}/${name}`,
});
