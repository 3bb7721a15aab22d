/** Decides which ClusterDrains the events from outside need, and which runs of policies they start. */
import { compileCondition, flawOf } from '../../shared/admission/evaluate-rules.ts';
import { type Instant, SECOND, toTimestamp } from '../../shared/core/time.ts';
import { type AwsCluster, concerns, zoneShare } from '../../shared/external-events/aws-cluster.ts';
import { type ExternalEvent, LEAD } from '../../shared/external-events/external-event.ts';
import type { NewObject } from '../../shared/kubernetes/hub.ts';
import { apiVersionOf } from '../../shared/kubernetes/resource.ts';
import { FOR_EVENTS } from '../../shared/rebalance-policy/cluster-drain.ts';
import { shortName } from '../../shared/rebalance-policy/new-drain.ts';
import {
  durationMs,
  type ForEvents,
  type PolicySpec,
  type RebalancePolicy,
  rebalancePolicies,
} from '../../shared/rebalance-policy/rebalance-policy.ts';

export interface ObservedEvents {
  readonly events: readonly ExternalEvent[];
  readonly clusters: readonly AwsCluster[];
}

export type DrainChange =
  | { readonly change: 'create'; readonly object: NewObject }
  | { readonly change: 'edit'; readonly drain: RebalancePolicy; readonly spec: object }
  | { readonly change: 'delete'; readonly drain: RebalancePolicy };

type EventTrigger = NonNullable<PolicySpec['triggers']['externalEvents']>[number];

/** An event that concerns a cluster, for one entry of a policy. */
interface Concerning {
  readonly event: ExternalEvent;
  readonly entry: EventTrigger;
  readonly from: Instant;
  readonly until: Instant;
}

const VARIABLES = ['event'];

/** The error of an expression, in one line; undefined if it is valid. */
export function flawOfMatch(expression: string): string | undefined {
  return flawOf(expression, VARIABLES)?.split('\n', 1)[0];
}

/** Whether the hub's events from outside matter for one of its policies and drains. */
export function usesEvents(found: readonly RebalancePolicy[]): boolean {
  return found.some(({ spec, forEvents }) => spec.triggers.externalEvents !== undefined || forEvents !== undefined);
}

/** What is written so that each cluster is drained while events need it. `found`: all policies and drains of the hub. */
export function drainChanges(
  found: readonly RebalancePolicy[],
  observed: ObservedEvents,
  now: Instant,
): readonly DrainChange[] {
  const drains = found.filter(({ forEvents }) => forEvents !== undefined);
  const policies = found.filter(
    ({ drains: cluster, deletionTimestamp }) => !cluster && deletionTimestamp === undefined,
  );
  const kept = new Set<RebalancePolicy>();
  const written = policies.flatMap((policy): DrainChange[] => {
    const chosen = chosenBy(policy, observed.events).filter(({ entry }) => entry.action !== 'Rebalance');
    return observed.clusters.flatMap((cluster): DrainChange[] => {
      const drain = drains.find((each) => each.forEvents?.policy === policy.uid && each.drains === cluster.name);
      const needed = neededDrain({ policy, cluster, drain }, chosen, now);
      if (needed === undefined) return [];
      if (drain !== undefined) kept.add(drain);
      // What it has begun goes on while it is suspended.
      if (policy.spec.suspend) return [];
      if (drain === undefined) return [{ change: 'create', object: newEventDrain(policy, cluster, needed) }];
      const isSame = (drain.share?.percent ?? 100) === needed.percent && drain.until === needed.until;
      const { percent, until } = needed;
      return isSame ? [] : [{ change: 'edit', drain, spec: { percent, until: toTimestamp(until) } }];
    });
  });
  const over = drains.filter((drain) => !kept.has(drain) && drain.deletionTimestamp === undefined);
  return [...over.map((drain) => ({ change: 'delete', drain }) as const), ...written];
}

interface NeededDrain {
  readonly percent: number;
  readonly until: Instant;
  readonly forEvents: ForEvents;
}

interface DrainedFor {
  readonly policy: RebalancePolicy;
  readonly cluster: AwsCluster;
  /** The one that is there already. */
  readonly drain: RebalancePolicy | undefined;
}

/** Undefined if no event needs it now. */
function neededDrain(
  { policy, cluster, drain }: DrainedFor,
  chosen: readonly ChosenEvents[],
  now: Instant,
): NeededDrain | undefined {
  const all = chosen.flatMap((each) => concerning(each, cluster));
  const active = all.filter(({ from, until }) => from <= now && now < until);
  if (active.length === 0) return undefined;
  const since = drain?.forEvents?.since ?? Math.min(...active.map(({ from }) => from));
  const nodes = drain?.forEvents?.nodes ?? cluster.nodes;
  const percent = Math.max(
    // Replicas that have moved do not come back before it is over.
    drain === undefined ? 0 : (drain.share?.percent ?? 100),
    placeShare(active.filter(moves), cluster),
    instanceShare(
      // A warning may be older than the drain and arrive later; one that is over counts if it was since then.
      all.filter((each) => moves(each) && (active.includes(each) || each.from >= since)),
      nodes,
    ),
  );
  // Objects have their times in whole seconds.
  const until = Math.ceil(Math.max(...active.map((each) => each.until)) / SECOND) * SECOND;
  return { percent, until, forEvents: { policy: policy.uid, since, ...(nodes !== undefined && { nodes }) } };
}

function moves({ entry }: Concerning): boolean {
  return entry.action === 'Drain';
}

/** The percentage of the cluster in the zones of all events together; 100 if one of them is of no zone. */
function placeShare(concerned: readonly Concerning[], cluster: AwsCluster): number {
  const places = concerned.flatMap(({ event }) => (event.instances === undefined ? [event] : []));
  const all = { zones: places.flatMap(({ zones = [] }) => zones) };
  return Math.max(0, ...places.map((place) => Math.max(zoneShare(place, cluster), zoneShare(all, cluster))));
}

/** The percentage of the nodes that are named, rounded up. 0 if the cluster does not report its nodes: one instance is not all of it. */
function instanceShare(concerned: readonly Concerning[], nodes: number | undefined): number {
  const instances = new Set(concerned.flatMap(({ event }) => event.instances ?? []));
  return nodes === undefined ? 0 : Math.min(100, Math.ceil((instances.size * 100) / nodes));
}

/** The events that an entry of a policy chooses, of whatever cluster. */
interface ChosenEvents {
  readonly entry: EventTrigger;
  readonly events: readonly ExternalEvent[];
}

/** An expression is compiled once for all events. */
function chosenBy({ spec }: RebalancePolicy, events: readonly ExternalEvent[]): readonly ChosenEvents[] {
  return (spec.triggers.externalEvents ?? []).map((entry) => ({ entry, events: events.filter(chooserOf(entry)) }));
}

/** When the policy acts on each of these events, if the cluster is concerned. */
function concerning({ entry, events }: ChosenEvents, cluster: AwsCluster): readonly Concerning[] {
  if (entry.clusters !== undefined && !entry.clusters.includes(cluster.name)) return [];
  return events
    .filter((event) => concerns(event, cluster) || (entry.clusters !== undefined && hasNoPlace(event)))
    .map((event) => ({ event, entry, ...timesOf(entry, event) }));
}

/** The events of a pipeline: the policy names the clusters then. */
function hasNoPlace({ type, cluster }: ExternalEvent): boolean {
  return (type === 'Other' || type === 'Alert') && cluster === undefined;
}

function timesOf({ limit }: EventTrigger, { startsAt, repeatedAt = startsAt, endsAt, receivedAt }: ExternalEvent) {
  const from = startsAt > receivedAt ? Math.max(receivedAt, startsAt - LEAD) : startsAt;
  return { from, until: Math.min(endsAt ?? Number.POSITIVE_INFINITY, repeatedAt + durationMs(limit)) };
}

/** An invalid expression chooses nothing, and one that can't be evaluated for an event does not choose it. */
function chooserOf({ types, match }: EventTrigger): (event: ExternalEvent) => boolean {
  const isMatching = match === undefined ? () => types !== undefined : matcherOf(match);
  return (event) => (types === undefined || types.includes(event.type)) && isMatching(event);
}

function matcherOf(match: string): (event: ExternalEvent) => boolean {
  if (flawOfMatch(match) !== undefined) return () => false;
  const isTrue = compileCondition(match, VARIABLES);
  return ({ event }) => {
    try {
      return event !== undefined && isTrue({ event });
    } catch {
      return false;
    }
  };
}

function newEventDrain(
  policy: RebalancePolicy,
  cluster: AwsCluster,
  { percent, until, forEvents }: NeededDrain,
): NewObject {
  const { name, uid, spec } = policy;
  const { coolDown: _, requireGracefulReduction: __, ...strategy } = spec.strategy;
  const { kind } = rebalancePolicies;
  return {
    metadata: {
      name: shortName(`${name}-${cluster.name}`),
      annotations: { [FOR_EVENTS]: JSON.stringify(forEvents) },
      ownerReferences: [{ apiVersion: apiVersionOf(rebalancePolicies), kind, name, uid, controller: true }],
    },
    spec: {
      cluster: cluster.name,
      percent,
      until: toTimestamp(until),
      dryRun: spec.dryRun,
      selector: spec.selector,
      strategy,
    },
  };
}

/** The event that starts a run of the policy, and when the next event changes what it does. */
export interface EventTriggers {
  /** `at`: when it was received. */
  readonly event?: { readonly type: string; readonly at: Instant };
  readonly evaluateAt: Instant;
}

/** `after`: when the last event was received that has started a run. */
export function eventTriggers(
  policy: RebalancePolicy,
  { events, clusters }: ObservedEvents,
  { after, now }: { readonly after: Instant; readonly now: Instant },
): EventTriggers {
  const chosen = chosenBy(policy, events);
  const times = chosen.flatMap((each) =>
    clusters.flatMap((cluster) =>
      concerning(each, cluster).flatMap(({ from, until }) => [from, until].filter((at) => at > now)),
    ),
  );
  const starting = chosen
    .filter(({ entry }) => entry.action === 'Rebalance')
    .flatMap(({ entry, events: all }) =>
      all.filter((event) => {
        const { from, until } = timesOf(entry, event);
        if (event.receivedAt <= after || now < from || until <= now) return false;
        const one = { entry, events: [event] };
        return hasNoPlace(event) || clusters.some((cluster) => concerning(one, cluster).length > 0);
      }),
    )
    .sort((a, b) => b.receivedAt - a.receivedAt);
  const [last] = starting;
  return {
    ...(last && { event: { type: last.type, at: last.receivedAt } }),
    evaluateAt: Math.min(Number.POSITIVE_INFINITY, ...times),
  };
}
