/** Schedules bindings by Karmada's scheduler and by Evenkeel's, on the same objects of one hub. */
import { task } from '../../../../../functions/scheduler/schedule-binding.lambda.ts';
import { Fault } from '../../../../../shared/core/fault.ts';
import { parseSettings } from '../../../../../shared/core/settings.ts';
import { fromTimestamp } from '../../../../../shared/core/time.ts';
import { capacityOf } from '../../../../../shared/karmada/assignment/available-replicas.ts';
import { type Cluster, parseCluster } from '../../../../../shared/karmada/assignment/cluster.ts';
import { goesEverywhere, modeOf, scheduleBinding } from '../../../../../shared/karmada/assignment/plan-scheduling.ts';
import { assignedBy, decideScheduling } from '../../../../../shared/karmada/assignment/scheduling-decision.ts';
import {
  APPLIED_PLACEMENT,
  type PlacedBinding,
  parsePlacedBinding,
} from '../../../../../shared/karmada/placed-binding.ts';
import type { Hub } from '../../../../../shared/kubernetes/hub.ts';
import { oneHub } from '../../../../fakes/one-hub.ts';
import { MemoryAssignmentStore } from '../../../../fakes/stores/memory-assignment-store.ts';
import { recording } from '../../../../fakes/telemetry.ts';
import type { Api } from '../../api.ts';
import { eventually } from '../observed-state.ts';
import type { BindingCase, ClusterCase } from './cases.ts';
import { BY_POLICY } from './plain.ts';
import type { Version, Versions } from './versions.ts';

export const CLUSTERS = '/apis/cluster.karmada.io/v1alpha1/clusters';
export const BINDINGS = '/apis/work.karmada.io/v1alpha2/namespaces/default/resourcebindings';

const UNTOUCHED = 'as it was';

/** The replicas by cluster name, and the reason of the condition Scheduled. */
export interface Answer {
  readonly clusters: Readonly<Record<string, number>>;
  readonly reason: string;
  readonly affinity: string;
}

/** Creates clusters with the given status; resolves when Karmada's scheduler has observed all of them. */
export async function makeClusters(
  api: Api,
  round: number,
  cases: readonly ClusterCase[],
): Promise<readonly Cluster[]> {
  await Promise.all(
    cases.map(async ({ name, object, status }) => {
      await api.create(CLUSTERS, object);
      await api.merge(`${CLUSTERS}/${name}/status`, { status });
    }),
  );
  // The scheduler observes changes in order: after these labels it has observed every status.
  const labels = { round: String(round) };
  for (const { name } of cases) await api.merge(`${CLUSTERS}/${name}`, { metadata: { labels } });
  const probe = `probe-${round}`;
  const resource = { apiVersion: 'apps/v1', kind: 'StatefulSet', namespace: 'default', name: probe };
  const clusterTolerations = [{ operator: 'Exists' }];
  const placement = { clusterAffinity: { labelSelector: { matchLabels: labels } }, clusterTolerations };
  await api.create(BINDINGS, { ...header(probe), spec: { resource, placement } });
  await api.merge(`${BINDINGS}/${probe}`, { metadata: { labels: BY_POLICY } });
  const held = async () => ((await api.get<Version>(`${BINDINGS}/${probe}`)).spec.clusters ?? []).length;
  await eventually(held, cases.length);
  return (await api.list(CLUSTERS)).map(parseCluster);
}

function header(name: string) {
  return { apiVersion: 'work.karmada.io/v1alpha2', kind: 'ResourceBinding', metadata: { name } };
}

/** The binding as stored on the hub, before a scheduler handles it. */
export async function makeBinding(api: Api, { name, object, status }: BindingCase): Promise<PlacedBinding> {
  await api.create(BINDINGS, object);
  await api.merge(`${BINDINGS}/${name}/status`, { status });
  return parsePlacedBinding(await api.get(`${BINDINGS}/${name}`));
}

/** The first result of Karmada's scheduler for a binding. */
export async function askKarmada(api: Api, versions: Versions, before: PlacedBinding): Promise<Answer> {
  const { name } = before.metadata;
  await api.merge(`${BINDINGS}/${name}`, { metadata: { labels: BY_POLICY } });
  await eventually(async () => versions.of(name).some(isSeen), true);
  const after = versions.of(name).filter(({ metadata }) => metadata.labels !== undefined);
  const applied = before.metadata.annotations[APPLIED_PLACEMENT];
  const written = after.find(
    ({ metadata }) =>
      metadata.generation > before.metadata.generation || metadata.annotations?.[APPLIED_PLACEMENT] !== applied,
  );
  // The first result counts: later ones are reactions to the scheduler's own writes.
  const result = after.find((version) => reasonOf(version, before) !== UNTOUCHED) ?? after.find(isSeen);
  return {
    clusters: numbers((written ?? result)?.spec.clusters ?? []),
    reason: reasonOf(result, before),
    affinity: result?.status?.schedulerObservingAffinityName ?? '',
  };
}

/**
 * Whether karmada-scheduler's sum of available replicas overflowed an int32. For a workload without replicas it assumes that every cluster has
 * 2³¹ − 1 available replicas, and two of them sum up to −2: too few even for none.
 */
export function hasOverflowed(versions: Versions, name: string): boolean {
  return versions
    .of(name)
    .some(({ status }) => /available replicas -\d+ are not/.test(conditionOf(status)?.message ?? ''));
}

/** Whether a scheduler has finished with it: it failed, or it wrote the observed generation. */
function isSeen({ metadata, status }: Version): boolean {
  const reason = conditionOf(status)?.reason;
  return (reason !== undefined && reason !== 'Success') || status?.schedulerObservedGeneration === metadata.generation;
}

function conditionOf(status: Version['status']) {
  return status?.conditions?.find(({ type }) => type === 'Scheduled');
}

/** A Success with the lastScheduledTime of before is not a new result. */
function reasonOf(version: Version | undefined, before: PlacedBinding): string {
  const { status } = version ?? {};
  const noted = fromTimestamp(status?.lastScheduledTime ?? '');
  const reason = conditionOf(status)?.reason ?? UNTOUCHED;
  return reason === 'Success' && noted === (before.status.lastScheduledTime ?? undefined) ? UNTOUCHED : reason;
}

/** The result of our model for the same binding. */
export function askModel(binding: PlacedBinding, clusters: readonly Cluster[]): Answer {
  const available = capacityOf(binding);
  const decision = decideScheduling({ binding, clusters, available });
  const affinity = binding.status.schedulerObservingAffinityName ?? '';
  const current = numbers(binding.spec.clusters);
  if (decision.action !== 'Write' && !goesEverywhere(binding))
    return { clusters: current, reason: UNTOUCHED, affinity };
  // Karmada schedules bindings that go to every fitting cluster at each reconcile; our scheduler only if the result differs.
  const scheduling =
    decision.action === 'Write'
      ? decision.scheduling
      : scheduleBinding({ binding, clusters, available, mode: modeOf(binding) });
  const assigned = assignedBy(scheduling);
  return {
    clusters: assigned === undefined ? current : numbers(assigned),
    reason: scheduling.outcome,
    affinity: (scheduling.outcome === 'Success' ? scheduling.affinityName : undefined) ?? affinity,
  };
}

/** The result of our function for a copy of the binding with our schedulerName. */
export async function askFunction(api: Api, hub: Hub, { object, status }: BindingCase, name: string): Promise<Answer> {
  const { spec, metadata } = object as { spec: object; metadata: object };
  const twin = {
    ...object,
    metadata: { ...metadata, name, labels: BY_POLICY },
    spec: { ...spec, schedulerName: 'evenkeel' },
  };
  const before = await makeBinding(api, { name, object: twin, status });
  const context = {
    settings: parseSettings({}),
    telemetry: recording([]),
    now: () => Date.now(),
    newId: () => '',
    timeLeft: () => Number.POSITIVE_INFINITY,
  };
  const hubs = oneHub(hub);
  const estimators = { of: async () => undefined };
  const assignments = new MemoryAssignmentStore();
  const [outcome] = await task.runTogether([{ hub: hub.name, namespace: 'default', name }], {
    ...context,
    hubs,
    estimators,
    assignments,
  });
  if (outcome instanceof Fault) throw outcome;
  const version = await api.get<Version>(`${BINDINGS}/${name}`);
  return {
    clusters: numbers(version.spec.clusters ?? []),
    reason: reasonOf(version, before),
    affinity: version.status?.schedulerObservingAffinityName ?? '',
  };
}

function numbers(clusters: readonly { readonly name: string; readonly replicas?: number }[]): Record<string, number> {
  const sorted = [...clusters].sort((a, b) => (a.name < b.name ? -1 : 1));
  return Object.fromEntries(sorted.map(({ name, replicas = 0 }) => [name, replicas]));
}
