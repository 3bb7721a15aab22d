/** The preview of a policy as a document for programs: `-o json` and `-o yaml`. docs/plan.md documents its shape. */
import type { Unmoved } from '../../shared/rebalance-policy/plan-run.ts';
import type { Trigger, WorkloadDecision } from '../../shared/rebalance-policy/policy-run.ts';
import { workloadOf } from '../../shared/rebalance-policy/select-workloads.ts';
import type { PolicyPlan } from './plan-policy.ts';

export function policyDocument({ policy, triggers, waves, skipped, still, unselected }: PolicyPlan): object {
  return {
    policy: policy.name,
    triggers: triggers.map(withoutTime),
    waves: [...waves].map(([number, workloads]) => ({ number, workloads: workloads.map(moving) })),
    skipped: skipped.map(left),
    still: still.map(unmoved),
    unselected: unselected.map(unmoved),
  };
}

/** Without the time, which is that of the preview. */
function withoutTime(trigger: Trigger): object {
  const { type } = trigger;
  return {
    type,
    ...('cluster' in trigger && { cluster: trigger.cluster }),
    ...('percent' in trigger && { percent: trigger.percent }),
  };
}

function moving({ workload, binding, current, next, moves, why }: WorkloadDecision): object {
  return { workload, binding, current, next, moves, why };
}

function left({ workload, binding, current, moves, reason = '' }: WorkloadDecision): object {
  return { workload, binding, current, moves, reason };
}

function unmoved({ binding, reason }: Unmoved): object {
  const { namespace, name } = binding.metadata;
  return { workload: workloadOf(binding), binding: { namespace, name }, reason };
}
