/** Decides what a RebalancePolicy would do if its triggers fired now, with the planning code of its runs. */
import { invalidOption } from '../../shared/core/fault.ts';
import type { Instant } from '../../shared/core/time.ts';
import type { Member } from '../../shared/karmada/member-cluster.ts';
import { keyText, type ObjectKey } from '../../shared/kubernetes/object-key.ts';
import { referenceKey } from '../../shared/kubernetes/object-reference.ts';
import { type Budget, previewBudget } from '../../shared/move-budget/budget.ts';
import { podsByCluster } from '../../shared/move-budget/pods-by-cluster.ts';
import { previewPlanner } from '../../shared/move-budget/preview-planner.ts';
import { type PlannedRun, runPlanners, type Unmoved } from '../../shared/rebalance-policy/plan-run.ts';
import type { Trigger, WorkloadDecision } from '../../shared/rebalance-policy/policy-run.ts';
import type { RebalancePolicy } from '../../shared/rebalance-policy/rebalance-policy.ts';
import { type Candidate, workloadOf } from '../../shared/rebalance-policy/select-workloads.ts';
import { type BindingFilter, chooseBindings } from './choose-bindings.ts';
import { chooseTriggers } from './choose-triggers.ts';
import { noCluster, withServed } from './plan-bindings.ts';
import type { PolicyInput } from './policy-input.ts';
import { policyNotes } from './policy-notes.ts';

export interface PolicyQuery extends BindingFilter {
  readonly policy: string;
  /** "ClusterRecovered=member1"; empty: all triggers of the policy. */
  readonly triggers: readonly string[];
  /** Whether the hub has the feature `failback`. */
  readonly failback: boolean;
}

export interface PolicyPlan {
  readonly policy: RebalancePolicy;
  readonly triggers: readonly Trigger[];
  /** By wave number, from 1; only waves with requested workloads. */
  readonly waves: ReadonlyMap<number, readonly WorkloadDecision[]>;
  readonly skipped: readonly WorkloadDecision[];
  readonly still: readonly Unmoved[];
  readonly unselected: readonly Unmoved[];
  readonly notes: readonly string[];
}

/** All workloads are planned, since the wave of one depends on the others. */
export function planPolicy(input: PolicyInput, query: PolicyQuery, now: Instant): PolicyPlan {
  const policy = policyNamed(input, query.policy);
  const candidates = candidatesOf(input);
  const members = membersOf(input);
  if (members.length === 0 && candidates.length > 0) throw noCluster();
  const triggers = chooseTriggers(policy, input.members, { asked: query.triggers, now });
  const switches = new Map(
    [...input.switches].flatMap(([name, word]) => (word === undefined ? [] : [[name, word] as const])),
  );
  const hub = { members, switches, now, failback: query.failback };
  const planner = previewPlanner(runPlanners(hub, input.priorities)({ policy, triggers }));
  planner.add(candidates);
  const run = planner.planned({ reason: 'Policy', budget: budgetOf(input, now) });
  const { chosen } = chooseBindings({ ...input, rebalancers: new Map() }, query);
  const keys = new Set(chosen.map(({ metadata }) => keyText(metadata)));
  const about = policyNotes(input, { policy, triggers, candidates, now });
  return { policy, triggers, ...only(run, keys), notes: [...about, ...run.notes] };
}

/** The limits of the hub without the moves in flight, new for each call. */
function budgetOf({ limits, members }: PolicyInput, now: Instant): () => Budget {
  return previewBudget({
    limits: [...limits.values()].flat(),
    pods: podsByCluster([...members.values()].map(({ cluster }) => cluster)),
    now,
  });
}

function policyNamed({ policies }: PolicyInput, name: string): RebalancePolicy {
  const policy = policies.get(name);
  if (policy !== undefined) return policy;
  const known = [...policies.keys()].join(', ') || 'none';
  throw invalidOption(
    `--policy ${name}: the files have no RebalancePolicy of that name (they have: ${known}); give it with -f, or the hub that has it with --kubeconfig`,
  );
}

/** A handwritten cluster without status.apiEnablements is assumed to serve every kind. */
function membersOf({ members, withoutEnablements, bindings }: PolicyInput): readonly Member[] {
  const clusters = new Map([...members].map(([name, { cluster }]) => [name, cluster]));
  const served = withServed({ clusters, withoutEnablements }, [...bindings.values()]);
  return served.flatMap((cluster) => {
    const member = members.get(cluster.name);
    return member === undefined ? [] : [{ ...member, cluster }];
  });
}

function only({ waves, skipped, still, unselected }: PlannedRun, keys: ReadonlySet<string>) {
  const isMeant = (key: ObjectKey) => keys.has(keyText(key));
  const ofMeant = (decisions: readonly WorkloadDecision[]) => decisions.filter(({ binding }) => isMeant(binding));
  const numbered = waves.map((wave, i) => [i + 1, ofMeant(wave)] as const).filter(([, wave]) => wave.length > 0);
  return {
    waves: new Map(numbered),
    skipped: ofMeant(skipped),
    still: still.filter(({ binding }) => isMeant(binding)),
    unselected: unselected.filter(({ binding }) => isMeant(binding)),
  };
}

function candidatesOf({ bindings, metadata }: PolicyInput): readonly Candidate[] {
  return [...bindings.values()].map((binding) => {
    const found = metadata.get(referenceKey(workloadOf(binding)));
    return { binding, ...(found && { metadata: found }) };
  });
}
