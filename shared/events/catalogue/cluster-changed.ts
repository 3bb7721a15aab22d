import * as z from 'zod/mini';
import { defineEvent, hubName, objectName } from '../event.ts';

export const ClusterChanged = defineEvent({
  type: 'ClusterChanged',
  version: 1,
  description:
    'A member cluster joined, left, or changed other than in its status: for example, it was tainted because it is not ready.',
  schema: z.object({ hub: hubName, name: objectName }),
  fromHub: true,
  key: ({ hub }) => hub,
});
