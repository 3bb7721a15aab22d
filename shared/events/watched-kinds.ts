/** The kinds whose changes concern us, in one table: for the receivers of audit events, the shipped audit policy and the bridge. */
import type { ObjectKey } from '../model/object-key.ts';
import { BindingChanged } from './catalogue/binding-changed.ts';
import { BindingStatusChanged } from './catalogue/binding-status-changed.ts';
import { ClusterChanged } from './catalogue/cluster-changed.ts';
import { PropagationPolicyChanged } from './catalogue/propagation-policy-changed.ts';
import { RebalancePolicyChanged } from './catalogue/rebalance-policy-changed.ts';
import { ResyncDue } from './catalogue/resync-due.ts';
import { WorkloadRebalancerChanged } from './catalogue/workload-rebalancer-changed.ts';
import { type EvenkeelEvent, isObjectName } from './event.ts';

/** What of ours a hub may be used for, and that not every hub is. */
export type Use = 'our scheduler' | 'policies' | 'reductions';

interface Reported {
  /**
   * Reported by a hub only where it is asked to for one of these: a big hub writes many bindings, and whose scheduler one names is
   * not to be seen in keys; and where nobody uses policies, no change of a cluster need wake anybody.
   */
  readonly onlyFor?: readonly Use[];
  /** The event of a change. */
  readonly says: string;
  readonly changed: (hub: string, key: ObjectKey) => EvenkeelEvent;
}

/** What is said when an object of this kind was created, edited or deleted. */
export interface WatchedKind extends Reported {
  readonly group: string;
  readonly resource: string;
  readonly namespaced: boolean;
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
];

/** What of ours is used on a hub. */
export interface UsedThere {
  readonly scheduler?: boolean | undefined;
  readonly policies?: boolean | undefined;
  readonly reductions?: boolean | undefined;
}

/** What a hub is to report of: of bindings where our scheduler is used there or reductions are held, of clusters where policies are. */
export function kindsToReport(used: UsedThere = {}): readonly WatchedKind[] {
  return watchedKinds.filter((kind) => isReported(kind, used));
}

/** Whether it is to report when the status of this kind is written. */
export function reportsStatus({ status }: WatchedKind, used: UsedThere): boolean {
  return status !== undefined && isReported(status, used);
}

function isReported(
  { onlyFor }: Reported,
  { scheduler = false, policies = false, reductions = false }: UsedThere,
): boolean {
  const isUsed = { 'our scheduler': scheduler, policies, reductions };
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

/**
 * The event to say of a change; undefined where the kind is not watched, or the key is none that a hub would take. A change
 * that can't be told by name (generateName at Metadata level, a deletecollection) is a resync of the hub: slower, and as right.
 */
export function eventOfChange(hub: string, change: Change): EvenkeelEvent | undefined {
  const { group, resource, ofStatus = false, namespace = '', name = '' } = change;
  const kind = watchedKinds.find((watched) => watched.group === group && watched.resource === resource);
  const reported = ofStatus ? kind?.status : kind;
  if (kind === undefined || reported === undefined) return undefined;
  if (name === '') return ResyncDue.of({ hub });
  const hasNamespace = kind.namespaced ? isObjectName(namespace) : namespace === '';
  return hasNamespace && isObjectName(name) ? reported.changed(hub, { namespace, name }) : undefined;
}
