/** The registry of hubs: one record per hub, which the functions read and the command line writes. No record contains a credential. */
import type { Instant } from '../core/time.ts';
import type { HubFeature } from './hub-features.ts';
import type { Pause } from './hub-pause.ts';

/** Digests of the credentials that callers of the hook present for a hub. SHA-256 in hex. */
export interface HookCallers {
  readonly tokenDigests: readonly string[];
  readonly reviewKeyDigests: readonly string[];
  /** Subjects of client certificates, if the hook's domain requires mutual TLS. */
  readonly subjects: readonly string[];
}

export interface HubRecord {
  /** A DNS label of at most 40 characters. */
  readonly name: string;
  /** `Removing`: the functions no longer connect to it, and its schedules and open tasks are being deleted. */
  readonly state: 'Active' | 'Removing';
  /** While present, nothing is written on the hub. */
  readonly pause?: Pause | undefined;
  readonly features: readonly HubFeature[];
  /** URL of the API server, for lists; the functions take it from the connection. */
  readonly server: string;
  /** Our user name on the hub, so that our own writes are not taken for those of users. */
  readonly account?: string | undefined;
  readonly callers: HookCallers;
  /** Log group of the control plane, if audit events are read from it; for EKS: /aws/eks/CLUSTER/cluster. */
  readonly auditLogGroup?: string | undefined;
  /** False: its connection has no estimator, so it is not descheduled. Absent in records of earlier versions. */
  readonly hasEstimator?: boolean | undefined;
  /** 1 for a new record, and one more with each write. A changed revision makes the functions read the connection again. */
  readonly revision: number;
}

/** A record before it is written. */
export type NewHubRecord = Omit<HubRecord, 'revision'>;

export interface HubRegistry {
  /** All hubs, by name, without invalid records, which are reported. Strongly consistent. */
  list(): Promise<readonly HubRecord[]>;
  /** Strongly consistent. A terminal Fault `InvalidHubRecord` if the record is invalid. */
  read(name: string): Promise<HubRecord | undefined>;
  /** Writes the record over this revision; 0: a new one, or over an invalid one. `changed`: another client has written it, and nothing is written. */
  write(record: NewHubRecord, revision: number): Promise<'done' | 'changed'>;
  /** `changed`: another client has written or deleted it; a written one is kept. */
  delete(name: string, revision: number): Promise<'done' | 'changed'>;
  /** Until when the recurring events of all hubs are published; undefined before the first. */
  publishedUntil(): Promise<Instant | undefined>;
  /** `changed`: another invocation has moved it from `from`. */
  markPublished(from: Instant | undefined, until: Instant): Promise<'done' | 'changed'>;
}
