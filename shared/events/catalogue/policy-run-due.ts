import * as z from 'zod/mini';
import { defineEvent, hubName, objectName, uid } from '../event.ts';

export const PolicyRunDue = defineEvent({
  type: 'PolicyRunDue',
  version: 1,
  description: 'The run of a RebalancePolicy can continue: a wave may start, or the one in flight is to be observed.',
  schema: z.object({ hub: hubName, uid, name: objectName }),
  key: ({ hub, uid: of }) => `${hub}/${of}`,
});
