/** What a member gets of a binding, and its report: for the practice hub's members. */
import { isWorkload } from '../../../shared/karmada/placed-binding.ts';
import type { BindingView } from './binding-view.ts';

export const FULLY_APPLIED = {
  type: 'FullyApplied',
  status: 'True',
  reason: 'FullyAppliedSuccess',
  message: 'All works have been successfully applied',
} as const;
export const NOT_APPLIED = {
  type: 'FullyApplied',
  status: 'False',
  reason: 'FullyAppliedFailed',
  message: 'Failed to apply all works, see status.aggregatedStatus for details',
} as const;

/** A workload as last applied to a member. */
export interface MemberWork {
  readonly replicas: number;
  /** The generation of the hub's object. */
  readonly template: number;
  /** The generation of the member's object. */
  readonly generation: number;
}

export function dispatchedNext(
  before: MemberWork | undefined,
  { replicas, template }: Omit<MemberWork, 'generation'>,
): MemberWork {
  const same = before?.replicas === replicas && before.template === template;
  return same ? before : { replicas, template, generation: (before?.generation ?? 0) + 1 };
}

/** Whether updates are held back: by a suspension for assigned clusters, by an eviction task for others. */
export function isHeld(binding: BindingView, member: string): boolean {
  const isGiven = isAssigned(binding, member) || requiredClusters(binding).some(({ name }) => name === member);
  if (!isGiven) return heldClusters(binding).includes(member);
  const { suspension } = binding.spec;
  return suspension?.dispatching === true || suspension?.dispatchingOnClusters?.clusterNames?.includes(member) === true;
}

export function assignedReplicas(binding: BindingView, member: string): number {
  if (!isWorkload(binding)) return 0;
  const given = [...binding.spec.clusters, ...requiredClusters(binding)].find(({ name }) => name === member);
  return given?.replicas ?? 0;
}

/** The binding's own assignment has priority over clusters required by others. */
function requiredClusters({ spec }: BindingView): readonly { readonly name: string; readonly replicas: number }[] {
  const lines = spec.requiredBy ?? [];
  return lines.flatMap(({ clusters }) =>
    (clusters ?? []).map(({ name, replicas }) => ({ name, replicas: Number(replicas ?? 0) })),
  );
}

/** Clusters that have a Work without assigned replicas. */
export function otherClusters(binding: BindingView): readonly string[] {
  const required = requiredClusters(binding).map(({ name }) => name);
  return [...heldClusters(binding), ...required.filter((name) => !isAssigned(binding, name))];
}

function isAssigned({ spec }: BindingView, member: string): boolean {
  return spec.clusters.some(({ name }) => name === member);
}

/** Clusters that are no longer assigned and keep the Work until their eviction task ends. */
function heldClusters(binding: BindingView): string[] {
  return (binding.spec.gracefulEvictionTasks ?? [])
    .filter(({ purgeMode }) => purgeMode !== 'Directly' && purgeMode !== 'Immediately')
    .map(({ fromCluster }) => fromCluster)
    .filter((name) => !isAssigned(binding, name));
}

/** After a restart of the hub, the members' pods are assumed to be as last reported. */
export function reportedCounts({ status }: BindingView, member: string): { replicas: number; ready: number } {
  const last = status.aggregatedStatus.find(({ clusterName }) => clusterName === member)?.status;
  return { replicas: last?.replicas ?? 0, ready: last?.readyReplicas ?? 0 };
}

export function reportedWork({ status }: BindingView, member: string): MemberWork | undefined {
  const last = status.aggregatedStatus.find(({ clusterName }) => clusterName === member)?.status;
  if (last?.generation == null || last.resourceTemplateGeneration == null) return undefined;
  return { replicas: last.replicas ?? 0, template: last.resourceTemplateGeneration, generation: last.generation };
}

type JsonObject = Readonly<Record<string, unknown>>;

interface CountedWork extends Partial<Omit<MemberWork, 'replicas'>> {
  readonly replicas: number;
  readonly ready: number;
}

/** A Deployment's status as Karmada aggregates it: zero fields are omitted, except `replicas`. Its observedGeneration is always current. */
export function entryOf(
  binding: BindingView,
  clusterName: string,
  { replicas, ready, template, generation }: CountedWork,
): JsonObject {
  if (!isWorkload(binding)) return { clusterName, applied: true, health: 'Unknown' };
  const health = ready === replicas ? 'Healthy' : 'Unhealthy';
  const status = {
    ...(generation !== undefined && { generation, observedGeneration: generation }),
    ...(template !== undefined && { resourceTemplateGeneration: template }),
    replicas,
    ...(replicas > 0 && { updatedReplicas: replicas }),
    ...(ready > 0 && { readyReplicas: ready, availableReplicas: ready }),
    ...(replicas > ready && { unavailableReplicas: replicas - ready }),
  };
  return { clusterName, applied: true, health, status };
}
