/** The bridge of one hub: while it leads, it publishes changes of the watched kinds on the bus. For hubs whose API server cannot be configured to send audit events. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventBus } from '../shared/bus/event-bus.ts';
import { eventOfChange, kindsToReport, markedFor, reportsStatus } from '../shared/bus/watched-kinds.ts';
import type { Telemetry } from '../shared/core/telemetry.ts';
import { addOnPlacementScores } from '../shared/elastic-workload/addon-score.ts';
import { elasticWorkloads as elasticWorkloadKinds } from '../shared/elastic-workload/elastic-workload.ts';
import { managedClusters } from '../shared/elastic-workload/managed-cluster.ts';
import { manifestWorks } from '../shared/elastic-workload/manifest-work.ts';
import { placementDecisions } from '../shared/elastic-workload/placement-decision.ts';
import { reductionPolicies } from '../shared/graceful-reduction/reduction-policy.ts';
import { clusterResourceBindings, resourceBindings } from '../shared/karmada/binding.ts';
import { memberClusters } from '../shared/karmada/member-cluster.ts';
import type { Connection } from '../shared/kubernetes/client/connection.ts';
import { createTransport } from '../shared/kubernetes/client/transport.ts';
import type { HubFeatures } from '../shared/kubernetes/hub-features.ts';
import type { ObjectKey } from '../shared/kubernetes/object-key.ts';
import type { Resource } from '../shared/kubernetes/resource.ts';
import { clusterDrains } from '../shared/rebalance-policy/cluster-drain.ts';
import { rebalancePolicies } from '../shared/rebalance-policy/rebalance-policy.ts';
import { workloadRebalancers } from '../shared/workload-rebalancer/workload-rebalancer.ts';
import { followHub } from './follow-hub.ts';
import { HubLease, type LeasePlace } from './hub-lease.ts';
import { HubWatch } from './hub-watch.ts';
import { leadWhile } from './lead.ts';

export interface BridgeOptions extends HubFeatures {
  /** The hub's name in the deployment; in every event. */
  readonly hub: string;
  readonly connection: Connection;
  readonly bus: EventBus;
  readonly lease: LeasePlace;
  /** Unique among bridges: the name of the pod. */
  readonly identity: string;
  readonly telemetry: Telemetry;
}

/** The watched kinds: a house test compares them with the table of watched kinds. */
export function followedKinds(features: HubFeatures): readonly Resource<unknown>[] {
  const { scheduler, policies, drains, gracefulReduction, history, elasticWorkloads } = features;
  return [
    workloadRebalancers,
    ...(policies ? [rebalancePolicies] : []),
    ...(drains ? [clusterDrains] : []),
    ...(policies || history ? [memberClusters] : []),
    ...(scheduler || gracefulReduction || history ? [resourceBindings, clusterResourceBindings] : []),
    ...(gracefulReduction ? reductionPolicies : []),
    ...(elasticWorkloads
      ? [...elasticWorkloadKinds, placementDecisions, managedClusters, addOnPlacementScores, manifestWorks]
      : []),
  ];
}

/** Kinds whose annotations or labels belong to the desired state, although no generation counts them. */
const worded: readonly Resource<unknown>[] = [...reductionPolicies, managedClusters, rebalancePolicies, clusterDrains];

const TIMEOUT_MS = 5000;

/** Runs until the signal aborts. Resolves when the lease is released and all requests have ended. */
export async function runBridge(options: BridgeOptions, signal: AbortSignal): Promise<void> {
  const { hub, connection, bus, lease, identity, telemetry } = options;
  const followed = followedKinds(options);
  // Separate connections, so that a hanging watch does not cost the lease.
  const watching = createTransport(connection, {
    maxSockets: 2 * followed.length,
    timeoutMs: TIMEOUT_MS,
    userAgent: 'evenkeel-bridge',
  });
  const holding = createTransport(connection, { maxSockets: 1, timeoutMs: TIMEOUT_MS, userAgent: 'evenkeel-bridge' });
  const follow = (resource: Resource<unknown>, term: AbortSignal) => {
    const { group, plural } = resource;
    const event = (ofStatus: boolean) => (key: ObjectKey) => {
      const found = eventOfChange(hub, { group, resource: plural, ofStatus, ...key });
      return found && markedFor([found], options)[0];
    };
    const [eventOf, statusEventOf] = [event(false), event(true)];
    const source = new HubWatch(watching, resource, {
      withWords: worded.includes(resource),
    });
    const isReported = kindsToReport(options).some(
      (kind) => kind.group === group && kind.resource === plural && reportsStatus(kind, options),
    );
    const mappers = { eventOf, ...(isReported && { statusEventOf }) };
    return followHub({ hub, kind: plural, source, bus, telemetry, ...mappers, wait, chance: Math.random }, term);
  };
  const store = new HubLease(holding, lease, Date.now);
  try {
    await leadWhile(
      { me: identity, hub, store, telemetry, now: Date.now, wait },
      async (term) => {
        await Promise.all(followed.map((resource) => follow(resource, term)));
      },
      signal,
    );
  } finally {
    watching.close();
    holding.close();
  }
}

/** Ends early, and without an error, when the signal aborts. */
async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
