/** Reads what Evenkeel has on a hub, and decides what an uninstall removes, what blocks it and what stays. */
import * as z from 'zod/mini';
import { OWNER_LABEL } from '../../shared/elastic-workload/elastic-workload.ts';
import { manifestWorks } from '../../shared/elastic-workload/manifest-work.ts';
import { clusters } from '../../shared/karmada/assignment/cluster.ts';
import { EVENKEEL_SCHEDULER } from '../../shared/karmada/assignment/plan-scheduling.ts';
import { clusterResourceBindings, resourceBindings } from '../../shared/karmada/binding.ts';
import { type TaintedCluster, taintedClusters } from '../../shared/karmada/drain-taint.ts';
import { DRAIN_TAINT } from '../../shared/karmada/member-cluster.ts';
import { clusterPropagationPolicies, propagationPolicies } from '../../shared/karmada/rescheduling-policy.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { listIfServed } from '../../shared/kubernetes/list-all.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import type { Resource } from '../../shared/kubernetes/resource.ts';
import { clusterDrains } from '../../shared/rebalance-policy/cluster-drain.ts';
import { type RebalancePolicy, rebalancePolicies } from '../../shared/rebalance-policy/rebalance-policy.ts';
import {
  POLICY_LABEL,
  WAVE_ANNOTATION,
  workloadRebalancers,
} from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import { functionAnnotations, heldClusters } from './hub-traces.ts';
import {
  type InstalledObject,
  installedKinds,
  listInstalled,
  listOwnKinds,
  listRemaining,
  metadataOf,
} from './installed-objects.ts';

/** An object of another owner, and what is removed from it. */
export interface TracedObject {
  readonly object: InstalledObject;
  readonly traces: readonly string[];
}

export interface UninstallPlan {
  readonly admission: readonly InstalledObject[];
  readonly access: readonly InstalledObject[];
  readonly bindings: readonly TracedObject[];
  readonly taintedClusters: readonly InstalledObject[];
  /** WorkloadRebalancers of waves: those of users stay. */
  readonly waves: readonly InstalledObject[];
  readonly works: readonly InstalledObject[];
  /** Of our kinds. */
  readonly objects: readonly InstalledObject[];
  readonly definitions: readonly InstalledObject[];
  readonly rest: readonly InstalledObject[];
  readonly namespaces: readonly InstalledObject[];
  /** Policies that name our scheduler: their bindings are not scheduled any more. */
  readonly scheduledByUs: readonly string[];
  /** Why nothing may be removed yet. */
  readonly blockers: readonly Blocker[];
}

/** Objects that would lose something, and what the user does about it. */
export interface Blocker {
  readonly why: string;
  readonly remedy: string;
  readonly objects: readonly string[];
}

export async function readPlan(
  hub: Hub,
  { deleteObjects }: { readonly deleteObjects: boolean },
): Promise<UninstallPlan> {
  const { admission, access, definitions, rest, namespaces } = installedKinds;
  const [ownKinds, bindings, waves] = await Promise.all([
    listOwnKinds(hub),
    listRemaining(hub, [resourceBindings, clusterResourceBindings].map(metadataOf)),
    listRemaining(hub, [metadataOf(workloadRebalancers)], POLICY_LABEL),
  ]);
  const found = {
    admission: await listInstalled(hub, admission),
    access: await listInstalled(hub, access),
    bindings: bindings.flatMap(tracesOf),
    taintedClusters: await listTainted(hub),
    waves: waves.filter(({ annotations }) => annotations[WAVE_ANNOTATION] !== undefined),
    works: await listRemaining(hub, [metadataOf(manifestWorks)], OWNER_LABEL),
    objects: await listRemaining(hub, ownKinds),
    definitions: await listInstalled(hub, definitions),
    rest: await listInstalled(hub, rest),
    namespaces: await listInstalled(hub, namespaces),
    scheduledByUs: await listScheduledByUs(hub),
  };
  const blockers: readonly Blocker[] = [
    byHelm([...found.admission, ...found.access, ...found.rest]),
    holds(found.bindings),
    {
      why: 'a run goes on',
      remedy: 'wait, or delete it',
      objects: await runningOf(hub),
    },
    {
      why: 'not finished',
      remedy: 'wait, or delete it',
      objects: await unfinishedOf(hub),
    },
    ...(deleteObjects ? [] : [wouldBeDeleted([...found.works, ...found.objects])]),
  ];
  return { ...found, blockers: blockers.filter(({ objects }) => objects.length > 0) };
}

function tracesOf(object: InstalledObject): readonly TracedObject[] {
  const holds = heldClusters(object.annotations).map((cluster) => `the hold of ${cluster}`);
  const traces = [...holds, ...functionAnnotations(object.annotations).map((name) => `annotation ${name}`)];
  return traces.length === 0 ? [] : [{ object, traces }];
}

/** As kubectl prints it: "clusterdrain.evenkeel.dev/member1", with the namespace before the name. */
export function shownObject({ kind, key }: Pick<InstalledObject, 'kind' | 'key'>): string {
  const group = kind.group === '' ? '' : `.${kind.group}`;
  const name = key.namespace === '' ? key.name : keyText(key);
  return `${kind.kind.toLowerCase()}${group}/${name}`;
}

const HELM_RELEASE = 'meta.helm.sh/release-name';

/** Helm would report their absence, and create them again. It keeps the definitions of kinds, so those are not of a release. */
function byHelm(objects: readonly InstalledObject[]): Blocker {
  const releases = new Set(objects.flatMap(({ annotations }) => annotations[HELM_RELEASE] ?? []));
  return { why: 'installed by Helm', remedy: 'run helm uninstall first', objects: [...releases] };
}

function holds(bindings: readonly TracedObject[]): Blocker {
  return {
    why: 'replicas are held',
    remedy: 'wait, or run evenkeel release -A --all',
    objects: bindings
      .filter(({ object }) => heldClusters(object.annotations).length > 0)
      .map(({ object }) => `${shownObject(object)} on ${heldClusters(object.annotations).join(' and ')}`),
  };
}

/** Policies with a run, and drains that go on. */
async function runningOf(hub: Hub): Promise<readonly string[]> {
  const kinds: readonly Resource<RebalancePolicy>[] = [rebalancePolicies, clusterDrains];
  const lists = kinds.map(async (kind) => {
    const policies = await listIfServed(hub, kind, ({ uid }) => uid);
    const running = policies.filter(({ status }) => status.lastRun?.state === 'Running');
    return running.map(({ name }) => shownObject({ kind: metadataOf(kind), key: { namespace: '', name } }));
  });
  return (await Promise.all(lists)).flat();
}

/** Rebalancers: Karmada's own controller finishes them too, where it runs. */
async function unfinishedOf(hub: Hub): Promise<readonly string[]> {
  const all = await listIfServed(hub, workloadRebalancers, ({ uid }) => uid);
  return all
    .filter(({ status, deletionTimestamp }) => status.finishTime === undefined && deletionTimestamp === undefined)
    .map(({ name }) => shownObject({ kind: metadataOf(workloadRebalancers), key: { namespace: '', name } }));
}

function wouldBeDeleted(objects: readonly InstalledObject[]): Blocker {
  const hasWorks = objects.some(({ kind }) => kind.group === manifestWorks.group);
  return {
    why: hasWorks ? 'would be deleted, with workloads on managed clusters' : 'would be deleted',
    remedy: 'confirm with --delete-objects',
    objects: objects.map(shownObject),
  };
}

async function listTainted(hub: Hub): Promise<readonly InstalledObject[]> {
  const tainted: Resource<TaintedCluster & { readonly cluster: InstalledObject }> = {
    ...taintedClusters,
    parse: (object) => ({ ...taintedClusters.parse(object), cluster: metadataOf(clusters).parse(object) }),
  };
  const all = await listIfServed(hub, tainted, ({ cluster }) => cluster.uid);
  return all.filter(({ taints }) => taints.some(({ key }) => key === DRAIN_TAINT)).map(({ cluster }) => cluster);
}

const scheduler = z.object({ spec: z._default(z.object({ schedulerName: z.nullish(z.string()) }), {}) });

async function listScheduledByUs(hub: Hub): Promise<readonly string[]> {
  const lists = [propagationPolicies, clusterPropagationPolicies].map(async (kind) => {
    const named: Resource<{ readonly policy: InstalledObject; readonly schedulerName: string }> = {
      ...kind,
      parse: (object) => ({
        policy: metadataOf(kind).parse(object),
        schedulerName: z.parse(scheduler, object).spec.schedulerName ?? '',
      }),
    };
    const all = await listIfServed(hub, named, ({ policy }) => policy.uid);
    return all
      .filter(({ schedulerName }) => schedulerName === EVENKEEL_SCHEDULER)
      .map(({ policy }) => shownObject(policy));
  });
  return (await Promise.all(lists)).flat();
}
