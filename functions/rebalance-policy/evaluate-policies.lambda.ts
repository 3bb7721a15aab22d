/** Hears that policies, clusters or the time have changed; looks what has set policies off, plans a run for each, and says that it can begin. */
import { awsBus, awsHubs, awsPolicies, awsSchedule } from '../../shared/edge/aws-ports.ts';
import { isNotServed, listAll } from '../../shared/edge/list-all.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { aroundOf, listFleet, listMembers, listPriorities } from '../../shared/edge/read-fleet.ts';
import { ClusterChanged } from '../../shared/events/catalogue/cluster-changed.ts';
import { PoliciesDue } from '../../shared/events/catalogue/policies-due.ts';
import { PolicyRunDue } from '../../shared/events/catalogue/policy-run-due.ts';
import { RebalancePolicyChanged } from '../../shared/events/catalogue/rebalance-policy-changed.ts';
import { ResyncDue } from '../../shared/events/catalogue/resync-due.ts';
import { asFault, Fault } from '../../shared/model/fault.ts';
import type { Member } from '../../shared/model/member-cluster.ts';
import { planRun } from '../../shared/model/rebalance-policy/plan-run.ts';
import { type ClusterSights, isRunning, type PolicyState } from '../../shared/model/rebalance-policy/policy-run.ts';
import {
  problemsOf,
  type RebalancePolicy,
  rebalancePolicies,
} from '../../shared/model/rebalance-policy/rebalance-policy.ts';
import { scheduleName } from '../../shared/model/schedule-name.ts';
import { DAY } from '../../shared/model/time.ts';
import { count } from '../../shared/model/words.ts';
import type { Hub } from '../../shared/ports/hub.ts';
import type { Outcome, Ports, Surroundings } from '../../shared/ports/ports.ts';
import { type SetOff, setOff, whyNoRun } from './evaluate-policies.ts';
import { type Evaluation, type NewRun, newRun, whenToLook } from './new-run.ts';
import { observeClusters } from './observe-clusters.ts';
import { writeReport } from './write-report.ts';

type Uses = Pick<Ports, 'hubs' | 'policies' | 'bus' | 'schedule'> & Surroundings;

export const task = queueTask({
  hears: [RebalancePolicyChanged, ClusterChanged, PoliciesDue, ResyncDue],
  about: ({ hub }) => hub,
  run,
});

/** A policy with what is kept of it, and what has set it off. */
interface Evaluated {
  readonly policy: RebalancePolicy;
  readonly state: PolicyState;
  readonly problems: readonly string[];
  readonly off: SetOff;
  readonly whyNoRun: string | undefined;
}

async function run({ hub: name }: { hub: string }, ports: Uses): Promise<Outcome> {
  const hub = await ports.hubs.connect(name);
  const read = await readPolicies(hub);
  if ('reason' in read) return read;
  const states = new Map((await ports.policies.readStates(name)).map((state) => [state.uid, state]));
  await sayRunning([...states.values()], ports);
  await forget(states, read.policies, ports);
  if (read.policies.length === 0) return { reason: 'the hub has no RebalancePolicy', fields: { policies: 0 } };
  const members = await listMembers(hub);
  const sights = await see(name, members, ports);
  const evaluated = read.policies.map((policy) => evaluate(policy, { hub: name, states, members, sights }, ports));
  const planned = await plan(hub, { evaluated, members }, ports);
  const kept = await Promise.all(planned.map((each) => keep(newRun(each, ports.now()), ports)));
  const begun = kept.filter((state) => state !== undefined);
  // Of a run that was under way before, whoever takes it on reports.
  const ours = evaluated.filter(({ state }) => !isRunning(state));
  await Promise.all(ours.map(({ policy, problems }) => writeReport(hub, { policy, seen: policy, problems }, ports)));
  await lookAgain(name, planned, ports);
  const fields = { policies: evaluated.length, begun: begun.length };
  return { reason: `${count(begun.length, 'run')} planned`, fields };
}

/** Not every hub is set up for policies: one that lacks the kind, or our right to read it, is one without. That costs a request a look. */
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

/** Whatever happened, a run goes on: so a lost event, an edit and a deletion all reach it. */
async function sayRunning(states: readonly PolicyState[], { bus }: Uses): Promise<void> {
  await bus.publish(states.filter(isRunning).map(({ hub, uid, name }) => PolicyRunDue.of({ hub, uid, name })));
}

/** Of a policy that is gone nothing need be kept. */
async function forget(
  states: ReadonlyMap<string, PolicyState>,
  found: readonly RebalancePolicy[],
  { policies, now, settings }: Uses,
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
  { policies, now }: Uses,
): Promise<ClusterSights['clusters']> {
  const before = (await policies.readSights(hub)) ?? { hub, version: 0, clusters: {} };
  const clusters = observeClusters(before.clusters, members, now());
  if (JSON.stringify(clusters) === JSON.stringify(before.clusters)) return clusters;
  if (await policies.saveSights({ ...before, clusters })) return clusters;
  throw new Fault('retryable', `the clusters of ${hub} were looked at by another meanwhile`, {
    reason: 'LookedAtMeanwhile',
  });
}

function evaluate(
  policy: RebalancePolicy,
  around: {
    readonly hub: string;
    readonly states: ReadonlyMap<string, PolicyState>;
    readonly members: readonly Member[];
    readonly sights: ClusterSights['clusters'];
  },
  { now, telemetry }: Uses,
): Evaluated {
  const { hub, states } = around;
  const { expiresAt: _, ...state }: PolicyState = states.get(policy.uid) ?? {
    hub,
    uid: policy.uid,
    name: policy.name,
    version: 0,
    answered: { clusters: {} },
  };
  const problems = problemsOf(policy);
  if (problems.length > 0) telemetry.outcome('EK321', { hub, policy: policy.name, error: problems.join('; ') });
  const nothing = { triggers: [], passed: state.answered, lookAt: Number.POSITIVE_INFINITY };
  const off = problems.length > 0 ? nothing : setOff({ policy, answered: state.answered }, around, now());
  return { policy, state, problems, off, whyNoRun: whyNoRun(policy, state) };
}

/** Bindings are read only where some policy may act on them, and once for all of them. */
async function plan(
  hub: Hub,
  { evaluated, members }: { readonly evaluated: readonly Evaluated[]; readonly members: readonly Member[] },
  { now, newId }: Uses,
): Promise<readonly Evaluation[]> {
  const off = evaluated.filter(({ off: { triggers }, whyNoRun: why }) => triggers.length > 0 && why === undefined);
  const fleet = off.length === 0 ? undefined : await listFleet(hub, members);
  const around = fleet && aroundOf(fleet, now());
  const priorities = await listPriorities(
    hub,
    off.map(({ policy }) => policy),
  );
  return evaluated.map((each): Evaluation => {
    const { policy } = each;
    const { triggers } = each.off;
    const planned =
      around && fleet && off.includes(each)
        ? planRun({ policy, triggers, candidates: fleet.candidates, around, priorities })
        : undefined;
    return { ...each, planned, id: newId() };
  });
}

/** The rows first: nobody reads them before the state names their run. Gives the state where a run is to begin. */
async function keep(
  next: NewRun | undefined,
  { policies, bus, now, settings }: Uses,
): Promise<PolicyState | undefined> {
  if (next === undefined) return undefined;
  const { state, waves, skipped } = next;
  const expiresAt = now() + settings.historyDays * DAY;
  await Promise.all([
    ...waves.map((wave) => policies.writeWave(wave, state.version, expiresAt)),
    ...skipped.map((chunk) => policies.writeSkipped(chunk, expiresAt)),
  ]);
  // Whoever was first has planned the same.
  if (!(await policies.saveState(state))) return undefined;
  const { hub, uid, name, run } = state;
  if (run === undefined || next.record === undefined) return undefined;
  await policies.recordRun(hub, next.record, expiresAt);
  if (isRunning(state)) await bus.publish([PolicyRunDue.of({ hub, uid, name })]);
  return state;
}

async function lookAgain(hub: string, planned: readonly Evaluation[], { schedule, now }: Uses): Promise<void> {
  const at = Math.min(...planned.map((each) => whenToLook(each, now())));
  if (at === Number.POSITIVE_INFINITY) return;
  await schedule.put(scheduleName('policies', { hub, uid: '' }), at, PoliciesDue.of({ hub }));
}

export const handler = onQueue(task, { hubs: awsHubs, policies: awsPolicies, bus: awsBus, schedule: awsSchedule });
