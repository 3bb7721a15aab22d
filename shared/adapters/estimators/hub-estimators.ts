/** The estimator of each hub, as its connection chooses it; a connection that changes is taken up with the next question. */
import type { Instant } from '../../model/time.ts';
import type { ClusterEstimator, Estimators } from '../../ports/estimator.ts';
import type { Hub } from '../../ports/hub.ts';
import type { EstimatorChoice } from '../kubernetes/connection.ts';
import { GrpcEstimator } from '../scheduler-estimator/grpc-estimator.ts';
import { PodEstimator } from './pod-estimator.ts';

export interface HubEstimatorsOptions {
  readonly hubs: HubsWithEstimators;
  readonly timeoutMs: number;
  readonly now: () => Instant;
}

export interface HubsWithEstimators {
  connect(name: string): Promise<Hub>;
  /** What the hub's connection says now. */
  estimatorOf(name: string): Promise<EstimatorChoice | undefined>;
}

interface Kept {
  readonly choice: string;
  readonly estimator: GrpcEstimator;
}

export class HubEstimators implements Estimators {
  readonly #options: HubEstimatorsOptions;
  readonly #kept = new Map<string, Kept>();

  constructor(options: HubEstimatorsOptions) {
    this.#options = options;
  }

  async of(hub: string): Promise<ClusterEstimator | undefined> {
    const { hubs, timeoutMs, now } = this.#options;
    const choice = await hubs.estimatorOf(hub);
    if (choice?.kind === 'scheduler-estimator') return this.#grpc(hub, choice);
    this.#drop(hub);
    return choice === undefined ? undefined : new PodEstimator(await hubs.connect(hub), { timeoutMs, now });
  }

  /** At once: nothing of it keeps a process alive. */
  close(): void {
    for (const hub of [...this.#kept.keys()]) this.#drop(hub);
  }

  #grpc(hub: string, choice: Extract<EstimatorChoice, { kind: 'scheduler-estimator' }>): ClusterEstimator {
    const text = JSON.stringify(choice);
    const kept = this.#kept.get(hub);
    if (kept?.choice === text) return kept.estimator;
    this.#drop(hub);
    const estimator = new GrpcEstimator(choice, this.#options.timeoutMs);
    this.#kept.set(hub, { choice: text, estimator });
    return estimator;
  }

  #drop(hub: string): void {
    this.#kept.get(hub)?.estimator.close();
    this.#kept.delete(hub);
  }
}
