/** Consumes changes of policies and clusters, and schedules: finds the triggers of policies, plans a run for each, and publishes that it is due. */
import { awsPolicies } from '../../shared/adapters/dynamodb/dynamodb-policy-store.ts';
import { awsBus } from '../../shared/adapters/eventbridge/eventbridge-bus.ts';
import { awsSchedule } from '../../shared/adapters/scheduler/eventbridge-schedule.ts';
import { awsHubs } from '../../shared/adapters/secrets-manager/secret-hubs.ts';
import { isNotServed, listAll } from '../../shared/edge/list-all.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { evaluationContextOf, listFleet, listMembers, listPriorities } from '../../shared/edge/read-fleet.ts';
import {
  ClusterChanged,
  PoliciesDue,
  PolicyRunDue,
  RebalancePolicyChanged,
  ResyncDue,
} from '../../shared/events/catalogue.ts';
import { scheduleName } from '../../shared/model/digest.ts';
import { asFault, Fault } from '../../shared/model/fault.ts';
import type { Member } from '../../shared/model/member-cluster.ts';
import { planRun } from '../../shared/model/rebalance-policy/plan-run.ts';
import {
  type ClusterObservations,
  isRunning,
  type PolicyState,
} from '../../shared/model/rebalance-policy/policy-run.ts';
import {
  problemsOf,
  type RebalancePolicy,
  rebalancePolicies,
} from '../../shared/model/rebalance-policy/rebalance-policy.ts';
import { DAY } from '../../shared/model/time.ts';
import { count } from '../../shared/model/words.ts';
import type { EventBus } from '../../shared/ports/event-bus.ts';
import type { Hub, Hubs } from '../../shared/ports/hub.ts';
import type { InvocationContext, Outcome } from '../../shared/ports/invocation.ts';
import type { OneTimeSchedule } from '../../shared/ports/one-time-schedule.ts';
import type { PolicyStore } from '../../shared/ports/policy-store.ts';
import { type SetOff, setOff, whyNoRun } from './evaluate-policies.ts';
import { type Evaluation, type NewRun, newRun, nextEvaluationAt } from './new-run.ts';
import { observeClusters } from './observe-clusters.ts';
import { writeReport } from './write-report.ts';

interface EvaluatePoliciesContext extends InvocationContext {
  readonly hubs: Hubs;
  readonly policies: PolicyStore;
  readonly bus: EventBus;
  readonly schedule: OneTimeSchedule;
}

export const task = queueTask({
  consumes: [RebalancePolicyChanged, ClusterChanged, PoliciesDue, ResyncDue],
  about: ({ hub }) => hub,
  run,
});

/** A policy with its stored state and its triggers. */
interface Evaluated {
  readonly policy: RebalancePolicy;
  readonly state: PolicyState;
  readonly problems: readonly string[];
  readonly off: SetOff;
  readonly whyNoRun: string | undefined;
}

async function run({ hub: name }: { hub: string }, ports: EvaluatePoliciesContext): Promise<Outcome> {
  const hub = await ports.hubs.connect(name);
  const read = await readPolicies(hub);
  if ('reason' in read) return read;
  const states = new Map((await ports.policies.readStates(name)).map((state) => [state.uid, state]));
  await publishRunning([...states.values()], ports);
  await forget(states, read.policies, ports);
  if (read.policies.length === 0) return { reason: 'the hub has no RebalancePolicy', fields: { policies: 0 } };
  const members = await listMembers(hub);
  const observations = await see(name, members, ports);
  const evaluated = read.policies.map((policy) =>
    evaluate(policy, { hub: name, states, members, observations }, ports),
  );
  const planned = await plan(hub, { evaluated, members }, ports);
  const kept = await Promise.all(planned.map((each) => keep(newRun(each, ports.now()), ports)));
  const begun = kept.filter((state) => state !== undefined);
  // A run that was already in progress is reported by the function that advances it.
  const ours = evaluated.filter(({ state }) => !isRunning(state));
  await Promise.all(ours.map(({ policy, problems }) => writeReport(hub, { policy, seen: policy, problems }, ports)));
  await lookAgain(name, planned, ports);
  const fields = { policies: evaluated.length, begun: begun.length };
  return { reason: `${count(begun.length, 'run')} planned`, fields };
}

/** Not every hub uses policies: a hub without the kind, or without our permission to read it, counts as one without policies, at the cost of one request. */
async function readPolicies(hub: Hub): Promise<{ readonly policies: readonly RebalancePolicy[] } | Outcome> {
  try {
    return { policies: await listAll(hub, rebalancePolicies, ({ uid }) => uid) };
  } catch (thrown) {
    if (isNotServed(thrown)) return { reason: 'the hub does not know RebalancePolicies' };
    const setUp = 'where policies are used, apply "evenkeel hub manifests --policies"';
    if (asFault(thrown).reason === 'Forbidden') return { reason: `RebalancePolicies may not be read there; ${setUp}` };
    throw thrown;
  }
}

/** Always continues running runs, so that they see lost events, edits and deletions. */
async function publishRunning(states: readonly PolicyState[], { bus }: EvaluatePoliciesContext): Promise<void> {
  await bus.publish(states.filter(isRunning).map(({ hub, uid, name }) => PolicyRunDue.of({ hub, uid, name })));
}

/** The row of a deleted policy may expire. */
async function forget(
  states: ReadonlyMap<string, PolicyState>,
  found: readonly RebalancePolicy[],
  { policies, now, settings }: EvaluatePoliciesContext,
): Promise<void> {
  const there = new Set(found.map(({ uid }) => uid));
  const gone = [...states.values()].filter(
    (state) => !there.has(state.uid) && !isRunning(state) && state.expiresAt === undefined,
  );
  await Promise.all(
    gone.map((state) => policies.saveState({ ...state, expiresAt: now() + settings.historyDays * DAY })),
  );
}

async function see(
  hub: string,
  members: readonly Member[],
  { policies, now }: EvaluatePoliciesContext,
): Promise<ClusterObservations['clusters']> {
  const before = (await policies.readObservations(hub)) ?? { hub, version: 0, clusters: {} };
  const clusters = observeClusters(before.clusters, members, now());
  if (JSON.stringify(clusters) === JSON.stringify(before.clusters)) return clusters;
  if (await policies.saveObservations({ ...before, clusters })) return clusters;
  throw new Fault('retryable', `the clusters of ${hub} were evaluated concurrently`, {
    reason: 'ConcurrentEvaluation',
  });
}

function evaluate(
  policy: RebalancePolicy,
  context: {
    readonly hub: string;
    readonly states: ReadonlyMap<string, PolicyState>;
    readonly members: readonly Member[];
    readonly observations: ClusterObservations['clusters'];
  },
  { now, telemetry }: EvaluatePoliciesContext,
): Evaluated {
  const { hub, states } = context;
  const { expiresAt: _, ...state }: PolicyState = states.get(policy.uid) ?? {
    hub,
    uid: policy.uid,
    name: policy.name,
    version: 0,
    answered: { clusters: {} },
  };
  const problems = problemsOf(policy);
  if (problems.length > 0) telemetry.outcome('EK321', { hub, policy: policy.name, error: problems.join('; ') });
  const nothing = { triggers: [], passed: state.answered, evaluateAt: Number.POSITIVE_INFINITY };
  const off = problems.length > 0 ? nothing : setOff({ policy, answered: state.answered }, context, now());
  return { policy, state, problems, off, whyNoRun: whyNoRun(policy, state) };
}

/** Bindings are read only if some policy may act, and once for all policies. */
async function plan(
  hub: Hub,
  { evaluated, members }: { readonly evaluated: readonly Evaluated[]; readonly members: readonly Member[] },
  { now, newId }: EvaluatePoliciesContext,
): Promise<readonly Evaluation[]> {
  const off = evaluated.filter(({ off: { triggers }, whyNoRun: why }) => triggers.length > 0 && why === undefined);
  const fleet = off.length === 0 ? undefined : await listFleet(hub, members);
  const context = fleet && evaluationContextOf(fleet, now());
  const priorities = await listPriorities(
    hub,
    off.map(({ policy }) => policy),
  );
  return evaluated.map((each): Evaluation => {
    const { policy } = each;
    const { triggers } = each.off;
    const planned =
      context && fleet && off.includes(each)
        ? planRun({ policy, triggers, candidates: fleet.candidates, context, priorities })
        : undefined;
    return { ...each, planned, id: newId() };
  });
}

/** Rows first: they are read only after the state refers to the run. Returns the state if a run begins. */
async function keep(
  next: NewRun | undefined,
  { policies, bus, now, settings }: EvaluatePoliciesContext,
): Promise<PolicyState | undefined> {
  if (next === undefined) return undefined;
  const { state, waves, skipped } = next;
  const expiresAt = now() + settings.historyDays * DAY;
  await Promise.all([
    ...waves.map((wave) => policies.writeWave(wave, state.version, expiresAt)),
    ...skipped.map((chunk) => policies.writeSkipped(chunk, expiresAt)),
  ]);
  // Another delivery has planned the same.
  if (!(await policies.saveState(state))) return undefined;
  const { hub, uid, name, run } = state;
  if (run === undefined || next.record === undefined) return undefined;
  await policies.recordRun(hub, next.record, expiresAt);
  if (isRunning(state)) await bus.publish([PolicyRunDue.of({ hub, uid, name })]);
  return state;
}

async function lookAgain(
  hub: string,
  planned: readonly Evaluation[],
  { schedule, now }: EvaluatePoliciesContext,
): Promise<void> {
  const at = Math.min(...planned.map((each) => nextEvaluationAt(each, now())));
  if (at === Number.POSITIVE_INFINITY) return;
  await schedule.put(scheduleName('policies', { hub, uid: '' }), at, PoliciesDue.of({ hub }));
}

export const handler = onQueue(task, { hubs: awsHubs, policies: awsPolicies, bus: awsBus, schedule: awsSchedule });
