/** What is remembered of ElasticWorkloads in the table, between two looks. A lost row costs time, and moves nothing: the hub has the numbers. */
import type { Memory } from '../model/elastic-workload/balance-replicas.ts';
import type { Instant } from '../model/time.ts';

/** Of the hub, and the ElasticWorkload's uid. */
export interface ElasticRowKey {
  readonly hub: string;
  readonly uid: string;
}

export interface ElasticRow extends ElasticRowKey {
  /** 0 where nothing is kept yet. */
  readonly version: number;
  readonly memory: Memory;
}

export interface ElasticStore {
  /** Strongly consistent. */
  read(key: ElasticRowKey): Promise<ElasticRow | undefined>;
  /** Replaces what is remembered, if it still is of `row.version`; it is then of the next one. Kept until `expiresAt`, or for good. */
  save(row: ElasticRow, expiresAt?: Instant): Promise<boolean>;
}
