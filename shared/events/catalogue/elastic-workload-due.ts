import * as z from 'zod/mini';
import { elasticGroups } from '../../model/elastic-workload/elastic-workload.ts';
import { defineEvent, hubName, objectName } from '../event.ts';

export const ElasticWorkloadDue = defineEvent({
  type: 'ElasticWorkloadDue',
  version: 1,
  description:
    'An ElasticWorkload is due for a reconcile: a timeout is over, its clusters may have changed, or the hub is compared.',
  schema: z.object({ hub: hubName, group: z.enum(elasticGroups), namespace: objectName, name: objectName }),
  key: ({ hub, group, namespace, name }) => `${hub}/${group}/${namespace}/${name}`,
});
