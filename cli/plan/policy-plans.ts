/** The kind of plan for a RebalancePolicy: the waves, the skipped workloads with reasons, and the rest by reason. docs/guides/plan.md documents its document. */
import { count } from '../../shared/core/count.ts';
import { groupBy } from '../../shared/core/group-by.ts';
import { referenceLabel } from '../../shared/kubernetes/object-reference.ts';
import type { Unmoved } from '../../shared/rebalance-policy/plan-run.ts';
import { clustersOf, type Trigger, type WorkloadDecision } from '../../shared/rebalance-policy/policy-run.ts';
import { aligned } from '../aligned.ts';
import type { Colours } from '../terminal.ts';
import type { PlanKind } from './plan-kind.ts';
import { type PolicyPlan, planPolicy } from './plan-policy.ts';
import { type PolicyInput, policyInputOfFiles } from './policy-input.ts';
import { policyInputOfHub } from './policy-of-hub.ts';
import { changesBetween, list } from './print-plan.ts';

export function policyPlans(policy: string): PlanKind<PolicyInput> {
  return {
    withoutNames: '--policy',
    fromFiles: (documents, { namespace }) => policyInputOfFiles(documents, namespace),
    fromHub: (source, _, given) => policyInputOfHub({ ...source, name: policy, policy: given?.policies.get(policy) }),
    plan: (input, names, { trigger: triggers = [], failback = false, namespace, explain }) => {
      const query = { policy, triggers, failback, names, ...(namespace !== undefined && { namespace }) };
      const plan = planPolicy(input, query, Date.now());
      return {
        table: (colours) => printPolicy(plan, { colours, explain }),
        document: () => policyDocument(plan),
        notes: [...input.notes, ...plan.notes],
        unread: input.unread,
        moves: plan.waves.size > 0,
      };
    },
  };
}

/** The waves, and the workloads that stay, with reasons. */
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

function unmoved({ workload, binding, reason }: Unmoved): object {
  return { workload, binding, reason };
}

export function printPolicy(
  plan: PolicyPlan,
  { colours, explain }: { readonly colours: Colours; readonly explain: boolean },
): string {
  const head = (lines: readonly string[]) => lines.map((line, i) => (i === 0 ? colours.bold(line) : line)).join('\n');
  const rest = explain ? [eachOf('STAYS', plan.still), eachOf('NOT SELECTED', plan.unselected)] : [counted(plan)];
  const parts = [waveLines(plan), skippedLines(plan), ...rest].filter((lines) => lines.length > 0);
  const { name, drains } = plan.policy;
  return [
    drains === undefined ? `RebalancePolicy ${name}, set off by ${triggersText(plan.triggers)}` : `Drain of ${drains}`,
    ...parts.map(head),
    summary(plan),
  ].join('\n\n');
}

/** "ClusterRecovered of member1, member2; Schedule". */
function triggersText(triggers: readonly Trigger[]): string {
  const texts = [...groupBy(triggers, ({ type }) => type)].map(([type, same]) => {
    const clusters = clustersOf(same);
    const percent = same.flatMap((trigger) => ('percent' in trigger ? [` of ${trigger.percent} %`] : []));
    return `${type}${clusters.length > 0 ? ` of ${list(clusters)}` : percent.join('')}`;
  });
  return texts.join('; ') || 'nothing';
}

function waveLines({ waves }: PolicyPlan): readonly string[] {
  const rows = [...waves].flatMap(([number, wave]) =>
    wave.map(({ workload, moves, current, next, why }) => [
      String(number),
      referenceLabel(workload),
      String(moves),
      changesBetween(current, next),
      why,
    ]),
  );
  return rows.length === 0
    ? []
    : aligned([['WAVE', 'WORKLOAD', 'MOVES', 'REPLICAS', 'WHY'], ...rows], { right: [0, 2] });
}

function skippedLines({ skipped }: PolicyPlan): readonly string[] {
  const rows = skipped.map(({ workload, reason = '' }) => [referenceLabel(workload), reason]);
  return rows.length === 0 ? [] : aligned([['SKIPPED', 'WHY'], ...rows]);
}

function eachOf(head: string, unmoved: readonly Unmoved[]): readonly string[] {
  const rows = unmoved.map(({ workload, reason }) => [referenceLabel(workload), reason]);
  return rows.length === 0 ? [] : aligned([[head, 'WHY'], ...rows]);
}

/** Most workloads of a fleet are here: counted by reason, the most frequent first. */
function counted({ still, unselected }: PolicyPlan): readonly string[] {
  const rows = [
    ...byReason(still).map(([reason, number]) => [String(number), 'stay', reason]),
    ...byReason(unselected).map(([reason, number]) => [String(number), 'not selected', reason]),
  ];
  return rows.length === 0 ? [] : aligned([['OTHERS', '', 'WHY'], ...rows], { right: [0] });
}

function byReason(unmoved: readonly Unmoved[]): readonly (readonly [string, number])[] {
  const groups = [...groupBy(unmoved, ({ reason }) => reason)].map(([reason, same]) => [reason, same.length] as const);
  return groups.sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
}

function summary({ waves, skipped, still, unselected }: PolicyPlan): string {
  const moving = [...waves.values()].flat();
  const replicas = moving.reduce((sum, { moves }: WorkloadDecision) => sum + moves, 0);
  const first =
    moving.length === 0
      ? 'It would move nothing'
      : `It would move ${count(replicas, 'replica')} of ${count(moving.length, 'workload')} in ${count(waves.size, 'wave')}`;
  const others = [
    [skipped.length, 'skipped'],
    [still.length, 'staying'],
    [unselected.length, 'not selected'],
  ] as const;
  return `${[first, ...others.flatMap(([number, what]) => (number > 0 ? [`${number} ${what}`] : []))].join('; ')}.`;
}
