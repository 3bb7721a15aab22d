/** Consumes changes of placements, clusters and scores, and ResyncDue; LISTs the ElasticWorkloads and publishes which are due. */
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import {
  AddOnPlacementScoreChanged,
  ElasticWorkloadDue,
  ManagedClusterChanged,
  PlacementDecisionChanged,
  ResyncDue,
} from '../../shared/bus/catalogue.ts';
import type { EventBus } from '../../shared/bus/event-bus.ts';
import { count } from '../../shared/core/count.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { elasticClaims, OWNER_LABEL } from '../../shared/elastic-workload/elastic-workload.ts';
import { workNames } from '../../shared/elastic-workload/manifest-work.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { listIfServed, pagesIfServed } from '../../shared/kubernetes/list-all.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import { resyncedWith } from '../../shared/runtime/hub-use.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import { type Hint, notServed, outcomeOfError, ownersOf, ownerText, searchScope } from './find-workloads.ts';

type FindWorkloadsInput = { readonly hub: string } & Hint;

const factories = { hubs: awsHubs, bus: awsBus };
type FindWorkloadsContext = ContextOf<typeof factories>;

export const task = queueTask({
  consumes: [PlacementDecisionChanged, ManagedClusterChanged, AddOnPlacementScoreChanged, ResyncDue],
  about: ({ hub, namespace = '', resourceName = '' }: FindWorkloadsInput) => `${hub}/${namespace}/${resourceName}`,
  run: resyncedWith('elasticWorkloads', run),
});

async function run(
  { hub: name, ...hint }: FindWorkloadsInput,
  { hubs, bus }: FindWorkloadsContext,
  eventTypes: ReadonlySet<string>,
): Promise<Outcome> {
  const hub = await hubs.connect(name);
  return publishDue(hub, { hint, isResync: eventTypes.has(ResyncDue.type) }, bus).catch(outcomeOfError);
}

async function publishDue(
  hub: Hub,
  { hint, isResync }: { readonly hint: Hint; readonly isResync: boolean },
  bus: EventBus,
): Promise<Outcome> {
  const lists = await Promise.all(elasticClaims.map((kind) => pagesIfServed(hub, kind, searchScope(hint))));
  const served = lists.filter((pages) => pages !== undefined);
  if (served.length === 0) return notServed;
  // Before the ElasticWorkloads: the owner of a listed ManifestWork then existed earlier, or is deleted.
  const works = isResync ? await listIfServed(hub, workNames, keyText, { labelSelector: OWNER_LABEL }) : [];
  const gone = ownersOf(works);
  let found = 0;
  for (const pages of served) {
    for await (const page of pages) {
      const owners = page.map(({ group, key }) => ({ group, ...key }));
      await bus.publish(owners.map((owner) => ElasticWorkloadDue.of({ hub: hub.name, ...owner })));
      found += page.length;
      for (const owner of owners) gone.delete(ownerText(owner));
    }
  }
  await bus.publish([...gone.values()].map((owner) => ElasticWorkloadDue.of({ hub: hub.name, ...owner })));
  return { reason: `${count(found, 'ElasticWorkload')} due`, fields: { found, gone: gone.size } };
}

export const handler = onQueue(task, factories);
