/** The watched kinds, in one table: for the receivers of audit events, the published audit policy and the bridge. */
import { elasticOfWork, elasticWorkloads } from '../elastic-workload/elastic-workload.ts';
import type { HubFeature, HubFeatures } from '../kubernetes/hub-features.ts';
import type { ObjectKey } from '../kubernetes/object-key.ts';
import {
  AddOnPlacementScoreChanged,
  BindingChanged,
  BindingStatusChanged,
  ClusterChanged,
  ClusterDrainChanged,
  ElasticWorkloadChanged,
  ManagedClusterChanged,
  ManifestWorkChanged,
  PlacementDecisionChanged,
  PropagationPolicyChanged,
  RebalancePolicyChanged,
  ResyncDue,
  WorkloadRebalancerChanged,
} from './catalogue.ts';
import { type EvenkeelEvent, isObjectName, marked } from './event.ts';

interface ReportedChange {
  /**
   * Reported only if the hub has one of these features: a big hub writes many bindings, and their keys do not show
   * their scheduler; and without policies, changes of clusters need no event.
   */
  readonly onlyFor?: readonly HubFeature[];
  /** The event of a change. */
  readonly publishes: string;
  /** Undefined if the object's name shows that it is not ours. */
  readonly changed: (hub: string, key: ObjectKey) => EvenkeelEvent | undefined;
}

/** The event for an object of this kind that was created, edited or deleted. */
export interface WatchedKind extends ReportedChange {
  readonly group: string;
  readonly resource: string;
  readonly namespaced: boolean;
  /** Whether users also edit it by its scale subresource. */
  readonly scaled?: true;
  /** The event for a write of its status; absent if status changes are not needed. */
  readonly status?: ReportedChange;
}

const bindings = {
  group: 'work.karmada.io',
  onlyFor: ['scheduler', 'gracefulReduction', 'history'],
  publishes: BindingChanged.type,
  changed: (hub: string, key: ObjectKey) => BindingChanged.of({ hub, ...key }),
  // The status shows where replicas are ready.
  status: {
    onlyFor: ['gracefulReduction', 'history'],
    publishes: BindingStatusChanged.type,
    changed: (hub: string, key: ObjectKey) => BindingStatusChanged.of({ hub, ...key }),
  },
} as const;

const elastic = { onlyFor: ['elasticWorkloads'] } as const;
const clusterManagement = { ...elastic, group: 'cluster.open-cluster-management.io' } as const;

// The status contains the clusters.
const placementDecision = {
  ...elastic,
  publishes: PlacementDecisionChanged.type,
  changed: (hub: string, key: ObjectKey) => PlacementDecisionChanged.of({ hub, ...key }),
} as const;

// The status contains the scores.
const addOnPlacementScore = {
  ...elastic,
  publishes: AddOnPlacementScoreChanged.type,
  changed: (hub: string, { name }: ObjectKey) => AddOnPlacementScoreChanged.of({ hub, resourceName: name }),
} as const;

/** A hub has many that are not ours; the name shows the owner. */
const manifestWork = {
  ...elastic,
  publishes: ManifestWorkChanged.type,
  changed: (hub: string, { name }: ObjectKey) => {
    const owner = elasticOfWork(name);
    return owner && ManifestWorkChanged.of({ hub, ...owner });
  },
} as const;

const propagationPolicies = {
  group: 'policy.karmada.io',
  onlyFor: ['gracefulReduction'],
  publishes: PropagationPolicyChanged.type,
  changed: (hub: string, key: ObjectKey) => PropagationPolicyChanged.of({ hub, ...key }),
} as const;

export const watchedKinds: readonly WatchedKind[] = [
  {
    group: 'apps.karmada.io',
    resource: 'workloadrebalancers',
    namespaced: false,
    publishes: WorkloadRebalancerChanged.type,
    changed: (hub, { name }) => WorkloadRebalancerChanged.of({ hub, name }),
  },
  {
    group: 'evenkeel.dev',
    resource: 'rebalancepolicies',
    namespaced: false,
    onlyFor: ['policies'],
    publishes: RebalancePolicyChanged.type,
    changed: (hub, { name }) => RebalancePolicyChanged.of({ hub, name }),
  },
  {
    group: 'evenkeel.dev',
    resource: 'clusterdrains',
    namespaced: false,
    onlyFor: ['drains'],
    publishes: ClusterDrainChanged.type,
    changed: (hub, { name }) => ClusterDrainChanged.of({ hub, name }),
  },
  {
    group: 'cluster.karmada.io',
    resource: 'clusters',
    namespaced: false,
    onlyFor: ['policies', 'history'],
    publishes: ClusterChanged.type,
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
      publishes: ElasticWorkloadChanged.type,
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
    publishes: ManagedClusterChanged.type,
    changed: (hub, { name }) => ManagedClusterChanged.of({ hub, name }),
  },
  {
    ...clusterManagement,
    ...addOnPlacementScore,
    resource: 'addonplacementscores',
    namespaced: true,
    status: addOnPlacementScore,
  },
  {
    ...manifestWork,
    group: 'work.open-cluster-management.io',
    resource: 'manifestworks',
    namespaced: true,
    status: manifestWork,
  },
];

/** The kinds that a hub reports: only those that one of its features needs. */
export function kindsToReport(features: HubFeatures = {}): readonly WatchedKind[] {
  return watchedKinds.filter((kind) => isReported(kind, features));
}

/** Whether the hub reports status writes of this kind. */
export function reportsStatus({ status }: WatchedKind, features: HubFeatures): boolean {
  return status !== undefined && isReported(status, features);
}

function isReported({ onlyFor }: ReportedChange, features: HubFeatures): boolean {
  return onlyFor === undefined || onlyFor.some((feature) => features[feature]);
}

/** Verbs that change or delete an object; all others only read. */
export const watchedVerbs: readonly string[] = ['create', 'update', 'patch', 'delete', 'deletecollection'];

/** A change in an audit event or a watch. Without a name it can't be assigned to an object. */
export interface ObservedChange {
  readonly group: string;
  readonly resource: string;
  /** Whether only its status was written. */
  readonly ofStatus?: boolean;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** Whether a change is relevant: its kind may not be watched, or the object may not be ours. */
export type ChangeRelevance =
  | { readonly result: 'none' }
  /** The kind is watched, but the key is invalid. */
  | { readonly result: 'unreadable' }
  | { readonly result: 'relevant'; readonly event: EvenkeelEvent };

/**
 * The event for a change. A change without a name (generateName at Metadata level, a deletecollection) becomes a resync of the hub:
 * slower, but correct.
 */
export function relevanceOf(hub: string, change: ObservedChange): ChangeRelevance {
  const { group, resource, ofStatus = false, namespace = '', name = '' } = change;
  const kind = watchedKinds.find((watched) => watched.group === group && watched.resource === resource);
  const reported = ofStatus ? kind?.status : kind;
  if (kind === undefined || reported === undefined) return { result: 'none' };
  if (name === '') return { result: 'relevant', event: ResyncDue.of({ hub }) };
  const hasNamespace = kind.namespaced ? isObjectName(namespace) : namespace === '';
  if (!hasNamespace || !isObjectName(name)) return { result: 'unreadable' };
  const event = reported.changed(hub, { namespace, name });
  return event === undefined ? { result: 'none' } : { result: 'relevant', event };
}

/** The event for a change, if there is one. */
export function eventOfChange(hub: string, change: ObservedChange): EvenkeelEvent | undefined {
  const concern = relevanceOf(hub, change);
  return concern.result === 'relevant' ? concern.event : undefined;
}

const recorded: readonly string[] = [BindingChanged.type, BindingStatusChanged.type, ClusterChanged.type];

/** Marks the events that are recorded, for a hub with the feature `history`. */
export function markedFor(
  events: readonly EvenkeelEvent[],
  { history = false }: Pick<HubFeatures, 'history'>,
): readonly EvenkeelEvent[] {
  return history ? events.map((event) => (recorded.includes(event.type) ? marked(event, 'history') : event)) : events;
}
