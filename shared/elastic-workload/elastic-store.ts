/** Reconciler state of ElasticWorkloads in the table. Losing a row delays reconciles but moves nothing: the hub has the numbers. */

import type { Instant } from '../core/time.ts';
import type { ReconcilerState } from './replica-balance.ts';

/** The hub, and the ElasticWorkload's uid. */
export interface ElasticRowKey {
  readonly hub: string;
  readonly uid: string;
}

export interface ElasticRow extends ElasticRowKey {
  /** 0 if nothing is stored yet. */
  readonly version: number;
  readonly memory: ReconcilerState;
}

export interface ElasticStore {
  /** Strongly consistent. */
  read(key: ElasticRowKey): Promise<ElasticRow | undefined>;
  /** Replaces the state if it still has `row.version`, and increments the version. Kept until `expiresAt`, or forever. */
  save(row: ElasticRow, expiresAt?: Instant): Promise<boolean>;
}
