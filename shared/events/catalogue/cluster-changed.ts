import * as z from 'zod/mini';
import { defineEvent, hubName, objectName } from '../event.ts';

export const ClusterChanged = defineEvent({
  type: 'ClusterChanged',
  version: 1,
  says: 'A member cluster joined, left, or was changed otherwise than in its status: tainted, say, because it is not ready.',
  schema: z.object({ hub: hubName, name: objectName }),
  key: ({ hub }) => hub,
});
