/** Hears that an ElasticWorkload, a ManifestWork of one or the time has changed; writes the number that each cluster is to have now, and reports. */
import { awsElastic, awsHubs, awsSchedule } from '../../shared/edge/aws-ports.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { readElastic, worksOf } from '../../shared/edge/read-elastic.ts';
import { writeNotice } from '../../shared/edge/write-notice.ts';
import { ElasticWorkloadChanged } from '../../shared/events/catalogue/elastic-workload-changed.ts';
import { ElasticWorkloadDue } from '../../shared/events/catalogue/elastic-workload-due.ts';
import { ManifestWorkChanged } from '../../shared/events/catalogue/manifest-work-changed.ts';
import {
  type ElasticGroup,
  type ElasticWorkload,
  elasticKind,
  FINALIZER,
  TARGET_LABEL,
} from '../../shared/model/elastic-workload/elastic-workload.ts';
import type { ElasticStatus } from '../../shared/model/elastic-workload/elastic-workload-schema.ts';
import { targetLabel } from '../../shared/model/elastic-workload/target.ts';
import { Fault } from '../../shared/model/fault.ts';
import { keyText, type ObjectKey } from '../../shared/model/object-key.ts';
import { isSameJson } from '../../shared/model/same-json.ts';
import { scheduleName } from '../../shared/model/schedule-name.ts';
import { DAY } from '../../shared/model/time.ts';
import type { ElasticRow } from '../../shared/ports/elastic-store.ts';
import type { Hub, Written } from '../../shared/ports/hub.ts';
import type { Outcome, Ports, Surroundings } from '../../shared/ports/ports.ts';
import { type Decision, decideBalance, type Known } from './balance-replicas.ts';
import { refusedStatus } from './report-workload.ts';
import { deleteWorks, writeWork } from './write-works.ts';

type Uses = Pick<Ports, 'hubs' | 'elastic' | 'schedule'> & Surroundings;

interface At extends ObjectKey {
  readonly hub: string;
  readonly group: ElasticGroup;
}

export const task = queueTask({
  hears: [ElasticWorkloadChanged, ManifestWorkChanged, ElasticWorkloadDue],
  about: ({ hub, group, namespace, name }) => `${hub}/${group}/${namespace}/${name}`,
  run,
});

async function run(at: At, ports: Uses): Promise<Outcome> {
  const hub = await ports.hubs.connect(at.hub);
  const read = await hub.get(elasticKind(at.group), at);
  if (read === undefined) return leaveNothing(hub, at);
  if (read.deletionTimestamp !== undefined) return finish(hub, read, ports);
  const elastic = await claim(hub, read);
  const found = await readElastic(hub, elastic);
  if ('refused' in found) {
    const { reason, message } = found.refused;
    ports.telemetry.outcome('EK340', { hub: at.hub, elasticWorkload: keyText(at), reason, error: message });
    await report(hub, elastic, refusedStatus(elastic, found.refused, ports.now()));
    return { reason: message };
  }
  const row = await ports.elastic.read({ hub: at.hub, uid: elastic.uid });
  const known: Known = { ...found.known, memory: row?.memory };
  const decision = decideBalance(known, ports.now());
  await remember(at, { row, elastic, decision }, ports);
  await carryOut(hub, known, decision);
  // Deleted while we were writing, by a look that did not see these writes.
  if (!(await report(hub, elastic, decision.status))) return leaveNothing(hub, at);
  await tell(at, { hub, elastic, decision }, ports);
  const { writes, deletes, reason, lent, unplaced } = decision;
  return { reason, fields: { written: writes.length, deleted: deletes.length, lent, unplaced } };
}

/** Its works first; then it may go. Where a cluster is away, Open Cluster Management deletes what is there once it is back. */
async function finish(hub: Hub, elastic: ElasticWorkload, ports: Uses): Promise<Outcome> {
  if (!elastic.finalizers.includes(FINALIZER)) return { reason: 'it is being deleted, and nothing of ours is left' };
  const works = await worksOf(hub, elastic);
  await deleteWorks(hub, works);
  const finalizers = elastic.finalizers.filter((name) => name !== FINALIZER);
  certain(await patch(hub, elastic, { metadata: { finalizers } }), 'its finalizer');
  const row = await ports.elastic.read({ hub: hub.name, uid: elastic.uid });
  // Of one that is gone nothing need be kept.
  if (row !== undefined) await ports.elastic.save(row, ports.now() + ports.settings.historyDays * DAY);
  return { reason: 'it is being deleted; its ManifestWorks are', fields: { deleted: works.length } };
}

/** A look that was under way while another let it go may have written works behind that one. */
async function leaveNothing(hub: Hub, at: At): Promise<Outcome> {
  const { group, namespace, name } = at;
  const works = await worksOf(hub, { group, key: { namespace, name } });
  // Behind the list: one of its name may be there anew, and take them over.
  if (works.length > 0 && (await hub.get(elasticKind(group), at)) !== undefined)
    throw new Fault('retryable', `${keyText(at)} is there anew`, { reason: 'ThereAnew' });
  await deleteWorks(hub, works);
  return { reason: 'the ElasticWorkload is gone', fields: { deleted: works.length } };
}

/** Before anything is written elsewhere it can't go without us, and others can see what it runs. */
async function claim(hub: Hub, elastic: ElasticWorkload): Promise<ElasticWorkload> {
  const { finalizers, labels, spec } = elastic;
  const label = targetLabel(spec) ?? null;
  if (finalizers.includes(FINALIZER) && (labels[TARGET_LABEL] ?? null) === label) return elastic;
  const metadata = {
    finalizers: [...new Set([...finalizers, FINALIZER])],
    labels: { [TARGET_LABEL]: label },
  };
  return certain(await patch(hub, elastic, { metadata }), 'its finalizer') ?? elastic;
}

/** Who saves first decides; another who decided from the same memory looks again. What is due is asked for before anything is done. */
async function remember(
  at: At,
  { row, elastic, decision }: { row: ElasticRow | undefined; elastic: ElasticWorkload; decision: Decision },
  ports: Uses,
): Promise<void> {
  const { schedule } = ports;
  const { hub, group, namespace, name } = at;
  const { uid } = elastic;
  if (decision.askFor !== undefined)
    await schedule.put(
      scheduleName('elastic', { hub, uid }),
      decision.askFor,
      ElasticWorkloadDue.of({ hub, group, namespace, name }),
    );
  if (row !== undefined && isSameJson(row.memory, decision.memory)) return;
  const next = { hub, uid, version: row?.version ?? 0, memory: decision.memory };
  if (await ports.elastic.save(next)) return;
  throw new Fault('retryable', `${keyText(at)} was looked at by another meanwhile`, { reason: 'LookedAtMeanwhile' });
}

async function carryOut(hub: Hub, known: Known, { writes, deletes, content }: Decision): Promise<void> {
  await Promise.all([
    ...writes.map((write) => writeWork(hub, { ...known, content }, write)),
    deleteWorks(hub, deletes),
  ]);
}

/** False where it is gone. */
async function report(hub: Hub, elastic: ElasticWorkload, status: ElasticStatus): Promise<boolean> {
  if (isSameJson(elastic.status, status)) return true;
  return certain(await patch(hub, elastic, { status }), 'its status') !== undefined;
}

/** Only the version that was read. */
async function patch(
  hub: Hub,
  { group, key, resourceVersion }: ElasticWorkload,
  { metadata, status }: { readonly metadata?: object; readonly status?: object },
): Promise<Written<ElasticWorkload>> {
  const merge = { metadata: { ...metadata, resourceVersion }, ...(status && { status }) };
  return hub.patch(elasticKind(group), key, { merge, ...(status && { subresource: 'status' }) });
}

/** Undefined where it is gone: then nothing is left to be said of it. */
function certain<T>(written: Written<T>, what: string): T | undefined {
  if (written.verdict === 'done') return written.object;
  if (written.verdict === 'missing') return undefined;
  throw new Fault('retryable', `somebody wrote the ElasticWorkload before ${what} was`, { reason: 'Conflict' });
}

async function tell(
  { hub: name, group }: At,
  { hub, elastic, decision }: { hub: Hub; elastic: ElasticWorkload; decision: Decision },
  { telemetry, now }: Uses,
): Promise<void> {
  telemetry.count('ElasticReplicasLent', decision.lent, { hub: name });
  telemetry.count('ElasticReplicasUnplaced', decision.unplaced);
  const { key, uid } = elastic;
  await Promise.all(
    decision.notices.map((notice) => writeNotice(hub, { kind: elasticKind(group), key, uid }, { notice, now: now() })),
  );
}

export const handler = onQueue(task, { hubs: awsHubs, elastic: awsElastic, schedule: awsSchedule });
