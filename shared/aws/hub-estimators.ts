/** The estimator of each hub, by its connection; a changed connection takes effect on the next query. */

import type { InvocationContext } from '../core/invocation.ts';
import { RecentlyUsed } from '../core/recently-used.ts';
import type { Instant } from '../core/time.ts';
import type { ClusterEstimator, Estimators } from '../estimator/estimator.ts';
import { GrpcEstimator } from '../estimator/grpc-estimator.ts';
import { PodEstimator } from '../estimator/pod-estimator.ts';
import type { EstimatorChoice } from '../kubernetes/client/connection.ts';
import type { Hub } from '../kubernetes/hub.ts';
import type { Environment } from './client-config.ts';
import { secretHubs } from './secrets-manager/secret-hubs.ts';

export interface HubEstimatorsOptions {
  readonly hubs: HubsWithEstimators;
  readonly timeoutMs: number;
  readonly now: () => Instant;
}

export interface HubsWithEstimators {
  connect(name: string): Promise<Hub>;
  /** The estimator of the hub's current connection. */
  estimatorOf(name: string): Promise<EstimatorChoice | undefined>;
}

interface CachedEstimator {
  readonly choice: string;
  readonly estimator: GrpcEstimator;
}

/** As many as an instance keeps connections of hubs. A batch, of at most ten messages, never uses so many at once. */
const MOST_ESTIMATORS = 100;

export class HubEstimators implements Estimators {
  readonly #options: HubEstimatorsOptions;
  readonly #kept = new RecentlyUsed<CachedEstimator>({
    most: MOST_ESTIMATORS,
    drop: ({ estimator }) => estimator.close(),
  });

  constructor(options: HubEstimatorsOptions) {
    this.#options = options;
  }

  async of(hub: string): Promise<ClusterEstimator | undefined> {
    const { hubs, timeoutMs, now } = this.#options;
    const choice = await hubs.estimatorOf(hub);
    if (choice?.kind === 'scheduler-estimator') return this.#grpc(hub, choice);
    this.#kept.delete(hub);
    return choice === undefined ? undefined : new PodEstimator(await hubs.connect(hub), { timeoutMs, now });
  }

  /** Immediate: no open handles remain. */
  close(): void {
    this.#kept.clear();
  }

  #grpc(hub: string, choice: Extract<EstimatorChoice, { kind: 'scheduler-estimator' }>): ClusterEstimator {
    const text = JSON.stringify(choice);
    const kept = this.#kept.get(hub);
    if (kept?.choice === text) return kept.estimator;
    const estimator = new GrpcEstimator(choice, this.#options.timeoutMs);
    this.#kept.set(hub, { choice: text, estimator });
    return estimator;
  }
}

export function awsEstimators(context: InvocationContext, environment: Environment): Estimators {
  const { settings, now } = context;
  const hubs = secretHubs(context, environment);
  return new HubEstimators({ hubs, timeoutMs: settings.estimatorTimeoutSeconds * 1000, now });
}
