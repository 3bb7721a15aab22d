/** The plan as a document for programs: `-o json` and `-o yaml`. docs/guides/plan.md documents its shape. */
import type { Scheduling } from '../../shared/karmada/assignment/plan-scheduling.ts';
import { type Distribution, distributionOf } from '../../shared/karmada/assignment/rebalance-plan.ts';
import { referenceLabel } from '../../shared/kubernetes/object-reference.ts';
import type { MissingBinding } from './choose-bindings.ts';
import { type SavedBinding, savedFields } from './compare-plan.ts';
import { type BindingPlan, isMissing } from './plan-bindings.ts';

interface PlannedBinding extends SavedBinding {
  readonly current: Readonly<Record<string, number>>;
  readonly steady: Readonly<Record<string, number>> | null;
  readonly moves: number;
  readonly outcome: string;
  readonly reason: string;
}

export interface PlanDocument {
  readonly bindings: readonly PlannedBinding[];
}

export function planDocument(bindings: readonly (BindingPlan | MissingBinding)[]): PlanDocument {
  return { bindings: bindings.map((plan) => (isMissing(plan) ? missing(plan) : planned(plan))) };
}

function planned({ key, current, steady, fresh, moves, binding }: BindingPlan): PlannedBinding {
  return {
    ...key,
    ...savedFields(binding),
    current: record(current),
    steady: found(steady),
    fresh: found(fresh),
    moves,
    outcome: fresh.outcome,
    reason: [reasonOf(fresh), ...caveats(binding)].join('; '),
  };
}

/** As in the status of the rebalancer. */
function missing(binding: MissingBinding): PlannedBinding {
  const outcome = binding.resource === undefined ? 'ReferencedBindingNotFound' : 'ReferencedBindingMismatch';
  const none = {
    replicas: 0,
    lastScheduledTime: null,
    placement: '',
    current: {},
    steady: null,
    fresh: null,
    moves: 0,
  };
  return { ...binding.key, ...none, outcome, reason: missingReason(binding) };
}

export function missingReason({ workload, resource }: Omit<MissingBinding, 'key'>): string {
  const why =
    resource === undefined ? '' : ` of its own, but one of ${resource.apiVersion} ${referenceLabel(resource)}`;
  return `${referenceLabel(workload)} has no binding${why}: the rebalancer would report it Failed`;
}

/** The scheduler's message, and its outcome. */
export function reasonOf(scheduling: Scheduling): string {
  if (scheduling.outcome === 'Success') {
    const { affinityName, reason } = scheduling;
    return affinityName === undefined ? reason : `${reason}; term ${affinityName} of clusterAffinities`;
  }
  const { message, reason } = scheduling;
  return message === reason ? message : `${message} (${reason})`;
}

/** Why the result may differ from the plan, or be delayed. */
export function caveats({ spec }: BindingPlan['binding']): readonly string[] {
  const { schedulerName } = spec;
  const ours = ['', 'default-scheduler', 'evenkeel'].includes(schedulerName);
  return [
    ...(spec.suspension?.scheduling === true
      ? ['its scheduling is suspended: nothing happens until it is resumed']
      : []),
    ...(ours ? [] : [`scheduler ${schedulerName} assigns it, which may decide otherwise`]),
  ];
}

function found(scheduling: Scheduling): Readonly<Record<string, number>> | null {
  return scheduling.outcome === 'Success' ? record(distributionOf(scheduling.clusters)) : null;
}

function record(distribution: Distribution): Readonly<Record<string, number>> {
  return Object.fromEntries(distribution);
}
