/** Consumes chunks of a run's candidates: queries their clusters, removes unschedulable replicas that other clusters have capacity for, records why, and publishes the next chunk. */
import { awsDescheduling } from '../../shared/adapters/dynamodb/dynamodb-descheduling-store.ts';
import { awsEstimators } from '../../shared/adapters/estimators/hub-estimators.ts';
import { awsBus } from '../../shared/adapters/eventbridge/eventbridge-bus.ts';
import { awsHubs } from '../../shared/adapters/secrets-manager/secret-hubs.ts';
import { askClusters } from '../../shared/edge/ask-clusters.ts';
import { estimateCapacity } from '../../shared/edge/estimate-capacity.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { readClusters } from '../../shared/edge/read-clusters.ts';
import { BindingChanged, DeschedulingChunkPlanned } from '../../shared/events/catalogue.ts';
import { createAssumeCache } from '../../shared/model/assignment/assume-cache.ts';
import type { Cluster } from '../../shared/model/assignment/cluster.ts';
import { possibleClusters } from '../../shared/model/assignment/schedule-binding.ts';
import { isOurs } from '../../shared/model/assignment/scheduling-decision.ts';
import type { DeschedulingDecision, DeschedulingRun } from '../../shared/model/descheduling.ts';
import { undesiredClusters } from '../../shared/model/descheduling-candidate.ts';
import { eachAtOnce } from '../../shared/model/each-at-once.ts';
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
import type { DeschedulingStore } from '../../shared/ports/descheduling-store.ts';
import type { ClusterEstimator, Estimators } from '../../shared/ports/estimator.ts';
import type { EventBus } from '../../shared/ports/event-bus.ts';
import type { Hub, Hubs } from '../../shared/ports/hub.ts';
import type { InvocationContext, Outcome } from '../../shared/ports/invocation.ts';
import {
  type Asked,
  afterWrite,
  CHUNK_LIFE,
  type Decided,
  decideAll,
  evictionPatch,
  faultsOf,
  type OutcomeOfEach,
  whyLeave,
} from './deschedule-bindings.ts';

interface DescheduleBindingsContext extends InvocationContext {
  readonly hubs: Hubs;
  readonly descheduling: DeschedulingStore;
  readonly estimators: Estimators;
  readonly bus: EventBus;
}

export const task = queueTask({ consumes: [DeschedulingChunkPlanned], run });

/** Inputs for the bindings of a chunk. */
interface Chunk {
  readonly hub: Hub;
  readonly run: DeschedulingRun;
  readonly estimator: ClusterEstimator;
  readonly clusters: readonly Cluster[];
  readonly switches: ReadonlyMap<string, string>;
  readonly ports: DescheduleBindingsContext;
}

async function run(
  at: { hub: string; run: string; chunk: number },
  ports: DescheduleBindingsContext,
): Promise<Outcome> {
  const { descheduling } = ports;
  const current = await descheduling.readRun(at.hub);
  if (current?.run !== at.run || current.state !== 'Working') return { reason: 'the run has ended' };
  if (!current.pendingChunks.includes(at.chunk))
    return publishNext(current, { reason: 'the chunk was done before' }, ports);
  const bindings = (await descheduling.readChunk(at, at.chunk))?.bindings ?? [];
  const estimator = await ports.estimators.of(at.hub);
  const done: Worked = estimator
    ? await work(await open(at.hub, { run: current, estimator, ports }, bindings), bindings)
    : { reason: 'the hub has no estimator any more', left: [] };
  if (done.left.length > 0) return goOn(at, { bindings, done }, ports);
  const after = await descheduling.completeChunk(at, at.chunk);
  return after === undefined ? done : publishNext(after, done, ports);
}

/** The result for a chunk's bindings. */
interface Worked extends Outcome {
  /** Bindings to retry, and their first fault. */
  readonly left: readonly ObjectKey[];
  readonly fault?: Fault;
}

/** The rest of a chunk is a new message, because a delivery with progress must not count as a failed attempt. */
async function goOn(
  { hub, run, chunk }: { hub: string; run: string; chunk: number },
  { bindings, done }: { bindings: readonly ObjectKey[]; done: Worked },
  { descheduling, bus, now }: DescheduleBindingsContext,
): Promise<Outcome> {
  const { left, fault, reason, fields } = done;
  if (fault && left.length === bindings.length) throw fault;
  await descheduling.writeChunk({ hub, run, number: chunk, bindings: left }, now() + CHUNK_LIFE);
  await bus.publish([DeschedulingChunkPlanned.of({ hub, run, chunk })]);
  return { reason: `${reason} (${count(left.length, 'binding')} of the chunk left)`, ...(fields && { fields }) };
}

async function publishNext(
  run: DeschedulingRun,
  { reason, fields }: Outcome,
  { bus }: DescheduleBindingsContext,
): Promise<Outcome> {
  const { hub, pendingChunks } = run;
  const next = pendingChunks.slice(0, 1);
  await bus.publish(next.map((chunk) => DeschedulingChunkPlanned.of({ hub, run: run.run, chunk })));
  const left = pendingChunks.length === 0 ? 'the last chunk' : `${count(pendingChunks.length, 'chunk')} left`;
  return { reason: `${reason} (${left})`, fields: { ...fields, moved: run.moved } };
}

async function open(
  name: string,
  context: Pick<Chunk, 'run' | 'estimator' | 'ports'>,
  bindings: readonly ObjectKey[],
): Promise<Chunk> {
  const hub = await context.ports.hubs.connect(name);
  const names = new Set([HUB_NAMESPACE, ...bindings.map(({ namespace }) => namespace)]);
  const found = await hub.getMany(
    namespaces,
    [...names].map((each) => ({ namespace: '', name: each })),
  );
  return {
    ...context,
    hub,
    clusters: await readClusters(hub),
    switches: switchesOf([...found.values()], DESCHEDULING),
  };
}

/** Queries concurrently, decides sequentially, so that no two bindings claim the same capacity, and writes concurrently. */
async function work(chunk: Chunk, bindings: readonly ObjectKey[]): Promise<Worked> {
  const { ports, run } = chunk;
  // Limited concurrency: when the time ends, started bindings should complete.
  const asked = await eachAtOnce(bindings, ports.settings.hubInFlight, (key) =>
    outcomeOfEach(key, () => ask(key, chunk)),
  );
  const failed = faultsOf(asked);
  const answered = asked.flatMap(({ value }) => (value ? [value] : []));
  for (const { key, fault } of failed)
    ports.telemetry.outcome('EK311', {
      hub: run.hub,
      binding: keyText(key),
      reason: fault.reason,
      error: fault.message,
    });
  reportSilence(answered, chunk);
  const capacity = createAssumeCache(run.assumed);
  const { decided, withheld } = decideAll(answered, { ...chunk, settings: ports.settings, now: ports.now(), capacity });
  if (withheld > 0) ports.telemetry.count('ReplicasWithheld', withheld, { hub: run.hub });
  const taken = decided.reduce((sum, { decision }) => sum + (decision.outcome === 'Planned' ? decision.taken : 0), 0);
  if (taken > 0 && !(await ports.descheduling.reserve(run, { before: run.moved, replicas: taken }, capacity.assumed())))
    throw new Fault('retryable', `run ${run.run} moved on meanwhile`, { reason: 'RunMovedOn' });
  const carried = await eachAtOnce(decided, ports.settings.hubInFlight, (each) =>
    outcomeOfEach(each.decision.binding, () => carryOut(each, chunk)),
  );
  // Recorded decisions without a result are retried. A binding that could not be queried may have such a record from an earlier delivery.
  const comingAgain = [...faultsOf(carried), ...failed.filter(({ fault }) => fault.retryClass !== 'terminal')];
  const left = comingAgain.map(({ key }) => key);
  const fault = comingAgain[0]?.fault;
  const fields = { taken, decisions: decided.length, faults: failed.length };
  const about = `${count(answered.length, 'binding')} asked about`;
  return { reason: `${about}, ${count(taken, 'replica')} taken out`, fields, left, ...(fault && { fault }) };
}

async function outcomeOfEach<T>(key: ObjectKey, act: () => Promise<T>): Promise<OutcomeOfEach<T>> {
  try {
    return { key, value: await act() };
  } catch (thrown) {
    return { key, fault: asFault(thrown) };
  }
}

/** One log line per cluster, for any number of bindings. */
function reportSilence(answered: readonly Asked[], { run, ports }: Chunk): void {
  const faults = new Map(answered.flatMap((asked) => [...asked.faults]));
  for (const [cluster, { reason, message }] of faults)
    ports.telemetry.outcome('EK310', { hub: run.hub, cluster, reason, error: message });
  if (faults.size > 0) ports.telemetry.count('EstimatorsSilent', faults.size, { hub: run.hub });
}

/** Undefined if no query is needed. */
async function ask(key: ObjectKey, chunk: Chunk): Promise<Asked | undefined> {
  const { hub, run, estimator, clusters, switches, ports } = chunk;
  const { settings, descheduling, now } = ports;
  if (switchOf(key.namespace, switches) === 'Paused') return undefined;
  const binding = await hub.get(placedBindings, key);
  const last = await settled(await descheduling.lastDecision(run.hub, key), binding, chunk);
  if (binding === undefined || last?.run === run.run) return undefined;
  const context = { clusters, now: now(), cooldownSeconds: settings.deschedulingCooldownSeconds };
  if (whyLeave({ binding, last }, context) !== undefined) return undefined;
  const undesired = undesiredClusters(binding).map(({ name }) => name);
  const { answers, faults } = await askClusters(undesired, settings.hubInFlight, (cluster) =>
    estimator.unschedulableReplicas(cluster, binding.spec.resource, settings.unschedulableSeconds),
  );
  // Capacity is needed only if there are replicas to move, and only of clusters that could take them.
  const anything = [...answers.values()].some((answer) => answer > 0);
  const possible = anything ? possibleClusters(binding, clusters) : [];
  const capacities = await estimateCapacity(estimator, { binding, clusters: possible, inFlight: settings.hubInFlight });
  return { binding, last, answers, faults, estimated: capacities.answers };
}

/** First completes a decision whose write had no response. */
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

/** Recorded before the write, so that a later delivery can complete it. */
async function carryOut({ decision, replaces }: Decided, chunk: Chunk): Promise<void> {
  const recorded = await chunk.ports.descheduling.record(decision, replaces, expiryOf(chunk));
  if (!recorded) return; // Another delivery recorded it first.
  if (decision.outcome === 'Planned') await write(decision, chunk);
}

/** After an error the binding shows whether the write succeeded. If the hub rejected it, the decision is withheld: the next run may retry. */
async function write(decision: DeschedulingDecision, chunk: Chunk): Promise<DeschedulingDecision> {
  const { hub } = chunk;
  try {
    const written = await hub.patch(placedBindings, decision.binding, { merge: evictionPatch(decision) });
    if (written.result !== 'done') return await settle({ ...decision, outcome: 'Superseded' }, { chunk });
    return await settle({ ...decision, outcome: 'Written' }, { chunk, binding: written.object });
  } catch (thrown) {
    const binding = await hub.get(placedBindings, decision.binding);
    const became = afterWrite(decision, binding);
    if (became !== 'write') return settle({ ...decision, outcome: became }, { chunk, binding });
    const { message } = asFault(thrown);
    return settle({ ...decision, outcome: 'Withheld', reason: `the write failed: ${message}` }, { chunk });
  }
}

/** The hub's hook ignores our own writes, so our scheduler gets this event from here, before the decision is settled. */
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
