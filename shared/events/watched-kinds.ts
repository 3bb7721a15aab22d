/** The kinds whose changes concern us, in one table: for the receivers of audit events, the shipped audit policy and the bridge. */
import { elasticOfWork, elasticWorkloads } from '../model/elastic-workload/elastic-workload.ts';
import type { ObjectKey } from '../model/object-key.ts';
import { BindingChanged } from './catalogue/binding-changed.ts';
import { BindingStatusChanged } from './catalogue/binding-status-changed.ts';
import { ClusterChanged } from './catalogue/cluster-changed.ts';
import { ElasticWorkloadChanged } from './catalogue/elastic-workload-changed.ts';
import { ManagedClusterChanged } from './catalogue/managed-cluster-changed.ts';
import { ManifestWorkChanged } from './catalogue/manifest-work-changed.ts';
import { PlacementDecisionChanged } from './catalogue/placement-decision-changed.ts';
import { PropagationPolicyChanged } from './catalogue/propagation-policy-changed.ts';
import { RebalancePolicyChanged } from './catalogue/rebalance-policy-changed.ts';
import { ResyncDue } from './catalogue/resync-due.ts';
import { WorkloadRebalancerChanged } from './catalogue/workload-rebalancer-changed.ts';
import { type EvenkeelEvent, isObjectName } from './event.ts';

/** What of ours a hub may be used for, and that not every hub is. */
export type Use = 'our scheduler' | 'policies' | 'reductions' | 'elastic workloads';

interface Reported {
  /**
   * Reported by a hub only where it is asked to for one of these: a big hub writes many bindings, and whose scheduler one names is
   * not to be seen in keys; and where nobody uses policies, no change of a cluster need wake anybody.
   */
  readonly onlyFor?: readonly Use[];
  /** The event of a change. */
  readonly says: string;
  /** Undefined where the object is none of ours, by its name. */
  readonly changed: (hub: string, key: ObjectKey) => EvenkeelEvent | undefined;
}

/** What is said when an object of this kind was created, edited or deleted. */
export interface WatchedKind extends Reported {
  readonly group: string;
  readonly resource: string;
  readonly namespaced: boolean;
  /** Whether people edit it by its scale subresource too. */
  readonly scaled?: true;
  /** What is said when its status was written; absent where that is nobody's wish. */
  readonly status?: Reported;
}

const bindings = {
  group: 'work.karmada.io',
  onlyFor: ['our scheduler', 'reductions'],
  says: BindingChanged.type,
  changed: (hub: string, key: ObjectKey) => BindingChanged.of({ hub, ...key }),
  // Where replicas are ready stands in the status.
  status: {
    onlyFor: ['reductions'],
    says: BindingStatusChanged.type,
    changed: (hub: string, key: ObjectKey) => BindingStatusChanged.of({ hub, ...key }),
  },
} as const;

const elastic = { onlyFor: ['elastic workloads'] } as const;
const clusterManagement = { ...elastic, group: 'cluster.open-cluster-management.io' } as const;

// The clusters stand in its status.
const placementDecision = {
  ...elastic,
  says: PlacementDecisionChanged.type,
  changed: (hub: string, key: ObjectKey) => PlacementDecisionChanged.of({ hub, ...key }),
} as const;

/** A hub has many that are not ours; whose one is stands in its name. */
const manifestWork = {
  ...elastic,
  says: ManifestWorkChanged.type,
  changed: (hub: string, { name }: ObjectKey) => {
    const owner = elasticOfWork(name);
    return owner && ManifestWorkChanged.of({ hub, ...owner });
  },
} as const;

const propagationPolicies = {
  group: 'policy.karmada.io',
  onlyFor: ['reductions'],
  says: PropagationPolicyChanged.type,
  changed: (hub: string, key: ObjectKey) => PropagationPolicyChanged.of({ hub, ...key }),
} as const;

export const watchedKinds: readonly WatchedKind[] = [
  {
    group: 'apps.karmada.io',
    resource: 'workloadrebalancers',
    namespaced: false,
    says: WorkloadRebalancerChanged.type,
    changed: (hub, { name }) => WorkloadRebalancerChanged.of({ hub, name }),
  },
  {
    group: 'evenkeel.dev',
    resource: 'rebalancepolicies',
    namespaced: false,
    onlyFor: ['policies'],
    says: RebalancePolicyChanged.type,
    changed: (hub, { name }) => RebalancePolicyChanged.of({ hub, name }),
  },
  {
    group: 'cluster.karmada.io',
    resource: 'clusters',
    namespaced: false,
    onlyFor: ['policies'],
    says: ClusterChanged.type,
    changed: (hub, { name }) => ClusterChanged.of({ hub, name }),
  },
  { ...bindings, resource: 'resourcebindings', namespaced: true },
  { ...bindings, resource: 'clusterresourcebindings', namespaced: false },
  { ...propagationPolicies, resource: 'propagationpolicies', namespaced: true },
  { ...propagationPolicies, resource: 'clusterpropagationpolicies', namespaced: false },
  ...elasticWorkloads.map(
    ({ group, plural: resource }): WatchedKind => ({
      ...elastic,
      group,
      resource,
      namespaced: true,
      scaled: true,
      says: ElasticWorkloadChanged.type,
      changed: (hub, key) => ElasticWorkloadChanged.of({ hub, group, ...key }),
    }),
  ),
  {
    ...clusterManagement,
    ...placementDecision,
    resource: 'placementdecisions',
    namespaced: true,
    status: placementDecision,
  },
  {
    ...clusterManagement,
    resource: 'managedclusters',
    namespaced: false,
    says: ManagedClusterChanged.type,
    changed: (hub, { name }) => ManagedClusterChanged.of({ hub, name }),
  },
  {
    ...manifestWork,
    group: 'work.open-cluster-management.io',
    resource: 'manifestworks',
    namespaced: true,
    status: manifestWork,
  },
];

/** What of ours is used on a hub. */
export interface UsedThere {
  readonly scheduler?: boolean | undefined;
  readonly policies?: boolean | undefined;
  readonly reductions?: boolean | undefined;
  readonly elastic?: boolean | undefined;
}

/** What a hub is to report of: only what some part of ours that is used there waits for. */
export function kindsToReport(used: UsedThere = {}): readonly WatchedKind[] {
  return watchedKinds.filter((kind) => isReported(kind, used));
}

/** Whether it is to report when the status of this kind is written. */
export function reportsStatus({ status }: WatchedKind, used: UsedThere): boolean {
  return status !== undefined && isReported(status, used);
}

function isReported(
  { onlyFor }: Reported,
  { scheduler = false, policies = false, reductions = false, elastic = false }: UsedThere,
): boolean {
  const isUsed = { 'our scheduler': scheduler, policies, reductions, 'elastic workloads': elastic };
  return onlyFor === undefined || onlyFor.some((use) => isUsed[use]);
}

/** What changes an object or ends it; everything else only reads. */
export const watchedVerbs: readonly string[] = ['create', 'update', 'patch', 'delete', 'deletecollection'];

/** What changed, as an audit event or a watch names it. Without a name it is a change that can't be told by name. */
export interface Change {
  readonly group: string;
  readonly resource: string;
  /** Whether only its status was written. */
  readonly ofStatus?: boolean;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** How much of a change is of our concern: its kind may not be watched, or the object not be ours. */
export type Concern =
  | { readonly verdict: 'none' }
  /** The kind is watched, and the key is none that a hub would take. */
  | { readonly verdict: 'unreadable' }
  | { readonly verdict: 'said'; readonly event: EvenkeelEvent };

/**
 * What to say of a change. One that can't be told by name (generateName at Metadata level, a deletecollection) is a resync of the hub:
 * slower, and as right.
 */
export function concernOf(hub: string, change: Change): Concern {
  const { group, resource, ofStatus = false, namespace = '', name = '' } = change;
  const kind = watchedKinds.find((watched) => watched.group === group && watched.resource === resource);
  const reported = ofStatus ? kind?.status : kind;
  if (kind === undefined || reported === undefined) return { verdict: 'none' };
  if (name === '') return { verdict: 'said', event: ResyncDue.of({ hub }) };
  const hasNamespace = kind.namespaced ? isObjectName(namespace) : namespace === '';
  if (!hasNamespace || !isObjectName(name)) return { verdict: 'unreadable' };
  const event = reported.changed(hub, { namespace, name });
  return event === undefined ? { verdict: 'none' } : { verdict: 'said', event };
}

/** The event to say of a change, where there is one. */
export function eventOfChange(hub: string, change: Change): EvenkeelEvent | undefined {
  const concern = concernOf(hub, change);
  return concern.verdict === 'said' ? concern.event : undefined;
}
