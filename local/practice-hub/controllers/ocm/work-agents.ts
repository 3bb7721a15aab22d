/** The work agents of all spokes: each applies the ManifestWorks of its cluster's namespace, and reports what became of them. */
import { isDeepStrictEqual } from 'node:util';
import { keyOf } from '../../store/object-collection.ts';
import type { Change, KubeObject, ObjectStore } from '../../store/objects.ts';
import { agentOf } from '../actors.ts';
import { getByWorkKey, readWorkKey, workKey } from '../binding-view.ts';
import type { WorkLoop } from '../work-loop.ts';
import { conditionsIn, withConditions } from './conditions.ts';
import { type Manifest, type ManifestConfig, readWork, type WorkSpec } from './manifest.ts';
import { type ManifestStatus, manifestStatus, workConditions } from './manifest-status.ts';
import { type Adopted, idOf, type ObjectId, type SpokeCluster } from './spoke-cluster.ts';
import { groupOf } from './spoke-kinds.ts';

const PLURAL = 'manifestworks';
const CLEANUP = 'cluster.open-cluster-management.io/manifest-work-cleanup';

export interface WorkAgents {
  onChange(change: Change): void;
  /** Pods of these objects changed. */
  changed(spoke: SpokeCluster, ids: readonly string[]): void;
  /** Has all works of the spoke looked at again: it came, or is back. */
  revisit(spoke: SpokeCluster): void;
}

export interface WorkAgentsOptions {
  readonly store: ObjectStore;
  readonly loop: WorkLoop;
  readonly now: () => number;
  readonly spokes: ReadonlyMap<string, SpokeCluster>;
  /** How long a change waits to be polled. */
  readonly pollMs: number;
}

export function createWorkAgents({ store, loop, now, spokes, pollMs }: WorkAgentsOptions): WorkAgents {
  const works = loop.queue(reconcile);
  const reports = loop.queue((key) => report(key, false));
  const polls = loop.queue((key) => report(key, true));
  const polling = new Map<string, () => void>();
  /** Works that were seen since the start, with why manifests of theirs could not be applied. */
  const seen = new Map<string, ReadonlyMap<number, string>>();

  const spokeOf = (key: string): SpokeCluster | undefined => spokes.get(readWorkKey(key).key.namespace);

  function reconcile(key: string): void {
    const spoke = spokeOf(key);
    if (spoke === undefined || spoke.member.failed) return;
    const work = getByWorkKey(store, key);
    if (work === undefined) end(key, spoke);
    else if (work.metadata.deletionTimestamp !== undefined) cleanUp(key, work, spoke);
    else applyAll(key, withCleanup(key, work), spoke);
  }

  function withCleanup(key: string, work: KubeObject): KubeObject {
    const { finalizers = [], namespace = '' } = work.metadata;
    if (finalizers.includes(CLEANUP)) return work;
    const body = { metadata: { finalizers: [...finalizers, CLEANUP] } };
    return store.patch(PLURAL, readWorkKey(key).key, { type: 'merge', body }, agentOf(namespace));
  }

  function cleanUp(key: string, work: KubeObject, spoke: SpokeCluster): void {
    const { finalizers = [], namespace = '' } = work.metadata;
    if (readWork(work).orphans) spoke.orphan(key);
    end(key, spoke);
    if (!finalizers.includes(CLEANUP)) return;
    const body = { metadata: { finalizers: finalizers.filter((one) => one !== CLEANUP) } };
    store.patch(PLURAL, readWorkKey(key).key, { type: 'merge', body }, agentOf(namespace));
  }

  function end(key: string, spoke: SpokeCluster): void {
    spoke.prune(key, []);
    seen.delete(key);
  }

  function applyAll(key: string, work: KubeObject, spoke: SpokeCluster): void {
    const { manifests, configs } = readWork(work);
    const adopting = !seen.has(key) && isApplied(work);
    const errors = new Map<number, string>();
    for (const [ordinal, manifest] of manifests.entries()) {
      const config = configFor(manifest, configs, spoke);
      const adopted = adopting ? adoptedFrom(statusesOf(work)[ordinal], { manifest, config, spoke }) : undefined;
      const error = spoke.apply(key, manifest, { config, ...(adopted && { adopted }) });
      if (error !== undefined) errors.set(ordinal, error);
    }
    spoke.prune(key, manifests);
    seen.set(key, errors);
    tellLater(key);
    // Others that applied one of these as well watch it as much.
    changedOn(spoke, manifests.map(idOf));
  }

  function changedOn(spoke: SpokeCluster, ids: readonly ObjectId[]): void {
    for (const key of new Set(ids.flatMap((id) => spoke.ownersOf(id)))) tellLater(key);
  }

  function tellLater(key: string): void {
    reports.add(key);
    pollLater(key);
  }

  function pollLater(key: string): void {
    if (polling.has(key)) return;
    const cancel = loop.later(pollMs, () => {
      polling.delete(key);
      polls.add(key);
    });
    polling.set(key, cancel);
  }

  function report(key: string, polled: boolean): void {
    const spoke = spokeOf(key);
    const work = getByWorkKey(store, key);
    const errors = seen.get(key);
    if (spoke === undefined || spoke.member.failed || work === undefined || errors === undefined) return;
    if (work.metadata.deletionTimestamp !== undefined) return;
    const { generation, namespace = '' } = work.metadata;
    const spec = readWork(work);
    const manifests = spec.manifests.map((manifest, ordinal) => {
      const config = configFor(manifest, spec.configs, spoke);
      const readsValues = polled || config?.feedbackScrapeType === 'Watch';
      const there = { kind: spoke.kindOf(manifest), object: spoke.object(manifest), error: errors.get(ordinal) };
      const look = { ordinal, manifest, config, before: statusesOf(work)[ordinal], readsValues, ...there };
      return manifestStatus(look, generation, now());
    });
    const conditions = withConditions(conditionsIn(work.status), workConditions(manifests, generation), now());
    const status = { conditions, resourceStatus: { manifests } };
    if (isDeepStrictEqual(work.status, status)) return;
    store.patch(PLURAL, keyOf(work), { type: 'merge', body: { status }, subresource: 'status' }, agentOf(namespace));
  }

  return {
    onChange({ type, plural, object, previous }) {
      if (plural !== PLURAL) return;
      if (type === 'MODIFIED' && previous !== undefined && isDeepStrictEqual(heard(object), heard(previous))) return;
      works.add(workKey(plural, keyOf(object)));
    },
    changed: changedOn,
    revisit({ member }) {
      for (const work of store.list(PLURAL, member.options.name)) works.add(workKey(PLURAL, keyOf(work)));
    },
  };
}

/** An agent does not hear of annotations, nor of what it reports itself. */
function heard({ metadata, spec }: KubeObject): unknown {
  const { labels, finalizers, deletionTimestamp } = metadata;
  return [spec, labels, finalizers, deletionTimestamp];
}

function statusesOf({ status }: KubeObject): readonly ManifestStatus[] {
  const { manifests } = (status?.resourceStatus ?? {}) as { readonly manifests?: readonly ManifestStatus[] };
  return manifests ?? [];
}

function isApplied({ metadata, status }: KubeObject): boolean {
  return conditionsIn(status).some(
    ({ type, observedGeneration }) => type === 'Applied' && observedGeneration === metadata.generation,
  );
}

function configFor(manifest: Manifest, configs: WorkSpec['configs'], spoke: SpokeCluster): ManifestConfig | undefined {
  const { name, namespace } = manifest.metadata;
  const resource = spoke.kindOf(manifest)?.resource;
  return configs.find(({ resourceIdentifier: wanted }) => {
    const isKind = wanted.group === groupOf(manifest) && wanted.resource === resource;
    return isKind && wanted.name === name && wanted.namespace === namespace;
  });
}

interface Adopting {
  readonly manifest: Manifest;
  readonly config: ManifestConfig | undefined;
  readonly spoke: SpokeCluster;
}

/** After a restart of the hub a spoke's objects are taken to be as last reported. */
function adoptedFrom(status: ManifestStatus | undefined, { manifest, config, spoke }: Adopting): Adopted | undefined {
  const scale = spoke.kindOf(manifest)?.scale;
  if (scale === undefined || spoke.object(manifest) !== undefined) return undefined;
  const rules = (config?.feedbackRules ?? []).flatMap(({ jsonPaths }) => jsonPaths);
  const reported = (path: string): number | undefined => {
    const name = rules.find((rule) => rule.path === path)?.name;
    const value = status?.statusFeedback?.values?.find((one) => one.name === name)?.fieldValue.integer;
    return typeof value === 'number' ? value : undefined;
  };
  return { replicas: reported(scale.specReplicasPath), ready: reported(scale.readyReplicasPath) ?? 0 };
}
