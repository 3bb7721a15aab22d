/** Workloads that were driven from m1, and what a policy plans for them: short, for tables. */
import { planDrain, planFresh, sharedCapacities } from '../../../shared/karmada/assignment/rebalance-plan.ts';
import type { EvaluationContext } from '../../../shared/rebalance-policy/evaluation-context.ts';
import { createRunPlanner, type PlannedRun, type RunInput } from '../../../shared/rebalance-policy/plan-run.ts';
import type { Trigger } from '../../../shared/rebalance-policy/policy-run.ts';
import { parseRebalancePolicy, type RebalancePolicy } from '../../../shared/rebalance-policy/rebalance-policy.ts';
import { type Candidate, candidateMetadata } from '../../../shared/rebalance-policy/select-workloads.ts';
import { clusters, DYNAMIC, type Numbers, placedBinding } from '../../placed-objects.ts';

export const NOW = Date.parse('2026-11-21T10:00:00Z');
export const placement = { replicaScheduling: DYNAMIC };
export const scheduled = { placement, at: '2026-11-21T09:00:00Z' };
export const recovered: Trigger = { type: 'ClusterRecovered', cluster: 'm1', uid: 'u1', at: NOW };

export function policy(spec: object = {}): RebalancePolicy {
  const metadata = { name: 'p', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-11-21T09:00:00Z' };
  return parseRebalancePolicy({ metadata, spec: { triggers: { clusterRecovered: {} }, ...spec } });
}

export interface Given {
  readonly placement?: object;
  readonly current?: Numbers;
  readonly spec?: object;
  readonly metadata?: object;
  readonly replicas?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Driven from m1: all its replicas are on m2. */
export function away(name: string, given: Given = {}): Candidate {
  const { spec = {}, metadata = {}, replicas = 4, labels = {}, annotations = {} } = given;
  const { placement: by = placement, current = { m2: replicas } } = given;
  const binding = placedBinding({
    ...{ name, replicas, current, spec, placement: by },
    scheduled: { ...scheduled, placement: by },
  });
  const merged = {
    ...binding,
    metadata: {
      ...binding.metadata,
      ...metadata,
      annotations: { ...binding.metadata.annotations, ...(metadata as { annotations?: object }).annotations },
    },
  };
  return { binding: merged, metadata: candidateMetadata({ labels, annotations }) };
}

export function context(over: Partial<EvaluationContext> = {}): EvaluationContext {
  const capacities = sharedCapacities();
  const all = clusters({ m1: 100, m2: 100 });
  return {
    clusters: all,
    unhealthy: new Set(),
    drained: new Set(),
    switches: new Map(),
    now: NOW,
    plan: (binding) => planFresh(binding, { clusters: all, capacity: capacities(binding) }),
    planDrain: (binding, cluster) => planDrain(binding, cluster, { clusters: all, capacity: capacities(binding) }),
    ...over,
  };
}

/** Of candidates that are all on one page. */
export function planRun({
  candidates,
  ...input
}: RunInput & { readonly candidates: readonly Candidate[] }): PlannedRun {
  const planner = createRunPlanner(input);
  planner.add(candidates);
  return planner.planned();
}

export function plan(
  candidates: readonly Candidate[],
  spec: object = {},
  { triggers = [recovered], over = {} }: { triggers?: readonly Trigger[]; over?: Partial<EvaluationContext> } = {},
) {
  const planned = planRun({
    policy: policy(spec),
    triggers,
    candidates,
    context: context(over),
    priorities: new Map([['high', 1000]]),
  });
  return {
    waves: planned.waves.map((wave) => wave.map(({ workload }) => workload.name)),
    skipped: planned.skipped.map(({ reason }) => reason),
    unselected: planned.unselected.map(({ reason }) => reason),
    still: planned.still.map(({ reason }) => reason),
    passing: planned.passing,
    why: planned.waves.flat().map(({ why }) => why),
  };
}
