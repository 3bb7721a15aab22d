import * as z from 'zod/mini';
import { defineEvent, hubName } from '../event.ts';

export const PoliciesDue = defineEvent({
  type: 'PoliciesDue',
  version: 1,
  description:
    "A hub's RebalancePolicies are due for evaluation: a cluster has been healthy for long enough, a scheduled time was reached, or a run has ended.",
  schema: z.object({ hub: hubName }),
  key: ({ hub }) => hub,
});
