/** Hears that a hub is to be looked through; takes its lease, LISTs its bindings page by page, and hands the candidates on in chunks. */
import { awsBus, awsDescheduling, awsHubs } from '../../shared/edge/aws-ports.ts';
import { listAll } from '../../shared/edge/list-all.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { DeschedulingChunkPlanned } from '../../shared/events/catalogue/descheduling-chunk-planned.ts';
import { DeschedulingDue } from '../../shared/events/catalogue/descheduling-due.ts';
import type { DeschedulingRun, RunKey } from '../../shared/model/descheduling.ts';
import { keyText, type ObjectKey } from '../../shared/model/object-key.ts';
import { placedBindings } from '../../shared/model/placed-binding.ts';
import {
  type Annotated,
  clusterPropagationPolicies,
  DESCHEDULING,
  HUB_NAMESPACE,
  namespaces,
  propagationPolicies,
  switchesOf,
  switchOf,
  wordsOf,
} from '../../shared/model/rescheduling-policy.ts';
import type { Resource } from '../../shared/model/resource.ts';
import { SECOND, toTimestamp } from '../../shared/model/time.ts';
import { count } from '../../shared/model/words.ts';
import type { Hub } from '../../shared/ports/hub.ts';
import type { Outcome, Ports, Surroundings } from '../../shared/ports/ports.ts';
import { judge, type Sight, type Verdict } from './find-candidates.ts';

type Uses = Pick<Ports, 'hubs' | 'descheduling' | 'bus'> & Surroundings;

/** Bindings in one chunk: some seconds' questions to members. */
const CHUNK = 50;
/** Longer than a function may run, so that a sweep which died is taken up by its own redelivery or the next tick. */
const SWEEP_LEASE = 150 * SECOND;
const WORK_LEASE = 600 * SECOND;
/** Chunks are of no use once their run has ended. */
const CHUNK_LIFE = 3600 * SECOND;

export const task = queueTask({ hears: [DeschedulingDue], run });

async function run({ hub: name }: { hub: string }, ports: Uses): Promise<Outcome> {
  if (!(await ports.hubs.hasEstimator(name))) return { reason: 'the hub has no estimator' };
  const hub = await ports.hubs.connect(name);
  const switches = switchesOf(await all(hub, namespaces), DESCHEDULING);
  if (switchOf(HUB_NAMESPACE, switches) === 'Paused') return { reason: 'descheduling is paused on this hub' };
  const mine = newRun(name, ports);
  const begun = await ports.descheduling.beginRun(mine, mine.startedAt);
  if (!begun.begun) return sayAgain(begun.holder, ports);
  const words = wordsOf([...(await all(hub, propagationPolicies)), ...(await all(hub, clusterPropagationPolicies))]);
  const { verdicts, chunks } = await sweep(hub, { words, switches }, { at: mine, ports });
  const judged = (verdict: Verdict): number => verdicts.get(verdict) ?? 0;
  const seen = [...verdicts.values()].reduce((sum, each) => sum + each, 0);
  const candidates = judged('candidate');
  const leaseUntil = ports.now() + WORK_LEASE;
  if (!(await ports.descheduling.endSweep(mine, { seen, candidates, chunks, leaseUntil })))
    return { reason: 'another run took the lease' };
  await say(mine, chunks, ports);
  const fields = { seen, candidates, paused: judged('paused'), unknownPolicy: judged('unknown policy') };
  return { reason: `${candidates} of ${count(seen, 'binding')} may have replicas to take out`, fields };
}

function newRun(hub: string, { now, newId }: Uses): DeschedulingRun {
  const startedAt = now();
  return {
    hub,
    // By time, so that later ones sort after earlier ones.
    run: `${toTimestamp(startedAt)}-${newId()}`,
    state: 'Sweeping',
    startedAt,
    leaseUntil: startedAt + SWEEP_LEASE,
    pendingChunks: [],
    seen: 0,
    candidates: 0,
    moved: 0,
    promised: {},
  };
}

/** Whoever swept may have died before it said its chunks; saying one twice is harmless. */
async function sayAgain(holder: DeschedulingRun, ports: Uses): Promise<Outcome> {
  await say(holder, holder.pendingChunks, ports);
  return { reason: `run ${holder.run} is under way, with ${count(holder.pendingChunks.length, 'chunk')} open` };
}

/** The first only: whoever has done with it says the next. Two at once would promise the same room twice. */
function say({ hub, run }: RunKey, chunks: readonly number[], { bus }: Uses): Promise<void> {
  return bus.publish(chunks.slice(0, 1).map((chunk) => DeschedulingChunkPlanned.of({ hub, run, chunk })));
}

async function sweep(hub: Hub, sight: Sight, { at, ports }: { at: RunKey; ports: Uses }) {
  const { descheduling, now } = ports;
  const verdicts = new Map<Verdict, number>();
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
      const verdict = judge(binding, sight);
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
      if (verdict !== 'candidate') continue;
      bindings.push({ namespace: binding.metadata.namespace, name: binding.metadata.name });
      if (bindings.length >= CHUNK) await keep();
    }
  }
  if (bindings.length > 0) await keep();
  return { verdicts, chunks };
}

function all(hub: Hub, kind: Resource<Annotated>): Promise<readonly Annotated[]> {
  return listAll(hub, kind, ({ key }) => keyText(key));
}

export const handler = onQueue(task, {
  hubs: awsHubs,
  descheduling: awsDescheduling,
  bus: awsBus,
});
