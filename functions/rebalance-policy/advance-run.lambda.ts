/** Hears that a policy's run can go on; looks at the wave in flight, or starts the next one by a WorkloadRebalancer of its own. */
import { awsBus, awsHubs, awsPolicies, awsSchedule } from '../../shared/edge/aws-ports.ts';
import { listAll } from '../../shared/edge/list-all.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { aroundOf, getBindings, getFleet, listMembers } from '../../shared/edge/read-fleet.ts';
import { writeNotice } from '../../shared/edge/write-notice.ts';
import { PoliciesDue } from '../../shared/events/catalogue/policies-due.ts';
import { PolicyRunDue } from '../../shared/events/catalogue/policy-run-due.ts';
import { WorkloadRebalancerChanged } from '../../shared/events/catalogue/workload-rebalancer-changed.ts';
import { Fault } from '../../shared/model/fault.ts';
import type { Member } from '../../shared/model/member-cluster.ts';
import { keyText } from '../../shared/model/object-key.ts';
import { limitsOf } from '../../shared/model/rebalance-policy/plan-run.ts';
import type { PolicyKey, PolicyRun, PolicyState, Wave } from '../../shared/model/rebalance-policy/policy-run.ts';
import {
  durationMs,
  type RebalancePolicy,
  rebalancePolicies,
} from '../../shared/model/rebalance-policy/rebalance-policy.ts';
import { scheduleName } from '../../shared/model/schedule-name.ts';
import { DAY, type Instant, SECOND } from '../../shared/model/time.ts';
import { count } from '../../shared/model/words.ts';
import { workloadRebalancers } from '../../shared/model/workload-rebalancer.ts';
import type { Hub } from '../../shared/ports/hub.ts';
import type { Outcome, Ports, Surroundings } from '../../shared/ports/ports.ts';
import { deleted, endOfLateWave, endOfRefusedWave, nextStep } from './advance-run.ts';
import { fillWave, personsAtWork } from './fill-wave.ts';
import { hold, release } from './hold-workloads.ts';
import { lookAtWave } from './look-at-wave.ts';
import { madeOrFound } from './made-or-found.ts';
import { type End, recordOf, runEnded, waveDone, waveHeld, waveStarted } from './run-transitions.ts';
import { rebalancerName, waveRebalancer } from './wave-rebalancer.ts';
import { writeReport } from './write-report.ts';

type Uses = Pick<Ports, 'hubs' | 'policies' | 'bus' | 'schedule'> & Surroundings;

/** Longer than a wave may take, so that a lease outlives every look at it. */
const LEASE_MARGIN = 600 * SECOND;

export const task = queueTask({ hears: [PolicyRunDue], run });

/** A run that can go on, and what it goes by. */
interface Going {
  readonly hub: Hub;
  readonly policy: RebalancePolicy;
  readonly state: PolicyState;
  readonly run: PolicyRun;
  readonly ports: Uses;
}

async function run({ name, ...key }: PolicyKey & { readonly name: string }, ports: Uses): Promise<Outcome> {
  const state = await ports.policies.readState(key);
  if (state?.run === undefined) return { reason: 'the policy has no run' };
  const hub = await ports.hubs.connect(key.hub);
  // Whoever ended it may have died before it told.
  if (state.run.state !== 'Running') return tellEnd(hub, state, { run: state.run, ports });
  const policy = await hub.get(rebalancePolicies, { namespace: '', name });
  if (policy?.uid !== key.uid) return end(hub, state, { run: state.run, end: deleted, ports });
  const going = { hub, policy, state, run: state.run, ports };
  const members = state.run.inFlight ? [] : await listMembers(hub);
  const next = nextStep(state.run, { policy, isWell: wellAmong(members) }, ports.now());
  switch (next.step) {
    case 'End':
      return end(hub, state, { run: state.run, end: next.end, ports });
    case 'Look':
      return look(going);
    case 'Start':
      return start(going, members);
    case 'Wait':
      if (next.until !== undefined) await comeBack(going, next.until);
      await writeReport(hub, { policy, seen: policy, problems: [], waiting: next.message }, ports);
      return { reason: next.message };
  }
}

function wellAmong(members: readonly Member[]): (cluster: string) => boolean {
  const well = new Set(members.flatMap((member) => (member.well ? [member.cluster.name] : [])));
  return (cluster) => well.has(cluster);
}

async function comeBack({ state: { hub, uid, name }, ports }: Going, at: Instant): Promise<void> {
  await ports.schedule.put(scheduleName('policy-run', { hub, uid }), at, PolicyRunDue.of({ hub, uid, name }));
}

/** The wave is judged anew, then taken for this run, then kept as it is to move, then moved. */
async function start(going: Going, members: readonly Member[]): Promise<Outcome> {
  const { hub, policy, state, run, ports } = going;
  const { now, settings } = ports;
  const wave = await readWave(going);
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
    around: aroundOf(fleet, now()),
    persons: personsAtWork(await listAll(hub, workloadRebalancers, ({ uid }) => uid)),
    replicas: limitsOf(policy.spec.strategy, wave.workloads.length).replicas,
  });
  const startedAt = now();
  const readyBy = startedAt + durationMs(policy.spec.strategy.waves.readyWithin);
  const held = await hold(filled, { hub: state.hub, run: run.run, until: readyBy + LEASE_MARGIN }, ports);
  const { workloads } = await keep(going, { ...wave, workloads: held });
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
  if (moving > 0 && later.length > 0) await keep(going, { ...wave, number: run.waves, workloads: later });
  if (!(await ports.policies.saveState(next))) return { reason: 'another delivery was first' };
  await sayOn(state, ports);
  return {
    reason: `wave ${wave.number + 1} of ${run.waves}: ${count(moving, 'workload')} to move`,
    fields: { moving },
  };
}

/** Those that were settled when the wave was tried before. */
function settledBefore({ workloads }: Wave): number {
  return workloads.filter(({ outcome }) => outcome === 'Skipped' || outcome === 'Gone').length;
}

async function look(going: Going): Promise<Outcome> {
  const { hub, policy, ports } = going;
  const wave = await readWave(going);
  const made = await makeRebalancer(going, wave);
  if (made === undefined) return { reason: 'another delivery was first' };
  if ('refusal' in made) {
    await release(wave, ports);
    return end(hub, going.state, { run: going.run, end: endOfRefusedWave(going.run, policy, made.refusal), ports });
  }
  const { state, run, inFlight } = made;
  const bindings = await getBindings(
    hub,
    wave.workloads.flatMap(({ outcome, binding }) => (outcome === 'Moving' ? [binding] : [])),
  );
  const rebalancer = await hub.get(workloadRebalancers, { namespace: '', name: inFlight.rebalancer });
  const ours = rebalancer?.uid === inFlight.rebalancerUid ? rebalancer : undefined;
  const looked = lookAtWave(wave.workloads, inFlight, { bindings, rebalancer: ours });
  const late = looked.waitingFor.length > 0 && ports.now() >= inFlight.readyBy;
  if (looked.waitingFor.length > 0 && !late) {
    await comeBack(going, Math.min(ports.now() + ports.settings.policyLookSeconds * SECOND, inFlight.readyBy));
    const waiting = `wave ${wave.number + 1} of ${run.waves}: ${count(looked.waitingFor.length, 'workload')} not ready yet`;
    await writeReport(hub, { policy, seen: policy, problems: [], waiting }, ports);
    return { reason: waiting, fields: { first: looked.waitingFor[0] } };
  }
  await keep({ ...going, state }, { ...wave, workloads: looked.workloads });
  await release(wave, ports);
  const notBefore = ports.now() + durationMs(policy.spec.strategy.waves.pause);
  const done = waveDone(state, run, { moved: looked.moved, notBefore });
  if (late) {
    const lateEnd = endOfLateWave(run, looked, { policy, isWell: wellAmong(await listMembers(hub)) });
    return end(hub, done, { run: done.run, end: lateEnd, ports });
  }
  if (!(await ports.policies.saveState(done))) return { reason: 'another delivery was first' };
  ports.telemetry.count('ReplicasMovedByPolicies', looked.moved, { hub: hub.name });
  await sayOn(state, ports);
  await writeReport(hub, { policy, seen: policy, problems: [] }, ports);
  return { reason: `wave ${wave.number + 1} of ${run.waves} is ready`, fields: { moved: looked.moved } };
}

/** Made once: who comes again finds it under its name. Said each time until its uid is kept, for our own writes no hook tells of. */
async function makeRebalancer({ hub, policy, state, run, ports }: Going, wave: Wave) {
  const { inFlight } = run;
  if (inFlight === undefined) return undefined;
  if (inFlight.rebalancerUid !== undefined) return { state, run, inFlight };
  const { uid, refusal } = await madeOrFound(hub, waveRebalancer(policy, run, wave), wave);
  if (uid === undefined) return { refusal };
  await ports.bus.publish([WorkloadRebalancerChanged.of({ hub: hub.name, name: inFlight.rebalancer })]);
  const known = { ...inFlight, rebalancerUid: uid };
  const next = { ...state, run: { ...run, inFlight: known } };
  if (!(await ports.policies.saveState(next))) return undefined;
  return { state: { ...next, version: state.version + 1 }, run: next.run, inFlight: known };
}

async function end(
  hub: Hub,
  state: PolicyState,
  { run, end: how, ports }: { readonly run: PolicyRun; readonly end: End; readonly ports: Uses },
): Promise<Outcome> {
  const next = runEnded(state, run, { end: how, now: ports.now() });
  if (!(await ports.policies.saveState(next))) return { reason: 'another delivery was first' };
  return tellEnd(hub, next, { run: next.run ?? run, ports });
}

/** For people, and for what waits for its end; telling twice changes nothing. */
async function tellEnd(
  hub: Hub,
  state: PolicyState,
  { run, ports }: { readonly run: PolicyRun; readonly ports: Uses },
): Promise<Outcome> {
  const { uid, name } = state;
  if (run.state === 'Stopped') {
    ports.telemetry.outcome('EK320', { hub: hub.name, policy: name, run: run.run, error: run.message });
    ports.telemetry.count('PolicyRunsStopped', 1, { hub: hub.name });
  }
  await ports.policies.recordRun(hub.name, recordOf(state, run), expiryOf(ports));
  const type = run.state === 'Stopped' ? 'Warning' : 'Normal';
  const notice = { type, reason: `Run${run.state}`, message: run.message, id: rebalancerName('run', run, 0) } as const;
  const regarding = { kind: rebalancePolicies, key: { namespace: '', name }, uid };
  const unsaid = await writeNotice(hub, regarding, { notice, now: run.finishedAt ?? ports.now() });
  await writeReport(hub, { policy: { name, uid }, problems: [] }, ports);
  await ports.bus.publish([PoliciesDue.of({ hub: hub.name })]);
  return { reason: `${run.state}: ${run.message}`, fields: { moved: run.moved, skipped: run.skipped, unsaid } };
}

/** Another delivery may have been first: then what it wrote stands, for both. */
function keep({ state, ports }: Going, wave: Wave): Promise<Wave> {
  return ports.policies.writeWave(wave, state.version, expiryOf(ports));
}

async function readWave({ state: { hub, uid }, run, ports }: Going): Promise<Wave> {
  const at = { hub, uid, run: run.run };
  const wave = await ports.policies.readWave(at, run.wavesDone);
  if (wave !== undefined) return wave;
  throw new Fault('retryable', `wave ${run.wavesDone} of run ${run.run} is not in the table`, { reason: 'WaveLost' });
}

function sayOn({ hub, uid, name }: PolicyState, { bus }: Uses): Promise<void> {
  return bus.publish([PolicyRunDue.of({ hub, uid, name })]);
}

function expiryOf({ now, settings }: Uses): Instant {
  return now() + settings.historyDays * DAY;
}

export const handler = onQueue(task, { hubs: awsHubs, policies: awsPolicies, bus: awsBus, schedule: awsSchedule });
