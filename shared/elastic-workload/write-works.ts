/** Writes and deletes the ManifestWorks of an ElasticWorkload, each conditional on the version that was read. */

import { Fault } from '../core/fault.ts';
import type { Hub, Written } from '../kubernetes/hub.ts';
import { retryConflicts } from '../kubernetes/retry-conflicts.ts';
import { isSameContent, manifestWorks, type Work, type WorkWrite } from './manifest-work.ts';

export async function writeWork(hub: Hub, { object, work }: WorkWrite): Promise<void> {
  await onVersion(hub, work, async (at) => {
    const metadata = { ...object.metadata, ...(at && { resourceVersion: at.resourceVersion }) };
    return (await applyWork(hub, { ...object, metadata })).result;
  });
}

/** How an API server rejects an applied field that the kind's schema does not have, before it names the field; the text of a Fault may end before that. */
const UNDECLARED_FIELD = 'failed to create typed patch object';

/** Open Cluster Management 1.1 and older have no feedbackScrapeType: their API servers reject it, and their agents always poll. */
async function applyWork(hub: Hub, object: WorkWrite['object']): Promise<Written<Work>> {
  try {
    return await hub.apply(manifestWorks, object);
  } catch (thrown) {
    if (!(thrown instanceof Fault) || !thrown.message.includes(UNDECLARED_FIELD)) throw thrown;
    const manifestConfigs = object.spec.manifestConfigs.map(({ feedbackScrapeType: _, ...config }) => config);
    return hub.apply(manifestWorks, { ...object, spec: { ...object.spec, manifestConfigs } });
  }
}

export async function deleteWork(hub: Hub, work: Work): Promise<void> {
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
  const result = await retryConflicts(async (attempt) => {
    if (attempt === 0) return write(decidedFrom);
    const at =
      decidedFrom && (await hub.get(manifestWorks, { namespace: decidedFrom.cluster, name: decidedFrom.name }));
    return at !== undefined && isSameContent(at, decidedFrom) ? write(at) : 'changed';
  });
  if (result === 'done' || result === 'missing') return;
  const name = decidedFrom === undefined ? 'a ManifestWork' : `ManifestWork ${decidedFrom.cluster}/${decidedFrom.name}`;
  throw new Fault('retryable', `${name} was changed by another before we wrote it`, { reason: 'Conflict' });
}
