/** Consumes PolicyRunDue: observes the wave in flight, or starts the next one with its own WorkloadRebalancer. */
import { awsPolicies } from '../../shared/adapters/dynamodb/dynamodb-policy-store.ts';
import { awsBus } from '../../shared/adapters/eventbridge/eventbridge-bus.ts';
import { awsSchedule } from '../../shared/adapters/scheduler/eventbridge-schedule.ts';
import { awsHubs } from '../../shared/adapters/secrets-manager/secret-hubs.ts';
import { listAll } from '../../shared/edge/list-all.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { evaluationContextOf, getBindings, getFleet, listMembers } from '../../shared/edge/read-fleet.ts';
import { writeEvent } from '../../shared/edge/write-event.ts';
import { PoliciesDue, PolicyRunDue, WorkloadRebalancerChanged } from '../../shared/events/catalogue.ts';
import { scheduleName } from '../../shared/model/digest.ts';
import { Fault } from '../../shared/model/fault.ts';
import type { Member } from '../../shared/model/member-cluster.ts';
import { keyText } from '../../shared/model/object-key.ts';
import { limitsOf } from '../../shared/model/rebalance-policy/plan-run.ts';
import {
  isLeftAlone,
  type PolicyKey,
  type PolicyRun,
  type PolicyState,
  type Wave,
} from '../../shared/model/rebalance-policy/policy-run.ts';
import {
  durationMs,
  type RebalancePolicy,
  rebalancePolicies,
} from '../../shared/model/rebalance-policy/rebalance-policy.ts';
import { DAY, type Instant, SECOND } from '../../shared/model/time.ts';
import { count } from '../../shared/model/words.ts';
import { workloadRebalancers } from '../../shared/model/workload-rebalancer.ts';
import type { EventBus } from '../../shared/ports/event-bus.ts';
import type { Hub, Hubs } from '../../shared/ports/hub.ts';
import type { InvocationContext, Outcome } from '../../shared/ports/invocation.ts';
import type { OneTimeSchedule } from '../../shared/ports/one-time-schedule.ts';
import type { PolicyStore } from '../../shared/ports/policy-store.ts';
import { deleted, endOfLateWave, endOfRejectedWave, nextStep } from './advance-run.ts';
import { fillWave, manualRebalancersAtWork } from './fill-wave.ts';
import { hold, release } from './hold-workloads.ts';
import { madeOrFound } from './made-or-found.ts';
import { observeWave } from './observe-wave.ts';
import { type End, recordOf, runEnded, waveDone, waveHeld, waveStarted } from './run-transitions.ts';
import { rebalancerName, waveRebalancer } from './wave-rebalancer.ts';
import { writeReport } from './write-report.ts';

interface AdvanceRunContext extends InvocationContext {
  readonly hubs: Hubs;
  readonly policies: PolicyStore;
  readonly bus: EventBus;
  readonly schedule: OneTimeSchedule;
}

/** Longer than a wave may take, so that the lease outlives every check of the wave. */
const LEASE_MARGIN = 600 * SECOND;

export const task = queueTask({ consumes: [PolicyRunDue], run });

/** A run in progress, and its inputs. */
interface CurrentRun {
  readonly hub: Hub;
  readonly policy: RebalancePolicy;
  readonly state: PolicyState;
  readonly run: PolicyRun;
  readonly ports: AdvanceRunContext;
}

async function run(
  { name, ...key }: PolicyKey & { readonly name: string },
  ports: AdvanceRunContext,
): Promise<Outcome> {
  const state = await ports.policies.readState(key);
  if (state?.run === undefined) return { reason: 'the policy has no run' };
  const hub = await ports.hubs.connect(key.hub);
  // The function that ended it may have crashed before it reported the end.
  if (state.run.state !== 'Running') return reportEnd(hub, state, { run: state.run, ports });
  const policy = await hub.get(rebalancePolicies, { namespace: '', name });
  if (policy?.uid !== key.uid) return end(hub, state, { run: state.run, end: deleted, ports });
  const current = { hub, policy, state, run: state.run, ports };
  const members = state.run.inFlight ? [] : await listMembers(hub);
  const next = nextStep(state.run, { policy, isHealthy: healthyAmong(members) }, ports.now());
  switch (next.step) {
    case 'End':
      return end(hub, state, { run: state.run, end: next.end, ports });
    case 'Look':
      return observe(current);
    case 'Start':
      return start(current, members);
    case 'Wait':
      if (next.until !== undefined) await comeBack(current, next.until);
      await writeReport(hub, { policy, seen: policy, problems: [], waiting: next.message }, ports);
      return { reason: next.message };
  }
}

function healthyAmong(members: readonly Member[]): (cluster: string) => boolean {
  const healthy = new Set(members.flatMap((member) => (member.healthy ? [member.cluster.name] : [])));
  return (cluster) => healthy.has(cluster);
}

async function comeBack({ state: { hub, uid, name }, ports }: CurrentRun, at: Instant): Promise<void> {
  await ports.schedule.put(scheduleName('policy-run', { hub, uid }), at, PolicyRunDue.of({ hub, uid, name }));
}

/** Evaluates the wave again, takes leases, stores the wave, then starts it. */
async function start(current: CurrentRun, members: readonly Member[]): Promise<Outcome> {
  const { hub, policy, state, run, ports } = current;
  const { now, settings } = ports;
  const wave = await readWave(current);
  const fleet = await getFleet(
    hub,
    members,
    wave.workloads.map(({ binding }) => binding),
  );
  const candidates = new Map(fleet.candidates.map((each) => [keyText(each.binding.metadata), each]));
  const filled = fillWave(wave.workloads, {
    policy,
    triggers: run.triggers,
    candidates,
    context: evaluationContextOf(fleet, now()),
    manualRebalancers: manualRebalancersAtWork(await listAll(hub, workloadRebalancers, ({ uid }) => uid)),
    replicas: limitsOf(policy.spec.strategy, wave.workloads.length).replicas,
  });
  const startedAt = now();
  const readyBy = startedAt + durationMs(policy.spec.strategy.waves.readyWithin);
  const held = await hold(filled, { hub: state.hub, run: run.run, until: readyBy + LEASE_MARGIN }, ports);
  const { workloads } = await keep(current, { ...wave, workloads: held });
  const later = workloads.filter(({ outcome }) => outcome === 'PutOff');
  const moving = workloads.filter(({ outcome }) => outcome === 'Moving').length;
  const skipped = workloads.length - later.length - moving - settledBefore(wave);
  const inFlight = { rebalancer: rebalancerName(policy.name, run, wave.number), startedAt, readyBy };
  const next =
    moving > 0
      ? waveStarted(state, run, { inFlight, skipped, later: later.length })
      : waveHeld(state, run, {
          skipped,
          later: later.length,
          notBefore: startedAt + settings.policyLookSeconds * SECOND,
        });
  if (moving > 0 && later.length > 0) await keep(current, { ...wave, number: run.waves, workloads: later });
  if (!(await ports.policies.saveState(next))) return { reason: 'another delivery was first' };
  await publishNext(state, ports);
  return {
    reason: `wave ${wave.number + 1} of ${run.waves}: ${count(moving, 'workload')} to move`,
    fields: { moving },
  };
}

/** Workloads settled in an earlier attempt of the wave. */
function settledBefore({ workloads }: Wave): number {
  return workloads.filter(isLeftAlone).length;
}

async function observe(current: CurrentRun): Promise<Outcome> {
  const { hub, policy, ports } = current;
  const wave = await readWave(current);
  const made = await makeRebalancer(current, wave);
  if (made === undefined) return { reason: 'another delivery was first' };
  if ('rejection' in made) {
    await release(wave, ports);
    return end(hub, current.state, {
      run: current.run,
      end: endOfRejectedWave(current.run, policy, made.rejection),
      ports,
    });
  }
  const { state, run, inFlight } = made;
  // Before the bindings: read after them, it could be finished by a scheduling that they do not show yet.
  const rebalancer = await hub.get(workloadRebalancers, { namespace: '', name: inFlight.rebalancer });
  const bindings = await getBindings(
    hub,
    wave.workloads.flatMap(({ outcome, binding }) => (outcome === 'Moving' ? [binding] : [])),
  );
  const ours = rebalancer?.uid === inFlight.rebalancerUid ? rebalancer : undefined;
  const progress = observeWave(wave.workloads, inFlight, { bindings, rebalancer: ours });
  const late = progress.waitingFor.length > 0 && ports.now() >= inFlight.readyBy;
  if (progress.waitingFor.length > 0 && !late) {
    await comeBack(current, Math.min(ports.now() + ports.settings.policyLookSeconds * SECOND, inFlight.readyBy));
    const waiting = `wave ${wave.number + 1} of ${run.waves}: ${count(progress.waitingFor.length, 'workload')} not ready yet`;
    await writeReport(hub, { policy, seen: policy, problems: [], waiting }, ports);
    return { reason: waiting, fields: { first: progress.waitingFor[0] } };
  }
  await keep({ ...current, state }, { ...wave, workloads: progress.workloads });
  await release(wave, ports);
  const notBefore = ports.now() + durationMs(policy.spec.strategy.waves.pause);
  const done = waveDone(state, run, { moved: progress.moved, notBefore });
  if (late) {
    const lateEnd = endOfLateWave(run, progress, { policy, isHealthy: healthyAmong(await listMembers(hub)) });
    return end(hub, done, { run: done.run, end: lateEnd, ports });
  }
  if (!(await ports.policies.saveState(done))) return { reason: 'another delivery was first' };
  ports.telemetry.count('ReplicasMovedByPolicies', progress.moved, { hub: hub.name });
  await publishNext(state, ports);
  await writeReport(hub, { policy, seen: policy, problems: [] }, ports);
  return { reason: `wave ${wave.number + 1} of ${run.waves} is ready`, fields: { moved: progress.moved } };
}

/** Created once: a redelivery finds it by name. The event is published until its uid is stored, because the hook ignores our own writes. */
async function makeRebalancer({ hub, policy, state, run, ports }: CurrentRun, wave: Wave) {
  const { inFlight } = run;
  if (inFlight === undefined) return undefined;
  if (inFlight.rebalancerUid !== undefined) return { state, run, inFlight };
  const { uid, rejection } = await madeOrFound(hub, waveRebalancer(policy, run, wave), wave);
  if (uid === undefined) return { rejection };
  await ports.bus.publish([WorkloadRebalancerChanged.of({ hub: hub.name, name: inFlight.rebalancer })]);
  const known = { ...inFlight, rebalancerUid: uid };
  const next = { ...state, run: { ...run, inFlight: known } };
  if (!(await ports.policies.saveState(next))) return undefined;
  return { state: { ...next, version: state.version + 1 }, run: next.run, inFlight: known };
}

async function end(
  hub: Hub,
  state: PolicyState,
  { run, end: how, ports }: { readonly run: PolicyRun; readonly end: End; readonly ports: AdvanceRunContext },
): Promise<Outcome> {
  const next = runEnded(state, run, { end: how, now: ports.now() });
  if (!(await ports.policies.saveState(next))) return { reason: 'another delivery was first' };
  return reportEnd(hub, next, { run: next.run, ports });
}

/** For users, and for policies that wait for the end; repeated reports are harmless. */
async function reportEnd(
  hub: Hub,
  state: PolicyState,
  { run, ports }: { readonly run: PolicyRun; readonly ports: AdvanceRunContext },
): Promise<Outcome> {
  const { uid, name } = state;
  if (run.state === 'Stopped') {
    ports.telemetry.outcome('EK320', { hub: hub.name, policy: name, run: run.run, error: run.message });
    ports.telemetry.count('PolicyRunsStopped', 1, { hub: hub.name });
  }
  await ports.policies.recordRun(hub.name, recordOf(state, run), expiryOf(ports));
  const type = run.state === 'Stopped' ? 'Warning' : 'Normal';
  const objectEvent = {
    type,
    reason: `Run${run.state}`,
    message: run.message,
    id: rebalancerName('run', run, 0),
  } as const;
  const regarding = { kind: rebalancePolicies, key: { namespace: '', name }, uid };
  const unsaid = await writeEvent(hub, regarding, { objectEvent, now: run.finishedAt ?? ports.now() });
  await writeReport(hub, { policy: { name, uid }, problems: [] }, ports);
  await ports.bus.publish([PoliciesDue.of({ hub: hub.name })]);
  return { reason: `${run.state}: ${run.message}`, fields: { moved: run.moved, skipped: run.skipped, unsaid } };
}

/** If another delivery was first, its row applies to both. */
function keep({ state, ports }: CurrentRun, wave: Wave): Promise<Wave> {
  return ports.policies.writeWave(wave, state.version, expiryOf(ports));
}

async function readWave({ state: { hub, uid }, run, ports }: CurrentRun): Promise<Wave> {
  const at = { hub, uid, run: run.run };
  const wave = await ports.policies.readWave(at, run.wavesDone);
  if (wave !== undefined) return wave;
  throw new Fault('retryable', `wave ${run.wavesDone} of run ${run.run} is not in the table`, { reason: 'WaveLost' });
}

function publishNext({ hub, uid, name }: PolicyState, { bus }: AdvanceRunContext): Promise<void> {
  return bus.publish([PolicyRunDue.of({ hub, uid, name })]);
}

function expiryOf({ now, settings }: AdvanceRunContext): Instant {
  return now() + settings.historyDays * DAY;
}

export const handler = onQueue(task, { hubs: awsHubs, policies: awsPolicies, bus: awsBus, schedule: awsSchedule });
