/** The view of what a RebalancePolicy would move now. */
import type { PolicyPreviewAnswer, PreviewedMove } from '../../shared/console-api/operations/policies.ts';
import { sum } from '../../shared/core/sum.ts';
import type { Instant } from '../../shared/core/time.ts';
import type { Member } from '../../shared/karmada/member-cluster.ts';
import type { PolicyPreview } from '../../shared/move-budget/preview.ts';
import { assumedTriggers, typesOf } from '../../shared/rebalance-policy/assumed-triggers.ts';
import { type Trigger, triggerText, type WorkloadDecision } from '../../shared/rebalance-policy/policy-run.ts';
import type { PolicySpec } from '../../shared/rebalance-policy/rebalance-policy.ts';

/** A page shows no more. */
const MOST = 500;

/** All that the policy has; a requested run if it has none. Unhealthy clusters neither recover nor join. */
export function triggersNow(spec: PolicySpec, members: readonly Member[], now: Instant): readonly Trigger[] {
  const types = typesOf(spec);
  const healthy = members.filter((member) => member.healthy);
  return assumedTriggers(types.length === 0 ? ['Requested'] : types, { spec, members: healthy, now });
}

export function previewAnswer(preview: PolicyPreview): PolicyPreviewAnswer {
  const { triggers, waves, skipped, still, unselected, notes } = preview;
  const all = waves.flat();
  const shown = new Set(all.slice(0, MOST));
  return {
    triggers: triggers.map(triggerText),
    waves: waves.map((wave) => wave.filter((each) => shown.has(each)).map((each) => moveView(each, each.why))),
    skipped: skipped.slice(0, MOST).map((each) => moveView(each, each.reason ?? '')),
    workloads: all.length,
    replicas: sum(all.map(({ moves }) => moves)),
    ...{ still: still.length, unselected: unselected.length, notes: [...notes] },
  };
}

function moveView({ workload, binding, current, next, moves }: WorkloadDecision, reason: string): PreviewedMove {
  return { workload, binding: { ...binding }, current: { ...current }, next: { ...next }, moves, reason };
}
