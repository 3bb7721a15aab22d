/** Reconciles an ElasticWorkload after a change of it or its ManifestWorks, or when it is due: writes the replicas of each cluster, and reports. */
import { awsElastic } from '../../shared/aws/dynamodb/dynamodb-elastic-store.ts';
import { awsSchedule } from '../../shared/aws/eventbridge-schedule.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { ElasticWorkloadChanged, ElasticWorkloadDue, ManifestWorkChanged } from '../../shared/bus/catalogue.ts';
import { writeSchedule } from '../../shared/bus/write-schedule.ts';
import { Fault } from '../../shared/core/fault.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { isSameJson } from '../../shared/core/same-json.ts';
import { DAY } from '../../shared/core/time.ts';
import type { ElasticGroup } from '../../shared/elastic-workload/elastic-groups.ts';
import type { ElasticRow } from '../../shared/elastic-workload/elastic-store.ts';
import { type ElasticWorkload, elasticKind, FINALIZER } from '../../shared/elastic-workload/elastic-workload.ts';
import type { ElasticStatus } from '../../shared/elastic-workload/elastic-workload-schema.ts';
import type { Work } from '../../shared/elastic-workload/manifest-work.ts';
import { readElastic, targetChange, worksOf } from '../../shared/elastic-workload/read-elastic.ts';
import type { TargetRejection } from '../../shared/elastic-workload/target-rejection.ts';
import { deleteWork, writeWork } from '../../shared/elastic-workload/write-works.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { keyText, type ObjectKey } from '../../shared/kubernetes/object-key.ts';
import { writeEvent } from '../../shared/kubernetes/write-event.ts';
import { emit } from '../../shared/runtime/emit.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import {
  type BalanceDecision,
  changedRow,
  claimOf,
  decideBalance,
  metricsOf,
  objectAfter,
  outcomeOf,
} from './balance-replicas.ts';
import { rejectedStatus } from './report-workload.ts';

const factories = { hubs: awsHubs, elastic: awsElastic, schedule: awsSchedule };
type BalanceReplicasContext = ContextOf<typeof factories>;

interface WorkloadPlace extends ObjectKey {
  readonly hub: string;
  readonly group: ElasticGroup;
}

export const task = queueTask({
  consumes: [ElasticWorkloadChanged, ManifestWorkChanged, ElasticWorkloadDue],
  about: ({ hub, group, namespace, name }) => `${hub}/${group}/${namespace}/${name}`,
  run,
});

async function run(at: WorkloadPlace, ports: BalanceReplicasContext): Promise<Outcome> {
  const hub = await ports.hubs.connect(at.hub);
  const read = await hub.get(elasticKind(at.group), at);
  if (read === undefined) return leaveNothing(hub, at);
  if (read.deletionTimestamp !== undefined) return finish(hub, read, ports);
  // Before it claims the new target, which another ElasticWorkload may own.
  const changed = await targetChange(hub, read);
  if (changed !== undefined) return reject(at, { hub, elastic: read, rejected: changed }, ports);
  const elastic = await claim(hub, read);
  const found = await readElastic(hub, elastic);
  if ('rejected' in found) return reject(at, { hub, elastic, rejected: found.rejected }, ports);
  const row = await ports.elastic.read({ hub: at.hub, uid: elastic.uid });
  const decision = decideBalance({ ...found.known, memory: row?.memory }, ports.now());
  await save(at, { row, elastic, decision }, ports);
  await Promise.all([
    ...decision.writes.map((write) => writeWork(hub, write)),
    ...decision.deletes.map((work) => deleteWork(hub, work)),
  ]);
  // Deleted during our writes, by a concurrent reconcile that did not list them.
  if (!(await writeStatus(hub, elastic, decision.status))) return leaveNothing(hub, at);
  await report({ hub, elastic, decision }, ports);
  return outcomeOf(decision);
}

/** Reports the reason, and changes nothing on managed clusters. */
async function reject(
  at: WorkloadPlace,
  {
    hub,
    elastic,
    rejected,
  }: { readonly hub: Hub; readonly elastic: ElasticWorkload; readonly rejected: TargetRejection },
  { telemetry, now }: BalanceReplicasContext,
): Promise<Outcome> {
  const { reason, message } = rejected;
  telemetry.outcome('EK340', { hub: at.hub, elasticWorkload: keyText(at), reason, error: message });
  await writeStatus(hub, elastic, rejectedStatus(elastic, rejected, now()));
  return { reason: message };
}

/** Deletes the ManifestWorks, then removes the finalizer. On an unreachable cluster, Open Cluster Management deletes the objects once it is reachable. */
async function finish(hub: Hub, elastic: ElasticWorkload, ports: BalanceReplicasContext): Promise<Outcome> {
  if (!elastic.finalizers.includes(FINALIZER)) return { reason: 'it is being deleted, and nothing of ours is left' };
  const works = await worksOf(hub, elastic);
  await deleteWorks(hub, works);
  const finalizers = elastic.finalizers.filter((name) => name !== FINALIZER);
  await patchMetadata(hub, elastic, { finalizers });
  const row = await ports.elastic.read({ hub: hub.name, uid: elastic.uid });
  // The row of a deleted object may expire.
  if (row !== undefined) await ports.elastic.save(row, ports.now() + ports.settings.historyDays * DAY);
  return { reason: 'it is being deleted; its ManifestWorks are', fields: { deleted: works.length } };
}

/** A concurrent reconcile may have created ManifestWorks after the finalizer was removed. */
async function leaveNothing(hub: Hub, at: WorkloadPlace): Promise<Outcome> {
  const { group, namespace, name } = at;
  const works = await worksOf(hub, { group, key: { namespace, name } });
  // After the list: an object of the same name may exist again, and owns them then.
  if (works.length > 0 && (await hub.get(elasticKind(group), at)) !== undefined)
    throw new Fault('retryable', `${keyText(at)} was created again`, { reason: 'ThereAnew' });
  await deleteWorks(hub, works);
  return { reason: 'the ElasticWorkload is gone', fields: { deleted: works.length } };
}

async function deleteWorks(hub: Hub, works: readonly Work[]): Promise<void> {
  await Promise.all(works.map((work) => deleteWork(hub, work)));
}

async function claim(hub: Hub, elastic: ElasticWorkload): Promise<ElasticWorkload> {
  const metadata = claimOf(elastic);
  return (metadata && (await patchMetadata(hub, elastic, metadata))) ?? elastic;
}

/** Optimistic locking: of two reconciles that started from the same state, the second is retried. The schedule is created before any write. */
async function save(
  { hub, group, namespace, name }: WorkloadPlace,
  { row, elastic, decision }: { row: ElasticRow | undefined; elastic: ElasticWorkload; decision: BalanceDecision },
  ports: BalanceReplicasContext,
): Promise<void> {
  const key = { hub, uid: elastic.uid };
  const event = ElasticWorkloadDue.of({ hub, group, namespace, name });
  await writeSchedule(ports.schedule, { purpose: 'elastic', ...key, at: decision.askFor }, event);
  const next = changedRow(key, row, decision);
  if (next === undefined || (await ports.elastic.save(next))) return;
  throw new Fault('retryable', `${namespace}/${name} was reconciled concurrently`, { reason: 'ConcurrentReconcile' });
}

/** False if it was deleted. */
async function writeStatus(hub: Hub, elastic: ElasticWorkload, status: ElasticStatus): Promise<boolean> {
  const { group, key, resourceVersion } = elastic;
  if (isSameJson(elastic.status, status)) return true;
  const merge = { metadata: { resourceVersion }, status };
  const written = await hub.patch(elasticKind(group), key, { merge, subresource: 'status' });
  return objectAfter(written, 'its status') !== undefined;
}

/** Conditional on the version that was read. Undefined if it was deleted. */
async function patchMetadata(
  hub: Hub,
  { group, key, resourceVersion }: ElasticWorkload,
  metadata: object,
): Promise<ElasticWorkload | undefined> {
  const merge = { metadata: { ...metadata, resourceVersion } };
  return objectAfter(await hub.patch(elasticKind(group), key, { merge }), 'its finalizer');
}

async function report(
  { hub, elastic, decision }: { hub: Hub; elastic: ElasticWorkload; decision: BalanceDecision },
  { telemetry, now }: BalanceReplicasContext,
): Promise<void> {
  emit(telemetry, metricsOf(hub.name, decision));
  const { group, key, uid } = elastic;
  await Promise.all(
    decision.objectEvents.map((objectEvent) =>
      writeEvent(hub, { kind: elasticKind(group), key, uid }, { objectEvent, now: now() }),
    ),
  );
}

export const handler = onQueue(task, factories);
