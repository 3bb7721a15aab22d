/** The kinds whose changes concern us, in one table: for the receivers of audit events, the shipped audit policy and the bridge. */
import { ResyncDue } from './catalogue/resync-due.ts';
import { WorkloadRebalancerChanged } from './catalogue/workload-rebalancer-changed.ts';
import { type EvenkeelEvent, type EventDefinition, isObjectName } from './event.ts';

export interface WatchedKind {
  readonly group: string;
  readonly resource: string;
  /** What is said when an object of this kind was created, edited or deleted. */
  readonly changed: EventDefinition<{ readonly hub: string; readonly name: string }>;
}

export const watchedKinds: readonly WatchedKind[] = [
  { group: 'apps.karmada.io', resource: 'workloadrebalancers', changed: WorkloadRebalancerChanged },
];

/** What changes an object or ends it; everything else only reads. */
export const watchedVerbs: readonly string[] = ['create', 'update', 'patch', 'delete', 'deletecollection'];

/** What changed, as an audit event or a watch names it. Without a name it is a change that can't be told by name. */
export interface Change {
  readonly group: string;
  readonly resource: string;
  readonly name?: string | undefined;
}

/**
 * The event to say of a change; undefined where the kind is not watched, or the name is none that a hub would take. A change
 * that can't be told by name (generateName at Metadata level, a deletecollection) is a resync of the hub: slower, and as right.
 */
export function eventOfChange(hub: string, { group, resource, name = '' }: Change): EvenkeelEvent | undefined {
  const kind = watchedKinds.find((watched) => watched.group === group && watched.resource === resource);
  if (kind === undefined) return undefined;
  if (name === '') return ResyncDue.of({ hub });
  return isObjectName(name) ? kind.changed.of({ hub, name }) : undefined;
}
