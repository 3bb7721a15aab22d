/** Consumes chunks of a run's candidates: queries their clusters, removes unschedulable replicas that other clusters have capacity for, records why, and publishes the next chunk. */
import { awsDescheduling } from '../../shared/aws/dynamodb/dynamodb-descheduling-store.ts';
import { awsMoveLedger } from '../../shared/aws/dynamodb/dynamodb-move-ledger.ts';
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { awsEstimators } from '../../shared/aws/hub-estimators.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { DeschedulingChunkPlanned } from '../../shared/bus/catalogue.ts';
import { tryEach } from '../../shared/core/each-at-once.ts';
import { asFault, Fault } from '../../shared/core/fault.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { DAY } from '../../shared/core/time.ts';
import type { DeschedulingDecision, DeschedulingRun } from '../../shared/descheduling/descheduling.ts';
import { askUnschedulable } from '../../shared/estimator/ask-unschedulable.ts';
import { estimateCapacity } from '../../shared/estimator/estimate-capacity.ts';
import type { ClusterEstimator } from '../../shared/estimator/estimator.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import { type PlacedBinding, placedBindings } from '../../shared/karmada/placed-binding.ts';
import { readClusters } from '../../shared/karmada/read-clusters.ts';
import { DESCHEDULING, namespaces, switchesOf } from '../../shared/karmada/rescheduling-policy.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import type { ObjectKey } from '../../shared/kubernetes/object-key.ts';
import { markWritten, withinBudget } from '../../shared/move-budget/write-grants.ts';
import { emit } from '../../shared/runtime/emit.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { publishOutcome } from '../../shared/runtime/publish-outcome.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import {
  CHUNK_LIFE,
  type ChunkResult,
  chunkResult,
  nextChunk,
  noEstimator,
  pendingRun,
  restOfChunk,
} from './chunk-result.ts';
import { type Decided, evicted, moverOf, namespacesToEvict, planEvictions } from './deschedule-bindings.ts';
import {
  type Asked,
  candidateOf,
  clustersToEstimate,
  namespacesOf,
  queryTelemetry,
  withoutPaused,
} from './query-candidates.ts';
import { afterError, afterResponse, evictionPatch, resumeDecision, type Settlement } from './settle-decision.ts';

const factories = {
  hubs: awsHubs,
  descheduling: awsDescheduling,
  estimators: awsEstimators,
  bus: awsBus,
  ledger: awsMoveLedger,
};
type DescheduleBindingsContext = ContextOf<typeof factories>;

export const task = queueTask({ consumes: [DeschedulingChunkPlanned], run });

/** Inputs for the bindings of a chunk. */
interface ChunkInput {
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
  const pending = pendingRun(await descheduling.readRun(at.hub), at);
  if ('published' in pending) return publishOutcome(pending.published, ports);
  const bindings = (await descheduling.readChunk(at, at.chunk))?.bindings ?? [];
  const estimator = await ports.estimators.of(at.hub);
  const result = estimator
    ? await work(await open(at.hub, { run: pending.run, estimator, ports }, bindings), bindings)
    : noEstimator;
  const rest = restOfChunk(at, bindings, result);
  if (rest === undefined)
    return publishOutcome(nextChunk(await descheduling.completeChunk(at, at.chunk), result.outcome), ports);
  await descheduling.writeChunk(rest.chunk, ports.now() + CHUNK_LIFE);
  return publishOutcome(rest.published, ports);
}

async function open(
  name: string,
  context: Pick<ChunkInput, 'run' | 'estimator' | 'ports'>,
  bindings: readonly ObjectKey[],
): Promise<ChunkInput> {
  const hub = await context.ports.hubs.connect(name);
  const found = await hub.getMany(namespaces, namespacesOf(bindings));
  const clusters = await readClusters(hub);
  return { ...context, hub, clusters, switches: switchesOf([...found.values()], DESCHEDULING) };
}

/** Queries and writes with limited concurrency: when the time ends, started bindings should complete. */
async function work(chunk: ChunkInput, bindings: readonly ObjectKey[]): Promise<ChunkResult> {
  const { run, switches, ports } = chunk;
  const { settings, descheduling, telemetry } = ports;
  const asked = await tryEach(withoutPaused(bindings, switches), settings.hubInFlight, (key) => ask(key, chunk));
  emit(telemetry, queryTelemetry(run.hub, asked));
  const plan = await withinBudget(
    chunk.hub,
    {
      namespaces: namespacesToEvict(asked),
      decide: (budget) => planEvictions(asked, { ...chunk, settings, now: ports.now() }, budget),
    },
    ports,
  );
  emit(telemetry, plan.telemetry);
  const moved = { before: run.moved, replicas: plan.taken };
  if (plan.taken > 0 && !(await descheduling.reserve(run, moved, plan.assumed)))
    throw new Fault('retryable', `run ${run.run} moved on meanwhile`, { reason: 'RunMovedOn' });
  const carriedOut = await tryEach(plan.decided, settings.hubInFlight, (each) => carryOut(each, chunk));
  await markWritten(chunk.hub, { mover: moverOf(run), bindings: evicted(carriedOut) }, ports);
  return chunkResult(asked, plan, carriedOut);
}

/** Undefined if no query is needed. */
async function ask(key: ObjectKey, chunk: ChunkInput): Promise<Asked | undefined> {
  const { hub, run, estimator, clusters, ports } = chunk;
  const {
    hubInFlight: inFlight,
    unschedulableSeconds: seconds,
    deschedulingCooldownSeconds: cooldownSeconds,
  } = ports.settings;
  const found = await hub.get(placedBindings, key);
  const last = await completed(await ports.descheduling.lastDecision(run.hub, key), found, chunk);
  const candidate = candidateOf(found, last, { run: run.run, clusters, now: ports.now(), cooldownSeconds });
  if (candidate === undefined) return undefined;
  const { binding } = candidate;
  const { answers, faults } = await askUnschedulable(estimator, { binding, seconds, inFlight });
  const possible = clustersToEstimate(binding, answers, clusters);
  const capacities = await estimateCapacity(estimator, { binding, clusters: possible, inFlight });
  return { ...candidate, answers, faults, estimated: capacities.answers };
}

/** The last decision on a binding; one whose write had no response is completed first. */
async function completed(
  last: DeschedulingDecision | undefined,
  binding: PlacedBinding | undefined,
  chunk: ChunkInput,
): Promise<DeschedulingDecision | undefined> {
  const { write: unwritten, settlement } = resumeDecision(last, binding);
  if (unwritten !== undefined) return write(unwritten, chunk);
  return settlement === undefined ? last : settle(settlement, chunk);
}

/** Recorded before the write, so that a later delivery can complete it. Not written if another delivery recorded it first. */
async function carryOut({ decision, replaces }: Decided, chunk: ChunkInput): Promise<void> {
  const recorded = await chunk.ports.descheduling.record(decision, replaces, expiryOf(chunk));
  if (recorded && decision.outcome === 'Planned') await write(decision, chunk);
}

async function write(decision: DeschedulingDecision, chunk: ChunkInput): Promise<DeschedulingDecision> {
  const { hub } = chunk;
  try {
    const written = await hub.patch(placedBindings, decision.binding, { merge: evictionPatch(decision) });
    return await settle(afterResponse(decision, written), chunk);
  } catch (thrown) {
    const binding = await hub.get(placedBindings, decision.binding);
    return settle(afterError(decision, binding, asFault(thrown)), chunk);
  }
}

/** Published before the decision is stored: a later delivery publishes again. */
async function settle({ decision, events, telemetry }: Settlement, chunk: ChunkInput): Promise<DeschedulingDecision> {
  const { ports } = chunk;
  await ports.bus.publish(events);
  await ports.descheduling.settle(decision, expiryOf(chunk));
  emit(ports.telemetry, telemetry);
  return decision;
}

function expiryOf({ ports }: ChunkInput): number {
  return ports.now() + ports.settings.historyDays * DAY;
}

export const handler = onQueue(task, factories);
