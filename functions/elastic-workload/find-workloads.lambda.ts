/** Hears that a placement or a cluster changed, or that a hub is to be compared; LISTs the ElasticWorkloads and says which are to be looked at. */
import { awsBus, awsHubs } from '../../shared/edge/aws-ports.ts';
import { pagesIfServed } from '../../shared/edge/list-all.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { ElasticWorkloadDue } from '../../shared/events/catalogue/elastic-workload-due.ts';
import { ManagedClusterChanged } from '../../shared/events/catalogue/managed-cluster-changed.ts';
import { PlacementDecisionChanged } from '../../shared/events/catalogue/placement-decision-changed.ts';
import { ResyncDue } from '../../shared/events/catalogue/resync-due.ts';
import { elasticClaims } from '../../shared/model/elastic-workload/elastic-workload.ts';
import { asFault } from '../../shared/model/fault.ts';
import { count } from '../../shared/model/words.ts';
import type { Outcome, Ports, Surroundings } from '../../shared/ports/ports.ts';
import { type Hint, whereToLook } from './find-workloads.ts';

type At = { readonly hub: string } & Hint;
type Uses = Pick<Ports, 'hubs' | 'bus'> & Surroundings;

export const task = queueTask({
  hears: [PlacementDecisionChanged, ManagedClusterChanged, ResyncDue],
  about: ({ hub, namespace = '' }: At) => `${hub}/${namespace}`,
  run,
});

async function run({ hub: name, ...hint }: At, { hubs, bus }: Uses): Promise<Outcome> {
  const hub = await hubs.connect(name);
  try {
    const lists = await Promise.all(elasticClaims.map((kind) => pagesIfServed(hub, kind, whereToLook(hint))));
    const served = lists.filter((pages) => pages !== undefined);
    if (served.length === 0) return { reason: 'the hub does not know ElasticWorkloads' };
    let found = 0;
    for (const pages of served) {
      for await (const page of pages) {
        await bus.publish(page.map(({ group, key }) => ElasticWorkloadDue.of({ hub: name, group, ...key })));
        found += page.length;
      }
    }
    return { reason: `${count(found, 'ElasticWorkload')} to be looked at`, fields: { found } };
  } catch (thrown) {
    const setUp = 'where they are used, apply "evenkeel hub manifests --elastic-workloads"';
    if (asFault(thrown).reason === 'Forbidden') return { reason: `ElasticWorkloads may not be read there; ${setUp}` };
    throw thrown;
  }
}

export const handler = onQueue(task, { hubs: awsHubs, bus: awsBus });
