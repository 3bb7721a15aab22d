/** Reads the inputs of policies: members, bindings with their workloads' metadata, namespaces' switches; of a whole hub page by page, or of some bindings. */

import { groupBy } from '../core/group-by.ts';
import { listBindings } from '../karmada/list-bindings.ts';
import { type Member, memberClusters } from '../karmada/member-cluster.ts';
import { type PlacedBinding, placedKind } from '../karmada/placed-binding.ts';
import { HUB_NAMESPACE, namespaces, switchesOf } from '../karmada/rescheduling-policy.ts';
import type { Hub } from '../kubernetes/hub.ts';
import { whyNotListed } from '../kubernetes/hub-features.ts';
import { listAll } from '../kubernetes/list-all.ts';
import { keyText, type ObjectKey } from '../kubernetes/object-key.ts';
import { priorityClasses } from '../kubernetes/priority-class.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { type WorkloadMetadata, workloadKindOf } from '../kubernetes/workload-metadata.ts';
import { clusterDrains } from './cluster-drain.ts';
import { REBALANCING, type RebalancePolicy } from './rebalance-policy.ts';
import { type Candidate, type CandidateMetadata, candidateMetadata } from './select-workloads.ts';

/** Some bindings of a hub with their workloads' metadata. */
export interface Fleet {
  readonly candidates: readonly Candidate[];
  /** Namespaces' annotation REBALANCING. */
  readonly switches: ReadonlyMap<string, string>;
}

/** All bindings of a hub, page by page: a hub may have more than fit in memory. A restarted list may return a binding twice. */
export interface FleetPages extends Pick<Fleet, 'switches'> {
  readonly pages: AsyncIterable<readonly Candidate[]>;
}

export async function listMembers(hub: Hub): Promise<readonly Member[]> {
  return listAll(hub, memberClusters, ({ cluster }) => cluster.name);
}

/** None on a hub that does not serve them, or where they may not be read: its manifests are older. */
export async function listDrains(hub: Hub): Promise<readonly RebalancePolicy[]> {
  try {
    return await listAll(hub, clusterDrains, ({ uid }) => uid);
  } catch (thrown) {
    whyNotListed(thrown, 'ClusterDrains', 'drains');
    return [];
  }
}

/** The whole hub: each kind once. */
export async function listFleet(hub: Hub): Promise<FleetPages> {
  const found = await listAll(hub, namespaces, ({ key }) => keyText(key));
  return { switches: switchesOf(found, REBALANCING), pages: candidatePages(hub) };
}

/** The metadata of a kind is read when the first binding of that kind is. */
async function* candidatePages(hub: Hub): AsyncGenerator<readonly Candidate[]> {
  const metadata = new Map<Resource<WorkloadMetadata>, ReadonlyMap<string, CandidateMetadata>>();
  for await (const page of (await listBindings(hub)) ?? []) {
    for (const kind of new Set(page.map(({ spec }) => workloadKindOf(spec.resource)))) {
      if (kind !== undefined && !metadata.has(kind)) metadata.set(kind, await listMetadata(hub, kind));
    }
    yield page.map((binding) => candidate(binding, metadata));
  }
}

async function listMetadata(
  hub: Hub,
  kind: Resource<WorkloadMetadata>,
): Promise<ReadonlyMap<string, CandidateMetadata>> {
  const found = new Map<string, CandidateMetadata>();
  for await (const page of hub.list(kind))
    for (const each of page) found.set(keyText(each.key), candidateMetadata(each));
  return found;
}

/** Some bindings; deleted ones are absent. */
export async function getFleet(hub: Hub, keys: readonly ObjectKey[]): Promise<Fleet> {
  const bindings = [...(await getBindings(hub, keys)).values()];
  const names = [...new Set([...keys.map(({ namespace }) => namespace), HUB_NAMESPACE])].filter((name) => name !== '');
  const [found, metadata] = await Promise.all([
    hub.getMany(
      namespaces,
      names.map((name) => ({ namespace: '', name })),
    ),
    getMetadata(hub, bindings),
  ]);
  const candidates = bindings.map((binding) => candidate(binding, metadata));
  return { candidates, switches: switchesOf([...found.values()], REBALANCING) };
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

/** Only kinds that some binding has. */
async function getMetadata(hub: Hub, bindings: readonly PlacedBinding[]): Promise<MetadataByKind> {
  const byKind = [...groupBy(bindings, ({ spec }) => workloadKindOf(spec.resource))];
  const entries = await Promise.all(
    byKind.map(async ([kind, of]) => {
      if (kind === undefined) return [];
      const keys = of.map(({ spec: { resource } }) => ({ namespace: resource.namespace, name: resource.name }));
      const found = [...(await hub.getMany(kind, keys))].map(([key, each]) => [key, candidateMetadata(each)] as const);
      return [[kind, new Map(found)] as const];
    }),
  );
  return new Map(entries.flat());
}

type MetadataByKind = ReadonlyMap<Resource<WorkloadMetadata>, ReadonlyMap<string, CandidateMetadata>>;

function candidate(binding: PlacedBinding, metadata: MetadataByKind): Candidate {
  const { resource } = binding.spec;
  const { namespace, name } = resource;
  const kind = workloadKindOf(resource);
  const found = kind && metadata.get(kind)?.get(keyText({ namespace, name }));
  return { binding, ...(found && { metadata: found }) };
}
