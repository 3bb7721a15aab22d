/** Hears that a run has a chunk of candidates; asks their clusters, takes out what no node takes and others have room for, records why, and says the next chunk. */
import { askClusters } from '../../shared/edge/ask-clusters.ts';
import { awsBus, awsDescheduling, awsEstimators, awsHubs } from '../../shared/edge/aws-ports.ts';
import { estimateRoom } from '../../shared/edge/estimate-room.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { readClusters } from '../../shared/edge/read-clusters.ts';
import { BindingChanged } from '../../shared/events/catalogue/binding-changed.ts';
import { DeschedulingChunkPlanned } from '../../shared/events/catalogue/descheduling-chunk-planned.ts';
import { type AssumedRoom, createAssumedRoom } from '../../shared/model/assignment/assumed-room.ts';
import { roomOf } from '../../shared/model/assignment/available-replicas.ts';
import type { Cluster } from '../../shared/model/assignment/cluster.ts';
import { possibleClusters } from '../../shared/model/assignment/schedule-binding.ts';
import { isOurs } from '../../shared/model/assignment/scheduling-decision.ts';
import type { DeschedulingDecision, DeschedulingRun } from '../../shared/model/descheduling.ts';
import { undesiredClusters } from '../../shared/model/descheduling-candidate.ts';
import { asFault, Fault } from '../../shared/model/fault.ts';
import { keyText, type ObjectKey } from '../../shared/model/object-key.ts';
import { type PlacedBinding, placedBindings } from '../../shared/model/placed-binding.ts';
import {
  DESCHEDULING,
  HUB_NAMESPACE,
  namespaces,
  switchesOf,
  switchOf,
} from '../../shared/model/rescheduling-policy.ts';
import { DAY } from '../../shared/model/time.ts';
import { count } from '../../shared/model/words.ts';
import type { ClusterEstimator } from '../../shared/ports/estimator.ts';
import type { Hub } from '../../shared/ports/hub.ts';
import type { Outcome, Ports, Surroundings } from '../../shared/ports/ports.ts';
import { decideEviction } from './decide-eviction.ts';
import { afterWrite, type Candidate, decisionOf, evictionPatch, outcomeOf, whyLeave } from './deschedule-bindings.ts';

type Uses = Pick<Ports, 'hubs' | 'descheduling' | 'estimators' | 'bus'> & Surroundings;

export const task = queueTask({ hears: [DeschedulingChunkPlanned], run });

/** What the bindings of a chunk are decided on. */
interface Chunk {
  readonly hub: Hub;
  readonly run: DeschedulingRun;
  readonly estimator: ClusterEstimator;
  readonly clusters: readonly Cluster[];
  readonly switches: ReadonlyMap<string, string>;
  readonly ports: Uses;
}

/** A candidate with what its clusters answered. */
interface Asked extends Candidate {
  readonly answers: ReadonlyMap<string, number>;
  readonly faults: ReadonlyMap<string, Fault>;
  /** What estimators said of room; empty where they can't tell. */
  readonly estimated: ReadonlyMap<string, number>;
}

async function run(at: { hub: string; run: string; chunk: number }, ports: Uses): Promise<Outcome> {
  const { descheduling } = ports;
  const current = await descheduling.readRun(at.hub);
  if (current?.run !== at.run || current.state !== 'Working') return { reason: 'the run has ended' };
  if (!current.pendingChunks.includes(at.chunk))
    return sayNext(current, { reason: 'the chunk was done before' }, ports);
  const bindings = (await descheduling.readChunk(at, at.chunk))?.bindings ?? [];
  const estimator = await ports.estimators.of(at.hub);
  const done = estimator
    ? await work(await open(at.hub, { run: current, estimator, ports }, bindings), bindings)
    : { reason: 'the hub has no estimator any more' };
  const after = await descheduling.completeChunk(at, at.chunk);
  return after === undefined ? done : sayNext(after, done, ports);
}

async function sayNext(run: DeschedulingRun, { reason, fields }: Outcome, { bus }: Uses): Promise<Outcome> {
  const { hub, pendingChunks } = run;
  const next = pendingChunks.slice(0, 1);
  await bus.publish(next.map((chunk) => DeschedulingChunkPlanned.of({ hub, run: run.run, chunk })));
  const left = pendingChunks.length === 0 ? 'the last chunk' : `${count(pendingChunks.length, 'chunk')} left`;
  return { reason: `${reason} (${left})`, fields: { ...fields, moved: run.moved } };
}

async function open(
  name: string,
  around: Pick<Chunk, 'run' | 'estimator' | 'ports'>,
  bindings: readonly ObjectKey[],
): Promise<Chunk> {
  const hub = await around.ports.hubs.connect(name);
  const names = new Set([HUB_NAMESPACE, ...bindings.map(({ namespace }) => namespace)]);
  const found = await hub.getMany(
    namespaces,
    [...names].map((each) => ({ namespace: '', name: each })),
  );
  return { ...around, hub, clusters: await readClusters(hub), switches: switchesOf([...found.values()], DESCHEDULING) };
}

/** Asks for all at once, decides one after another, so that none is promised another's room, and writes all at once. */
async function work(chunk: Chunk, bindings: readonly ObjectKey[]): Promise<Outcome> {
  const { ports, run } = chunk;
  const asked = await Promise.allSettled(bindings.map((key) => ask(key, chunk)));
  const failed = asked.flatMap((each, i) => (each.status === 'rejected' ? [{ key: bindings[i], each }] : []));
  const answered = asked.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value] : []));
  for (const { key, each } of failed) {
    const { reason, message } = asFault(each.reason);
    const binding = key && keyText(key);
    ports.telemetry.outcome('EK311', { hub: run.hub, binding, reason, error: message });
  }
  tellOfSilence(answered, chunk);
  const room = createAssumedRoom(run.promised);
  const { decided, withheld } = decideAll(answered, { chunk, room });
  if (withheld > 0) ports.telemetry.count('ReplicasWithheld', withheld, { hub: run.hub });
  const taken = decided.reduce((sum, { decision }) => sum + (decision.outcome === 'Planned' ? decision.taken : 0), 0);
  if (taken > 0 && !(await ports.descheduling.reserve(run, { before: run.moved, replicas: taken }, room.promised())))
    throw new Fault('retryable', `run ${run.run} moved on meanwhile`, { reason: 'RunMovedOn' });
  const carried = await Promise.allSettled(decided.map((each) => carryOut(each, chunk)));
  // The chunk comes again, and with it whatever is recorded and has no end.
  const fault = carried.find((each) => each.status === 'rejected');
  if (fault) throw asFault(fault.reason);
  // One that could not be asked about may have such a record from an earlier delivery.
  const passing = failed.map(({ each }) => asFault(each.reason)).find(({ verdict }) => verdict !== 'terminal');
  if (passing) throw passing;
  const fields = { taken, decisions: decided.length, faults: failed.length };
  const about = `${count(answered.length, 'binding')} asked about`;
  return { reason: `${about}, ${count(taken, 'replica')} taken out`, fields };
}

/** A line a cluster, however many bindings wanted to know. */
function tellOfSilence(answered: readonly Asked[], { run, ports }: Chunk): void {
  const faults = new Map(answered.flatMap((asked) => [...asked.faults]));
  for (const [cluster, { reason, message }] of faults)
    ports.telemetry.outcome('EK310', { hub: run.hub, cluster, reason, error: message });
  if (faults.size > 0) ports.telemetry.count('EstimatorsSilent', faults.size, { hub: run.hub });
}

/** Undefined where nobody need be asked. */
async function ask(key: ObjectKey, chunk: Chunk): Promise<Asked | undefined> {
  const { hub, run, estimator, clusters, switches, ports } = chunk;
  const { settings, descheduling, now } = ports;
  if (switchOf(key.namespace, switches) === 'Paused') return undefined;
  const binding = await hub.get(placedBindings, key);
  const last = await settled(await descheduling.lastDecision(run.hub, key), binding, chunk);
  if (binding === undefined || last?.run === run.run) return undefined;
  const around = { clusters, now: now(), cooldownSeconds: settings.deschedulingCooldownSeconds };
  if (whyLeave({ binding, last }, around) !== undefined) return undefined;
  const undesired = undesiredClusters(binding).map(({ name }) => name);
  const { answers, faults } = await askClusters(undesired, settings.hubInFlight, (cluster) =>
    estimator.unschedulableReplicas(cluster, binding.spec.resource, settings.unschedulableSeconds),
  );
  // Room matters where something is to go there, of clusters that it could go to.
  const anything = [...answers.values()].some((answer) => answer > 0);
  const possible = anything ? possibleClusters(binding, clusters) : [];
  const rooms = await estimateRoom(estimator, { binding, clusters: possible, inFlight: settings.hubInFlight });
  return { binding, last, answers, faults, estimated: rooms.answers };
}

/** A decision whose write nobody saw the answer of is brought to its end first. */
async function settled(
  last: DeschedulingDecision | undefined,
  binding: PlacedBinding | undefined,
  chunk: Chunk,
): Promise<DeschedulingDecision | undefined> {
  if (last?.outcome !== 'Planned') return last;
  const became = afterWrite(last, binding);
  if (became === 'write') return write(last, chunk);
  return settle({ ...last, outcome: became }, { chunk, binding });
}

interface Decided {
  readonly decision: DeschedulingDecision;
  /** The run of the decision that it takes the place of. */
  readonly replaces: string | undefined;
}

/** `withheld`: replicas that no node takes, and that stay where they are. */
function decideAll(
  all: readonly Asked[],
  { chunk, room }: { chunk: Chunk; room: AssumedRoom },
): { readonly decided: readonly Decided[]; readonly withheld: number } {
  const { run, clusters, switches, ports } = chunk;
  const { settings } = ports;
  let left = settings.deschedulingRunReplicas - run.moved;
  let withheld = 0;
  const decided = all.flatMap((asked): Decided[] => {
    const { binding, last, estimated } = asked;
    const position = switchOf(binding.metadata.namespace, switches);
    const eviction = decideEviction({
      ...asked,
      clusters,
      available: roomOf(binding, { estimated, assumed: room }),
      limit: Math.min(left, settings.deschedulingWorkloadReplicas),
      beyondRoom: settings.deschedulingBeyondRoom === 1,
    });
    if (position === 'On') withheld += eviction.wanted - eviction.taken;
    const now = ports.now();
    const about = { position, now, cooldownSeconds: settings.deschedulingCooldownSeconds };
    const outcome = outcomeOf(eviction, asked, about);
    if (outcome === undefined) return [];
    if (outcome === 'Planned') {
      left -= eviction.taken;
      const request = binding.spec.replicaRequirements?.resourceRequest ?? undefined;
      for (const { name, replicas } of eviction.lands) room.add(name, replicas, request);
    }
    return [{ decision: decisionOf(run, asked, { eviction, outcome, now }), replaces: last?.run }];
  });
  return { decided, withheld };
}

/** Recorded before it is written, so that whoever comes after knows what was about to happen. */
async function carryOut({ decision, replaces }: Decided, chunk: Chunk): Promise<void> {
  const recorded = await chunk.ports.descheduling.record(decision, replaces, expiryOf(chunk));
  if (!recorded) return; // Another delivery was first.
  if (decision.outcome === 'Planned') await write(decision, chunk);
}

/** Without an answer the binding itself says whether the write is in. One that the hub refuses is withheld: the next run may ask again. */
async function write(decision: DeschedulingDecision, chunk: Chunk): Promise<DeschedulingDecision> {
  const { hub } = chunk;
  try {
    const written = await hub.patch(placedBindings, decision.binding, { merge: evictionPatch(decision) });
    if (written.verdict !== 'done') return await settle({ ...decision, outcome: 'Superseded' }, { chunk });
    return await settle({ ...decision, outcome: 'Written' }, { chunk, binding: written.object });
  } catch (thrown) {
    const binding = await hub.get(placedBindings, decision.binding);
    const became = afterWrite(decision, binding);
    if (became !== 'write') return settle({ ...decision, outcome: became }, { chunk, binding });
    const { message } = asFault(thrown);
    return settle({ ...decision, outcome: 'Withheld', reason: `the write failed: ${message}` }, { chunk });
  }
}

/** The hub's hook does not tell of what we write ourselves: our own scheduler hears of it from here, before the decision counts as settled. */
async function settle(
  decision: DeschedulingDecision,
  { chunk, binding }: { readonly chunk: Chunk; readonly binding?: PlacedBinding | undefined },
): Promise<DeschedulingDecision> {
  const { bus, descheduling, telemetry } = chunk.ports;
  const { hub, outcome, taken } = decision;
  if (outcome === 'Written' && binding && isOurs(binding))
    await bus.publish([BindingChanged.of({ hub, ...decision.binding })]);
  await descheduling.settle(decision, expiryOf(chunk));
  if (outcome === 'Written') telemetry.count('ReplicasDescheduled', taken, { hub });
  return decision;
}

function expiryOf({ ports }: Chunk): number {
  return ports.now() + ports.settings.historyDays * DAY;
}

export const handler = onQueue(task, {
  hubs: awsHubs,
  descheduling: awsDescheduling,
  estimators: awsEstimators,
  bus: awsBus,
});
