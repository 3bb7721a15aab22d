import * as z from 'zod/mini';
import { defineEvent, hubName, objectName } from '../event.ts';

export const WorkloadRebalancerChanged = defineEvent({
  type: 'WorkloadRebalancerChanged',
  version: 1,
  description:
    'A WorkloadRebalancer was created, edited or deleted on the hub, or resync found that it is not where it should be.',
  schema: z.object({ hub: hubName, name: objectName }),
  fromHub: true,
  key: ({ hub, name }) => `${hub}/${name}`,
});
