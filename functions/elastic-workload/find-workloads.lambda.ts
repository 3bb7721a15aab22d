/** Hears that a placement or a cluster changed, or that a hub is to be compared; LISTs the ElasticWorkloads and says which are to be looked at. */
import { awsBus, awsHubs } from '../../shared/edge/aws-ports.ts';
import { listIfServed, pagesIfServed } from '../../shared/edge/list-all.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { ElasticWorkloadDue } from '../../shared/events/catalogue/elastic-workload-due.ts';
import { ManagedClusterChanged } from '../../shared/events/catalogue/managed-cluster-changed.ts';
import { PlacementDecisionChanged } from '../../shared/events/catalogue/placement-decision-changed.ts';
import { ResyncDue } from '../../shared/events/catalogue/resync-due.ts';
import { elasticClaims, elasticOfWork, OWNER_LABEL } from '../../shared/model/elastic-workload/elastic-workload.ts';
import { workNames } from '../../shared/model/elastic-workload/manifest-work.ts';
import { asFault } from '../../shared/model/fault.ts';
import { keyText } from '../../shared/model/object-key.ts';
import { count } from '../../shared/model/words.ts';
import type { Hub } from '../../shared/ports/hub.ts';
import type { Outcome, Ports, Surroundings } from '../../shared/ports/ports.ts';
import { type Hint, whereToLook } from './find-workloads.ts';

type At = { readonly hub: string } & Hint;
type Uses = Pick<Ports, 'hubs' | 'bus'> & Surroundings;
type Owner = NonNullable<ReturnType<typeof elasticOfWork>>;

export const task = queueTask({
  hears: [PlacementDecisionChanged, ManagedClusterChanged, ResyncDue],
  about: ({ hub, namespace = '' }: At) => `${hub}/${namespace}`,
  run,
});

async function run({ hub: name, ...hint }: At, { hubs, bus }: Uses, heard: ReadonlySet<string>): Promise<Outcome> {
  const hub = await hubs.connect(name);
  try {
    const lists = await Promise.all(elasticClaims.map((kind) => pagesIfServed(hub, kind, whereToLook(hint))));
    const served = lists.filter((pages) => pages !== undefined);
    if (served.length === 0) return { reason: 'the hub does not know ElasticWorkloads' };
    // Before them: whose work it is was there then, or is gone.
    const owners = heard.has(ResyncDue.type) ? await ownersOfWorks(hub) : new Map<string, Owner>();
    let found = 0;
    for (const pages of served) {
      for await (const page of pages) {
        await bus.publish(page.map(({ group, key }) => ElasticWorkloadDue.of({ hub: name, group, ...key })));
        found += page.length;
        for (const { group, key } of page) owners.delete(ownerText({ group, ...key }));
      }
    }
    await bus.publish([...owners.values()].map((owner) => ElasticWorkloadDue.of({ hub: name, ...owner })));
    const fields = { found, gone: owners.size };
    return { reason: `${count(found, 'ElasticWorkload')} to be looked at`, fields };
  } catch (thrown) {
    const setUp = 'where they are used, apply "evenkeel hub manifests --elastic-workloads"';
    if (asFault(thrown).reason === 'Forbidden') return { reason: `ElasticWorkloads may not be read there; ${setUp}` };
    throw thrown;
  }
}

/** Of works that are there, also those whose ElasticWorkload is gone. */
async function ownersOfWorks(hub: Hub): Promise<Map<string, Owner>> {
  const works = await listIfServed(hub, workNames, keyText, { labelSelector: OWNER_LABEL });
  const owners = works.flatMap(({ name }) => elasticOfWork(name) ?? []);
  return new Map(owners.map((owner) => [ownerText(owner), owner]));
}

function ownerText({ group, namespace, name }: Owner): string {
  return `${group}/${namespace}/${name}`;
}

export const handler = onQueue(task, { hubs: awsHubs, bus: awsBus });
