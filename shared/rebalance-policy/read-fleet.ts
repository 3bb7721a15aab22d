/** Reads the inputs of policies: members, bindings with their workloads' labels and annotations, namespaces' switches; of a whole hub by paged LISTs, or of some bindings. */

import { groupBy } from '../core/group-by.ts';
import type { Instant } from '../core/time.ts';
import { planFresh, sharedCapacities } from '../karmada/assignment/rebalance-plan.ts';
import { type Member, memberClusters } from '../karmada/member-cluster.ts';
import { type PlacedBinding, placedBindings, placedClusterBindings, placedKind } from '../karmada/placed-binding.ts';
import { HUB_NAMESPACE, namespaces, switchesOf } from '../karmada/rescheduling-policy.ts';
import type { Hub } from '../kubernetes/hub.ts';
import { listAll } from '../kubernetes/list-all.ts';
import { keyText, type ObjectKey } from '../kubernetes/object-key.ts';
import { priorityClasses } from '../kubernetes/priority-class.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { type WorkloadMetadata, workloadKindOf } from '../kubernetes/workload-metadata.ts';
import type { EvaluationContext } from './evaluate-workload.ts';
import { REBALANCING, type RebalancePolicy } from './rebalance-policy.ts';
import type { Candidate } from './select-workloads.ts';

export interface Fleet {
  readonly members: readonly Member[];
  readonly candidates: readonly Candidate[];
  /** Namespaces' annotation REBALANCING. */
  readonly switches: ReadonlyMap<string, string>;
}

export async function listMembers(hub: Hub): Promise<readonly Member[]> {
  return listAll(hub, memberClusters, ({ cluster }) => cluster.name);
}

/** The whole hub: each kind once, page by page. */
export async function listFleet(hub: Hub, members: readonly Member[]): Promise<Fleet> {
  const [bindings, clusterBindings, found] = await Promise.all([
    listAll(hub, placedBindings, ({ metadata }) => keyText(metadata)),
    listAll(hub, placedClusterBindings, ({ metadata }) => keyText(metadata)),
    listAll(hub, namespaces, ({ key }) => keyText(key)),
  ]);
  const all = [...bindings, ...clusterBindings];
  const metadata = await metadataOf(all, async (kind) => {
    const listed = await listAll(hub, kind, ({ key }) => keyText(key));
    return new Map(listed.map((each) => [keyText(each.key), each]));
  });
  return {
    members,
    candidates: all.map((binding) => candidate(binding, metadata)),
    switches: switchesOf(found, REBALANCING),
  };
}

/** Some bindings; deleted ones are absent. */
export async function getFleet(hub: Hub, members: readonly Member[], keys: readonly ObjectKey[]): Promise<Fleet> {
  const bindings = [...(await getBindings(hub, keys)).values()];
  const names = [...new Set([...keys.map(({ namespace }) => namespace), HUB_NAMESPACE])].filter((name) => name !== '');
  const [found, metadata] = await Promise.all([
    hub.getMany(
      namespaces,
      names.map((name) => ({ namespace: '', name })),
    ),
    metadataOf(bindings, (kind, wanted) =>
      hub.getMany(
        kind,
        wanted.map(({ spec }) => ({ namespace: spec.resource.namespace, name: spec.resource.name })),
      ),
    ),
  ]);
  const candidates = bindings.map((binding) => candidate(binding, metadata));
  return { members, candidates, switches: switchesOf([...found.values()], REBALANCING) };
}

/** Values of PriorityClasses by name, if one of these policies orders by them. */
export async function listPriorities(
  hub: Hub,
  policies: readonly RebalancePolicy[],
): Promise<ReadonlyMap<string, number>> {
  const isAsked = policies.some(({ spec }) => spec.strategy.order?.some(({ by }) => by === 'Priority'));
  const classes = isAsked ? await listAll(hub, priorityClasses, ({ name }) => name) : [];
  return new Map(classes.map(({ name, value }) => [name, value]));
}

/** By keyText; both kinds. */
export async function getBindings(hub: Hub, keys: readonly ObjectKey[]): Promise<ReadonlyMap<string, PlacedBinding>> {
  const found = await Promise.all([...groupBy(keys, placedKind)].map(([kind, wanted]) => hub.getMany(kind, wanted)));
  return new Map(found.flatMap((bindings) => [...bindings]));
}

/** The context for evaluations; a binding is planned once for all policies. */
export function evaluationContextOf(
  { members, switches }: Fleet,
  { now, failback }: { readonly now: Instant; readonly failback: boolean },
): EvaluationContext {
  const clusters = members.map(({ cluster }) => cluster);
  const capacities = sharedCapacities();
  const plans = new Map<PlacedBinding, ReturnType<typeof planFresh>>();
  return {
    clusters,
    unhealthy: new Set(members.flatMap(({ healthy, cluster }) => (healthy ? [] : [cluster.name]))),
    switches,
    now,
    plan: (binding) => {
      const known = plans.get(binding) ?? planFresh(binding, { clusters, capacity: capacities(binding), failback });
      plans.set(binding, known);
      return known;
    },
  };
}

type MetadataByKind = ReadonlyMap<Resource<WorkloadMetadata>, ReadonlyMap<string, WorkloadMetadata>>;

/** Only kinds that some binding has. */
async function metadataOf(
  bindings: readonly PlacedBinding[],
  read: (
    kind: Resource<WorkloadMetadata>,
    of: readonly PlacedBinding[],
  ) => Promise<ReadonlyMap<string, WorkloadMetadata>>,
): Promise<MetadataByKind> {
  const byKind = [...groupBy(bindings, ({ spec }) => workloadKindOf(spec.resource))];
  const entries = await Promise.all(
    byKind.map(async ([kind, of]) => (kind === undefined ? [] : [[kind, await read(kind, of)] as const])),
  );
  return new Map(entries.flat());
}

function candidate(binding: PlacedBinding, metadata: MetadataByKind): Candidate {
  const { resource } = binding.spec;
  const { namespace, name } = resource;
  const kind = workloadKindOf(resource);
  const found = kind && metadata.get(kind)?.get(keyText({ namespace, name }));
  return { binding, ...(found && { metadata: found }) };
}
