import * as z from 'zod/mini';
import { defineEvent, hubName, objectName } from '../event.ts';

export const PlacementDecisionChanged = defineEvent({
  type: 'PlacementDecisionChanged',
  version: 1,
  description: 'A slice of a PlacementDecision was written on the hub.',
  schema: z.object({ hub: hubName, namespace: objectName, name: objectName }),
  fromHub: true,
  key: ({ hub, namespace, name }) => `${hub}/${namespace}/${name}`,
});
