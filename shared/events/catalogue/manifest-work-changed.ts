import * as z from 'zod/mini';
import { elasticGroups } from '../../model/elastic-workload/elastic-workload.ts';
import { defineEvent, hubName, objectName } from '../event.ts';

export const ManifestWorkChanged = defineEvent({
  type: 'ManifestWorkChanged',
  version: 1,
  description: 'A ManifestWork of this ElasticWorkload, or its status, was written on the hub.',
  schema: z.object({ hub: hubName, group: z.enum(elasticGroups), namespace: objectName, name: objectName }),
  fromHub: true,
  key: ({ hub, group, namespace, name }) => `${hub}/${group}/${namespace}/${name}`,
});
