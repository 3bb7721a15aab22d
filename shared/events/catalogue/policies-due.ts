import * as z from 'zod/mini';
import { defineEvent, hubName } from '../event.ts';

export const PoliciesDue = defineEvent({
  type: 'PoliciesDue',
  version: 1,
  says: "A hub's RebalancePolicies are to be looked at: a cluster has been well for long enough, a calendar's time has come, or a run has ended.",
  schema: z.object({ hub: hubName }),
  key: ({ hub }) => hub,
});
