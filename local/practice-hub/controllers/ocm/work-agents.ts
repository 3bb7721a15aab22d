/** The work agents of all managed clusters: each applies the ManifestWorks of its cluster's namespace, and reports their status. */
import { isDeepStrictEqual } from 'node:util';
import { keyOf } from '../../store/object-collection.ts';
import type { KubeObject } from '../../store/objects.ts';
import { agentOf } from '../actors.ts';
import { getByWorkKey, readWorkKey, workKey } from '../binding-view.ts';
import type { Controller, ControllerContext } from '../work-loop.ts';
import { conditionsIn, withConditions } from './conditions.ts';
import {
  type Adopted,
  groupOf,
  idOf,
  type ManagedClusterSimulator,
  type ObjectId,
} from './managed-cluster-simulator.ts';
import { type ManifestConfig, readWork, type WorkManifest, type WorkSpec } from './manifest.ts';
import { type ManifestStatus, manifestStatus, workConditions } from './manifest-status.ts';

const PLURAL = 'manifestworks';
/** How long a change waits for the next poll. */
const POLL_MS = 1000;
const CLEANUP = 'cluster.open-cluster-management.io/manifest-work-cleanup';

export interface WorkAgents extends Controller {
  /** Pods of these objects changed. */
  changed(managedCluster: ManagedClusterSimulator, ids: readonly string[]): void;
  /** Reconciles all ManifestWorks of the cluster: it joined or recovered. */
  revisit(managedCluster: ManagedClusterSimulator): void;
}

export interface WorkAgentsOptions extends ControllerContext {
  readonly managedClusters: ReadonlyMap<string, ManagedClusterSimulator>;
}

export function createWorkAgents({ store, loop, now, managedClusters }: WorkAgentsOptions): WorkAgents {
  const works = loop.queue(reconcile);
  const reports = loop.queue((key) => report(key, false));
  const polls = loop.queue((key) => report(key, true));
  const polling = new Map<string, () => void>();
  /** ManifestWorks reconciled since the start, with the apply errors of their manifests. */
  const seen = new Map<string, ReadonlyMap<number, string>>();

  const managedClusterOf = (key: string): ManagedClusterSimulator | undefined =>
    managedClusters.get(readWorkKey(key).key.namespace);

  function reconcile(key: string): void {
    const managedCluster = managedClusterOf(key);
    if (managedCluster === undefined || managedCluster.member.failed) return;
    const work = getByWorkKey(store, key);
    if (work === undefined) end(key, managedCluster);
    else if (work.metadata.deletionTimestamp !== undefined) cleanUp(key, work, managedCluster);
    else applyAll(key, withCleanup(key, work), managedCluster);
  }

  function withCleanup(key: string, work: KubeObject): KubeObject {
    const { finalizers = [], namespace = '' } = work.metadata;
    if (finalizers.includes(CLEANUP)) return work;
    const body = { metadata: { finalizers: [...finalizers, CLEANUP] } };
    return store.patch(PLURAL, readWorkKey(key).key, { type: 'merge', body }, agentOf(namespace));
  }

  function cleanUp(key: string, work: KubeObject, managedCluster: ManagedClusterSimulator): void {
    const { finalizers = [], namespace = '' } = work.metadata;
    if (readWork(work).orphans) managedCluster.orphan(key);
    end(key, managedCluster);
    if (!finalizers.includes(CLEANUP)) return;
    const body = { metadata: { finalizers: finalizers.filter((one) => one !== CLEANUP) } };
    store.patch(PLURAL, readWorkKey(key).key, { type: 'merge', body }, agentOf(namespace));
  }

  function end(key: string, managedCluster: ManagedClusterSimulator): void {
    managedCluster.prune(key, []);
    seen.delete(key);
  }

  function applyAll(key: string, work: KubeObject, managedCluster: ManagedClusterSimulator): void {
    const { manifests, configs } = readWork(work);
    const adopting = !seen.has(key) && isApplied(work);
    const errors = new Map<number, string>();
    for (const [ordinal, manifest] of manifests.entries()) {
      const config = configFor(manifest, configs, managedCluster);
      const adopted = adopting
        ? adoptedFrom(statusesOf(work)[ordinal], { manifest, config, managedCluster })
        : undefined;
      const error = managedCluster.apply(key, manifest, { config, ...(adopted && { adopted }) });
      if (error !== undefined) errors.set(ordinal, error);
    }
    managedCluster.prune(key, manifests);
    seen.set(key, errors);
    reportLater(key);
    // Other owners of one of these objects also report it.
    changedOn(managedCluster, manifests.map(idOf));
  }

  function changedOn(managedCluster: ManagedClusterSimulator, ids: readonly ObjectId[]): void {
    for (const key of new Set(ids.flatMap((id) => managedCluster.ownersOf(id)))) reportLater(key);
  }

  function reportLater(key: string): void {
    reports.add(key);
    pollLater(key);
  }

  function pollLater(key: string): void {
    if (polling.has(key)) return;
    const cancel = loop.later(POLL_MS, () => {
      polling.delete(key);
      polls.add(key);
    });
    polling.set(key, cancel);
  }

  function report(key: string, polled: boolean): void {
    const managedCluster = managedClusterOf(key);
    const work = getByWorkKey(store, key);
    const errors = seen.get(key);
    if (managedCluster === undefined || managedCluster.member.failed || work === undefined || errors === undefined)
      return;
    if (work.metadata.deletionTimestamp !== undefined) return;
    const { generation, namespace = '' } = work.metadata;
    const spec = readWork(work);
    const manifests = spec.manifests.map((manifest, ordinal) => {
      const config = configFor(manifest, spec.configs, managedCluster);
      const readsValues = polled || config?.feedbackScrapeType === 'Watch';
      const there = {
        kind: managedCluster.kindOf(manifest),
        object: managedCluster.object(manifest),
        error: errors.get(ordinal),
      };
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
      if (
        type === 'MODIFIED' &&
        previous !== undefined &&
        isDeepStrictEqual(reconciledParts(object), reconciledParts(previous))
      )
        return;
      works.add(workKey(plural, keyOf(object)));
    },
    changed: changedOn,
    revisit({ member }) {
      for (const work of store.list(PLURAL, member.options.name)) works.add(workKey(PLURAL, keyOf(work)));
    },
  };
}

/** The parts that an agent reconciles: no annotations, and not its own status. */
function reconciledParts({ metadata, spec }: KubeObject): unknown {
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

function configFor(
  manifest: WorkManifest,
  configs: WorkSpec['configs'],
  managedCluster: ManagedClusterSimulator,
): ManifestConfig | undefined {
  const { name, namespace } = manifest.metadata;
  const resource = managedCluster.kindOf(manifest)?.resource;
  return configs.find(({ resourceIdentifier: wanted }) => {
    const isKind = wanted.group === groupOf(manifest) && wanted.resource === resource;
    return isKind && wanted.name === name && wanted.namespace === namespace;
  });
}

interface Adopting {
  readonly manifest: WorkManifest;
  readonly config: ManifestConfig | undefined;
  readonly managedCluster: ManagedClusterSimulator;
}

/** After a restart of the hub, a managed cluster's objects are assumed to be as last reported. */
function adoptedFrom(
  status: ManifestStatus | undefined,
  { manifest, config, managedCluster }: Adopting,
): Adopted | undefined {
  const scale = managedCluster.kindOf(manifest)?.scale;
  if (scale === undefined || managedCluster.object(manifest) !== undefined) return undefined;
  const rules = (config?.feedbackRules ?? []).flatMap(({ jsonPaths }) => jsonPaths);
  const reported = (path: string): number | undefined => {
    const name = rules.find((rule) => rule.path === path)?.name;
    const value = status?.statusFeedback?.values?.find((one) => one.name === name)?.fieldValue.integer;
    return typeof value === 'number' ? value : undefined;
  };
  return { replicas: reported(scale.specReplicasPath), ready: reported(scale.readyReplicasPath) ?? 0 };
}
