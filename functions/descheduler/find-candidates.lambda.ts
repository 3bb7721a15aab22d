/** Consumes DeschedulingDue of a hub: takes its lease, LISTs its bindings page by page, and publishes the candidates in chunks. */
import { awsDescheduling } from '../../shared/aws/dynamodb/dynamodb-descheduling-store.ts';
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { DeschedulingDue } from '../../shared/bus/catalogue.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { SECOND } from '../../shared/core/time.ts';
import type { RunKey } from '../../shared/descheduling/descheduling.ts';
import { placedBindings } from '../../shared/karmada/placed-binding.ts';
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
} from '../../shared/karmada/rescheduling-policy.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { listAll } from '../../shared/kubernetes/list-all.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import type { Resource } from '../../shared/kubernetes/resource.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { publishOutcome } from '../../shared/runtime/publish-outcome.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import { CHUNK_LIFE, firstChunk } from './chunk-result.ts';
import { CandidateSweep, newRun, runInProgress, type SweepInput, type SweptChunk } from './find-candidates.ts';

const factories = {
  hubs: awsHubs,
  descheduling: awsDescheduling,
  bus: awsBus,
};
type FindCandidatesContext = ContextOf<typeof factories>;

const WORK_LEASE = 600 * SECOND;

export const task = queueTask({ consumes: [DeschedulingDue], run });

async function run({ hub: name }: { hub: string }, ports: FindCandidatesContext): Promise<Outcome> {
  if (!(await ports.hubs.hasEstimator(name))) return { reason: 'the hub has no estimator' };
  const hub = await ports.hubs.connect(name);
  const switches = switchesOf(await all(hub, namespaces), DESCHEDULING);
  if (switchOf(HUB_NAMESPACE, switches) === 'Paused') return { reason: 'descheduling is paused on this hub' };
  const mine = newRun(name, ports.newId(), ports.now());
  const begun = await ports.descheduling.beginRun(mine, mine.startedAt);
  if (!begun.begun) return publishOutcome(runInProgress(begun.holder), ports);
  const annotations = annotationsOf([
    ...(await all(hub, propagationPolicies)),
    ...(await all(hub, clusterPropagationPolicies)),
  ]);
  const { totals, outcome } = await sweep(
    hub,
    { annotations, switches, startedAt: mine.startedAt },
    { at: mine, ports },
  );
  const leaseUntil = ports.now() + WORK_LEASE;
  if (!(await ports.descheduling.endSweep(mine, { ...totals, leaseUntil })))
    return { reason: 'another run took the lease' };
  return publishOutcome({ ...outcome, events: firstChunk({ ...mine, pendingChunks: totals.chunks }) }, ports);
}

async function sweep(
  hub: Hub,
  input: SweepInput,
  { at: { hub: name, run }, ports }: { readonly at: RunKey; readonly ports: FindCandidatesContext },
): Promise<CandidateSweep> {
  const { descheduling, now } = ports;
  const keep = (chunk: SweptChunk) => descheduling.writeChunk({ hub: name, run, ...chunk }, now() + CHUNK_LIFE);
  const found = new CandidateSweep(input);
  for await (const page of hub.list(placedBindings)) await Promise.all(found.add(page).map(keep));
  await Promise.all(found.end().map(keep));
  return found;
}

function all(hub: Hub, kind: Resource<Annotated>): Promise<readonly Annotated[]> {
  return listAll(hub, kind, ({ key }) => keyText(key));
}

export const handler = onQueue(task, factories);
