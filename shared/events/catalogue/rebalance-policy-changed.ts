import * as z from 'zod/mini';
import { defineEvent, hubName, objectName } from '../event.ts';

export const RebalancePolicyChanged = defineEvent({
  type: 'RebalancePolicyChanged',
  version: 1,
  description: 'A RebalancePolicy was created, edited or deleted on a hub.',
  schema: z.object({ hub: hubName, name: objectName }),
  fromHub: true,
  key: ({ hub }) => hub,
});
