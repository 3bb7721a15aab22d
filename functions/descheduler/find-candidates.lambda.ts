/** Consumes DeschedulingDue of a hub: takes its lease, LISTs its bindings page by page, and publishes the candidates in chunks. */
import { awsDescheduling } from '../../shared/adapters/dynamodb/dynamodb-descheduling-store.ts';
import { awsBus } from '../../shared/adapters/eventbridge/eventbridge-bus.ts';
import { awsHubs } from '../../shared/adapters/secrets-manager/secret-hubs.ts';
import { listAll } from '../../shared/edge/list-all.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { DeschedulingChunkPlanned, DeschedulingDue } from '../../shared/events/catalogue.ts';
import type { DeschedulingRun, RunKey } from '../../shared/model/descheduling.ts';
import { keyText, type ObjectKey } from '../../shared/model/object-key.ts';
import { placedBindings } from '../../shared/model/placed-binding.ts';
import {
  type Annotated,
  annotationsOf,
  clusterPropagationPolicies,
  DESCHEDULING,
  HUB_NAMESPACE,
  namespaces,
  propagationPolicies,
  switchesOf,
  switchOf,
} from '../../shared/model/rescheduling-policy.ts';
import type { Resource } from '../../shared/model/resource.ts';
import { SECOND, toTimestamp } from '../../shared/model/time.ts';
import { count } from '../../shared/model/words.ts';
import type { DeschedulingStore } from '../../shared/ports/descheduling-store.ts';
import type { EventBus } from '../../shared/ports/event-bus.ts';
import type { Hub, Hubs } from '../../shared/ports/hub.ts';
import type { InvocationContext, Outcome } from '../../shared/ports/invocation.ts';
import { CHUNK_LIFE } from './deschedule-bindings.ts';
import { type CandidateClass, classifyBinding, type PolicySwitches } from './find-candidates.ts';

interface FindCandidatesContext extends InvocationContext {
  readonly hubs: Hubs;
  readonly descheduling: DeschedulingStore;
  readonly bus: EventBus;
}

/** Bindings in one chunk: some seconds of queries to members. */
const CHUNK = 50;
/** Longer than a function's timeout, so that its redelivery or the next schedule takes over a sweep that crashed. */
const SWEEP_LEASE = 150 * SECOND;
const WORK_LEASE = 600 * SECOND;

export const task = queueTask({ consumes: [DeschedulingDue], run });

async function run({ hub: name }: { hub: string }, ports: FindCandidatesContext): Promise<Outcome> {
  if (!(await ports.hubs.hasEstimator(name))) return { reason: 'the hub has no estimator' };
  const hub = await ports.hubs.connect(name);
  const switches = switchesOf(await all(hub, namespaces), DESCHEDULING);
  if (switchOf(HUB_NAMESPACE, switches) === 'Paused') return { reason: 'descheduling is paused on this hub' };
  const mine = newRun(name, ports);
  const begun = await ports.descheduling.beginRun(mine, mine.startedAt);
  if (!begun.begun) return publishAgain(begun.holder, ports);
  const annotations = annotationsOf([
    ...(await all(hub, propagationPolicies)),
    ...(await all(hub, clusterPropagationPolicies)),
  ]);
  const { counts, chunks } = await sweep(hub, { annotations, switches }, { at: mine, ports });
  const countOf = (candidateClass: CandidateClass): number => counts.get(candidateClass) ?? 0;
  const seen = [...counts.values()].reduce((sum, each) => sum + each, 0);
  const candidates = countOf('candidate');
  const leaseUntil = ports.now() + WORK_LEASE;
  if (!(await ports.descheduling.endSweep(mine, { seen, candidates, chunks, leaseUntil })))
    return { reason: 'another run took the lease' };
  await publish(mine, chunks, ports);
  const fields = { seen, candidates, paused: countOf('paused'), unknownPolicy: countOf('unknown policy') };
  return { reason: `${candidates} of ${count(seen, 'binding')} may have replicas to take out`, fields };
}

function newRun(hub: string, { now, newId }: FindCandidatesContext): DeschedulingRun {
  const startedAt = now();
  return {
    hub,
    // Starts with the time, so that later ones sort after earlier ones.
    run: `${toTimestamp(startedAt)}-${newId()}`,
    state: 'Sweeping',
    startedAt,
    leaseUntil: startedAt + SWEEP_LEASE,
    pendingChunks: [],
    seen: 0,
    candidates: 0,
    moved: 0,
    assumed: {},
  };
}

/** The sweeping function may have crashed before it published its chunks; publishing one twice is harmless. */
async function publishAgain(holder: DeschedulingRun, ports: FindCandidatesContext): Promise<Outcome> {
  await publish(holder, holder.pendingChunks, ports);
  return { reason: `run ${holder.run} is under way, with ${count(holder.pendingChunks.length, 'chunk')} open` };
}

/** Only the first chunk; its function publishes the next. Two concurrent chunks would claim the same capacity. */
function publish({ hub, run }: RunKey, chunks: readonly number[], { bus }: FindCandidatesContext): Promise<void> {
  return bus.publish(chunks.slice(0, 1).map((chunk) => DeschedulingChunkPlanned.of({ hub, run, chunk })));
}

async function sweep(
  hub: Hub,
  observation: PolicySwitches,
  { at, ports }: { at: RunKey; ports: FindCandidatesContext },
) {
  const { descheduling, now } = ports;
  const counts = new Map<CandidateClass, number>();
  const chunks: number[] = [];
  let bindings: ObjectKey[] = [];
  const keep = async (): Promise<void> => {
    const number = chunks.length;
    await descheduling.writeChunk({ hub: at.hub, run: at.run, number, bindings }, now() + CHUNK_LIFE);
    chunks.push(number);
    bindings = [];
  };
  for await (const page of hub.list(placedBindings)) {
    for (const binding of page) {
      const candidateClass = classifyBinding(binding, observation);
      counts.set(candidateClass, (counts.get(candidateClass) ?? 0) + 1);
      if (candidateClass !== 'candidate') continue;
      bindings.push({ namespace: binding.metadata.namespace, name: binding.metadata.name });
      if (bindings.length >= CHUNK) await keep();
    }
  }
  if (bindings.length > 0) await keep();
  return { counts, chunks };
}

function all(hub: Hub, kind: Resource<Annotated>): Promise<readonly Annotated[]> {
  return listAll(hub, kind, ({ key }) => keyText(key));
}

export const handler = onQueue(task, {
  hubs: awsHubs,
  descheduling: awsDescheduling,
  bus: awsBus,
});
