/** Writes and deletes the ManifestWorks of an ElasticWorkload, each conditional on the version that was read. */
import { manifestWorks, type Work, workOf } from '../../shared/model/elastic-workload/manifest-work.ts';
import { Fault } from '../../shared/model/fault.ts';
import type { Hub } from '../../shared/ports/hub.ts';
import type { Known, WorkWrite } from './balance-replicas.ts';

/** Agents write the status whenever a pod becomes ready, so a single attempt would often conflict. */
const MAX_ATTEMPTS = 5;

export async function writeWork(
  hub: Hub,
  known: Pick<Known, 'elastic' | 'manifest' | 'paths'> & { readonly content: string },
  { cluster, replicas, scaledThere, putBacks, work }: WorkWrite,
): Promise<void> {
  const wanted = workOf(known, { cluster, replicas, scaledThere, putBacks, digest: known.content });
  await onVersion(hub, work, async (at) => {
    const metadata = { ...wanted.metadata, ...(at && { resourceVersion: at.resourceVersion }) };
    return (await hub.apply(manifestWorks, { ...wanted, metadata })).result;
  });
}

export async function deleteWorks(hub: Hub, works: readonly Work[]): Promise<void> {
  await Promise.all(works.map((work) => deleteWork(hub, work)));
}

async function deleteWork(hub: Hub, work: Work): Promise<void> {
  await onVersion(hub, work, async (at) => {
    if (at === undefined || at.deleting) return 'missing';
    const { uid, resourceVersion } = at;
    const key = { namespace: at.cluster, name: at.name };
    return (await hub.delete(manifestWorks, key, { uid, resourceVersion })).result;
  });
}

/** Retried if only readiness was written concurrently; if the content changed, the caller has to decide again. */
async function onVersion(
  hub: Hub,
  decidedFrom: Work | undefined,
  write: (at: Work | undefined) => Promise<'done' | 'missing' | 'conflict'>,
): Promise<void> {
  let at = decidedFrom;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if ((await write(at)) !== 'conflict') return;
    if (at === undefined) break;
    at = await hub.get(manifestWorks, { namespace: at.cluster, name: at.name });
    if (at === undefined || contentOf(at) !== contentOf(decidedFrom)) break;
  }
  const name = decidedFrom === undefined ? 'a ManifestWork' : `ManifestWork ${decidedFrom.cluster}/${decidedFrom.name}`;
  throw new Fault('retryable', `${name} was changed by another before we wrote it`, { reason: 'Conflict' });
}

function contentOf(work: Work | undefined): string {
  const { uid, content, written, putBacks, edited, deleting, replicasOnCluster } = work ?? {};
  return JSON.stringify([uid, content, written, putBacks, edited, deleting, replicasOnCluster]);
}
