/** Consumes PolicyRunDue: observes the wave in flight, or starts the next one with its own WorkloadRebalancer. */
import { awsMoveLedger } from '../../shared/aws/dynamodb/dynamodb-move-ledger.ts';
import { awsPolicies } from '../../shared/aws/dynamodb/dynamodb-policy-store.ts';
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { awsSchedule } from '../../shared/aws/eventbridge-schedule.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { PoliciesDue, PolicyRunDue, WorkloadRebalancerChanged } from '../../shared/bus/catalogue.ts';
import { writeSchedule } from '../../shared/bus/write-schedule.ts';
import { groupBy } from '../../shared/core/group-by.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { DAY, type Instant, SECOND } from '../../shared/core/time.ts';
import type { Member } from '../../shared/karmada/member-cluster.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { listAll } from '../../shared/kubernetes/list-all.ts';
import { clusterScoped } from '../../shared/kubernetes/object-event.ts';
import { writeEvent } from '../../shared/kubernetes/write-event.ts';
import { withinBudget } from '../../shared/move-budget/write-grants.ts';
import { policyKind } from '../../shared/rebalance-policy/cluster-drain.ts';
import { healthKind } from '../../shared/rebalance-policy/health-expression.ts';
import {
  hasRun,
  isRunning,
  type PolicyKey,
  type PolicyState,
  type PolicyWithRun,
  recordOf,
  type Wave,
  type WaveInFlight,
} from '../../shared/rebalance-policy/policy-run.ts';
import { getBindings, getFleet, listMembers } from '../../shared/rebalance-policy/read-fleet.ts';
import type { RebalancePolicy } from '../../shared/rebalance-policy/rebalance-policy.ts';
import { type PolicyStatusWrite, writePolicyStatus } from '../../shared/rebalance-policy/write-policy-status.ts';
import { emit } from '../../shared/runtime/emit.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import { POLICY_LABEL, workloadRebalancers } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import {
  deleted,
  endOfLateWave,
  endOfRejectedWave,
  nextStep,
  startWave,
  storedWave,
  type Wait,
  waveResult,
  waveTimes,
} from './advance-run.ts';
import { fillWave, movingIn, releasedWith, withLeases } from './fill-wave.ts';
import { observeWave, scoresOf, unhealthyAmong } from './observe-wave.ts';
import { eventOfEnd, type PolicyReport, statusChange, telemetryOfEnd } from './report-policy.ts';
import { type End, rebalancerCreated, runEnded } from './run-transitions.ts';
import { rebalancerName, rejectionOf, uidOfExisting, waveRebalancer } from './wave-rebalancer.ts';

const factories = {
  hubs: awsHubs,
  policies: awsPolicies,
  bus: awsBus,
  schedule: awsSchedule,
  ledger: awsMoveLedger,
};
type AdvanceRunContext = ContextOf<typeof factories>;

export const task = queueTask({ consumes: [PolicyRunDue], run });

/** A run in progress, and its inputs. */
interface CurrentRun {
  readonly hub: Hub;
  readonly policy: RebalancePolicy;
  readonly state: PolicyWithRun;
  readonly ports: AdvanceRunContext;
}

async function run(
  { name, ...key }: PolicyKey & { readonly name: string },
  ports: AdvanceRunContext,
): Promise<Outcome> {
  const state = await ports.policies.readState(key);
  if (!hasRun(state)) return { reason: 'the policy has no run' };
  const hub = await ports.hubs.connect(key.hub);
  // The function that ended it may have crashed before it reported the end.
  if (!isRunning(state)) return reportEnd(hub, state, ports);
  const policy = await hub.get(policyKind(state), { namespace: '', name });
  if (policy?.uid !== key.uid) return end(hub, { state, end: deleted }, ports);
  const current = { hub, policy, state, ports };
  const members = state.run.inFlight ? [] : await listMembers(hub);
  const next = nextStep(state.run, { policy, members }, ports.now());
  switch (next.step) {
    case 'End':
      return end(hub, { state, end: next.end }, ports);
    case 'Wait':
      return wait(current, next.wait);
    case 'Start':
      return start(current, members);
    case 'Create':
      return create(current, next.inFlight);
    case 'Observe':
      return observe(current, await readWave(current), next.inFlight);
  }
}

async function wait(
  { hub, policy, state, ports }: CurrentRun,
  { until, objectEvent, ...outcome }: Wait,
): Promise<Outcome> {
  const { uid, name } = state;
  const event = PolicyRunDue.of({ hub: hub.name, uid, name });
  await writeSchedule(ports.schedule, { purpose: 'policy-run', hub: hub.name, uid, at: until }, event);
  if (objectEvent !== undefined)
    await writeEvent(hub, clusterScoped(policyKind(state), state), { objectEvent, now: ports.now() });
  await report(hub, { policy, seen: policy, waiting: outcome.reason }, ports);
  return outcome;
}

/** Evaluates the wave again, takes leases, and stores the wave; its rebalancer is created by the next delivery. */
async function start(current: CurrentRun, members: readonly Member[]): Promise<Outcome> {
  const { hub, policy, state, ports } = current;
  const { hubs, policies, now, settings } = ports;
  const wave = await readWave(current);
  const { unfinished = [] } = state.run;
  const { candidates, switches } = await getFleet(hub, [
    ...wave.workloads.map(({ binding }) => binding),
    ...unfinished,
  ]);
  const inputs = {
    policy,
    run: state.run,
    candidates,
    hub: { members, switches, now: now(), failback: await hubs.uses(hub.name, 'failback') },
    rebalancers: await listAll(hub, workloadRebalancers, ({ uid }) => uid, { labelSelector: `!${POLICY_LABEL}` }),
    rebalancer: rebalancerName(policy.name, state.run, wave.number),
  };
  const filled = await withinBudget(
    hub,
    {
      namespaces: new Set(candidates.map(({ binding }) => binding.metadata.namespace)),
      decide: (budget, disruptions) => fillWave(wave.workloads, { ...inputs, disruptions }, budget),
      // A drain holds each replica until its replacement is ready.
      ...(policy.drains === undefined && { candidates }),
    },
    ports,
  );
  const startedAt = now();
  const { readyBy, leasedUntil } = waveTimes(policy, startedAt);
  const lease = { run: state.run.run, until: leasedUntil };
  const leased = await Promise.all(
    movingIn(filled).map(({ binding }) => policies.takeLease(hub.name, binding, lease, now())),
  );
  const { workloads } = await keep(current, { ...wave, workloads: withLeases(filled, leased) });
  const retryAt = startedAt + settings.policyLookSeconds * SECOND;
  const { next, postponed, outcome } = startWave(state, { wave, workloads }, { startedAt, readyBy, retryAt });
  await Promise.all(postponed.map((each) => keep(current, each)));
  return save(next, ports, async () => {
    await publishNext(state, ports);
    return outcome;
  });
}

/** Created once: a redelivery finds it by name. The event is published until its uid is stored, because the hook ignores our own writes. */
async function create(current: CurrentRun, inFlight: WaveInFlight): Promise<Outcome> {
  const { hub, policy, state, ports } = current;
  const wave = await readWave(current);
  const name = inFlight.rebalancer;
  const created = await hub.create(workloadRebalancers, waveRebalancer(policy, state.run, wave)).catch(rejectionOf);
  if (typeof created === 'string') {
    await release(hub, wave, ports);
    return end(hub, { state, end: endOfRejectedWave(state.run, policy, created) }, ports);
  }
  const uid =
    created.result === 'done'
      ? created.object.uid
      : uidOfExisting(await hub.get(workloadRebalancers, { namespace: '', name }), name, wave);
  await ports.bus.publish([WorkloadRebalancerChanged.of({ hub: hub.name, name })]);
  const next = rebalancerCreated(state, inFlight, uid);
  const saved = { ...next, version: state.version + 1 };
  return save(next, ports, () => observe({ ...current, state: saved }, wave, { ...inFlight, rebalancerUid: uid }));
}

async function observe(current: CurrentRun, wave: Wave, inFlight: WaveInFlight): Promise<Outcome> {
  const { hub, policy, state, ports } = current;
  const { now, settings } = ports;
  // Before the bindings: read after them, it could be finished by a scheduling that they do not show yet.
  const rebalancer = await hub.get(workloadRebalancers, { namespace: '', name: inFlight.rebalancer });
  const bindings = await getBindings(
    hub,
    movingIn(wave.workloads).map(({ binding }) => binding),
  );
  const unhealthy = await readUnhealthy(current, wave);
  const progress = observeWave(wave.workloads, inFlight, { bindings, rebalancer, unhealthy });
  const checkAgainAt = now() + settings.policyLookSeconds * SECOND;
  const result = waveResult(state, { wave, inFlight, progress }, { policy, now: now(), checkAgainAt });
  if (result.wait) return wait(current, result.wait);
  const { done, outcome } = result;
  await keep(current, { ...wave, workloads: progress.workloads });
  await release(hub, wave, ports);
  if (result.isLate) {
    const late = endOfLateWave(state.run, progress, { policy, members: await listMembers(hub) });
    return end(hub, { state: done, end: late }, ports);
  }
  return save(done, ports, async () => {
    ports.telemetry.count('ReplicasMovedByPolicies', progress.moved, { hub: hub.name });
    for (const score of scoresOf(progress)) ports.telemetry.count('ScoreOfMovesByPrice', score, { hub: hub.name });
    await publishNext(state, ports);
    await report(hub, { policy, seen: policy }, ports);
    return outcome;
  });
}

/** Reads the bindings once more, with all that members report, if the policy has an expression. */
async function readUnhealthy({ hub, policy }: CurrentRun, wave: Wave): Promise<ReadonlyMap<string, string>> {
  const { healthy } = policy.spec.strategy.waves;
  if (healthy === undefined) return new Map();
  const keys = movingIn(wave.workloads).map(({ binding }) => binding);
  const found = await Promise.all([...groupBy(keys, healthKind)].map(([kind, of]) => hub.getMany(kind, of)));
  return unhealthyAmong(healthy, new Map(found.flatMap((each) => [...each])));
}

function end(
  hub: Hub,
  { state, end: how }: { readonly state: PolicyWithRun; readonly end: End },
  ports: AdvanceRunContext,
): Promise<Outcome> {
  const next = runEnded(state, how, ports.now());
  return save(next, ports, () => reportEnd(hub, next, ports));
}

/** For users, and for policies that wait for the end; repeated reports are harmless. */
async function reportEnd(hub: Hub, state: PolicyWithRun, ports: AdvanceRunContext): Promise<Outcome> {
  const { name, run } = state;
  emit(ports.telemetry, telemetryOfEnd(hub.name, name, run));
  await ports.policies.recordRun(hub.name, recordOf(state, run), expiryOf(ports));
  const unsaid = await writeEvent(hub, clusterScoped(policyKind(state), state), eventOfEnd(run, ports.now()));
  await report(hub, { policy: state }, ports);
  await ports.bus.publish([PoliciesDue.of({ hub: hub.name })]);
  return { reason: `${run.state}: ${run.message}`, fields: { moved: run.moved, skipped: run.skipped, unsaid } };
}

async function save(
  state: PolicyWithRun,
  { policies }: AdvanceRunContext,
  then: () => Promise<Outcome>,
): Promise<Outcome> {
  return (await policies.saveState(state)) ? then() : { reason: 'another delivery was first' };
}

/** If another delivery was first, its row applies to both. */
function keep({ state, ports }: CurrentRun, wave: Wave): Promise<Wave> {
  return ports.policies.writeWave(wave, state.version, expiryOf(ports));
}

async function readWave({ state: { hub, uid, run }, ports }: CurrentRun): Promise<Wave> {
  return storedWave(await ports.policies.readWave({ hub, uid, run: run.run }, run.wavesDone), run);
}

async function release(hub: Hub, wave: Wave, { policies }: AdvanceRunContext): Promise<void> {
  await Promise.all(releasedWith(wave).map(({ binding }) => policies.releaseLease(hub.name, binding, wave.run)));
}

function report(
  hub: Hub,
  { waiting, ...policy }: Pick<PolicyStatusWrite, 'policy' | 'seen'> & Pick<PolicyReport, 'waiting'>,
  { policies, now }: AdvanceRunContext,
): Promise<void> {
  return writePolicyStatus(hub, { ...policy, change: statusChange({ waiting }, now()) }, policies);
}

function publishNext({ hub, uid, name }: PolicyState, { bus }: AdvanceRunContext): Promise<void> {
  return bus.publish([PolicyRunDue.of({ hub, uid, name })]);
}

function expiryOf({ now, settings }: AdvanceRunContext): Instant {
  return now() + settings.historyDays * DAY;
}

export const handler = onQueue(task, factories);
