/** Consumes changes of placements and clusters, and ResyncDue; LISTs the ElasticWorkloads and publishes which are due. */
import { awsBus } from '../../shared/adapters/eventbridge/eventbridge-bus.ts';
import { awsHubs } from '../../shared/adapters/secrets-manager/secret-hubs.ts';
import { listIfServed, pagesIfServed } from '../../shared/edge/list-all.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import {
  ElasticWorkloadDue,
  ManagedClusterChanged,
  PlacementDecisionChanged,
  ResyncDue,
} from '../../shared/events/catalogue.ts';
import { elasticClaims, elasticOfWork, OWNER_LABEL } from '../../shared/model/elastic-workload/elastic-workload.ts';
import { workNames } from '../../shared/model/elastic-workload/manifest-work.ts';
import { asFault } from '../../shared/model/fault.ts';
import { keyText } from '../../shared/model/object-key.ts';
import { count } from '../../shared/model/words.ts';
import type { EventBus } from '../../shared/ports/event-bus.ts';
import type { Hub, Hubs } from '../../shared/ports/hub.ts';
import type { InvocationContext, Outcome } from '../../shared/ports/invocation.ts';
import { type Hint, searchScope } from './find-workloads.ts';

type At = { readonly hub: string } & Hint;
interface FindWorkloadsContext extends InvocationContext {
  readonly hubs: Hubs;
  readonly bus: EventBus;
}
type Owner = NonNullable<ReturnType<typeof elasticOfWork>>;

export const task = queueTask({
  consumes: [PlacementDecisionChanged, ManagedClusterChanged, ResyncDue],
  about: ({ hub, namespace = '' }: At) => `${hub}/${namespace}`,
  run,
});

async function run(
  { hub: name, ...hint }: At,
  { hubs, bus }: FindWorkloadsContext,
  eventTypes: ReadonlySet<string>,
): Promise<Outcome> {
  const hub = await hubs.connect(name);
  try {
    const lists = await Promise.all(elasticClaims.map((kind) => pagesIfServed(hub, kind, searchScope(hint))));
    const served = lists.filter((pages) => pages !== undefined);
    if (served.length === 0) return { reason: 'the hub does not know ElasticWorkloads' };
    // Before the ElasticWorkloads: the owner of a listed ManifestWork then existed earlier, or is deleted.
    const owners = eventTypes.has(ResyncDue.type) ? await ownersOfWorks(hub) : new Map<string, Owner>();
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
    return { reason: `${count(found, 'ElasticWorkload')} due`, fields };
  } catch (thrown) {
    const setUp = 'where they are used, apply "evenkeel hub manifests --elastic-workloads"';
    if (asFault(thrown).reason === 'Forbidden') return { reason: `ElasticWorkloads may not be read there; ${setUp}` };
    throw thrown;
  }
}

/** Owners of existing ManifestWorks, including deleted ones. */
async function ownersOfWorks(hub: Hub): Promise<Map<string, Owner>> {
  const works = await listIfServed(hub, workNames, keyText, { labelSelector: OWNER_LABEL });
  const owners = works.flatMap(({ name }) => elasticOfWork(name) ?? []);
  return new Map(owners.map((owner) => [ownerText(owner), owner]));
}

function ownerText({ group, namespace, name }: Owner): string {
  return `${group}/${namespace}/${name}`;
}

export const handler = onQueue(task, { hubs: awsHubs, bus: awsBus });
