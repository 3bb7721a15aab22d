/** Replicas that our scheduler assigned on a hub lately and the clusters' reports may not include yet, for concurrent and later invocations. */
import { fnv1a } from '../../core/fnv1a.ts';
import { type Instant, SECOND } from '../../core/time.ts';
import { type AssumedReplicas, createAssumeCache } from './assume-cache.ts';
import type { Cluster } from './cluster.ts';

/** The assignments of a few seconds. */
export interface RecentAssignment {
  /** Of the first of them. */
  readonly at: Instant;
  readonly replicas: AssumedReplicas;
  /** By cluster: a hash of its report, by which they were decided. */
  readonly reports: Readonly<Record<string, number>>;
}

/** The oldest first. */
export type RecentAssignments = readonly RecentAssignment[];

export interface StoredAssignments {
  readonly recent: RecentAssignments;
  /** Counts the writes of its row. */
  readonly version: number;
}

export interface AssignmentStore {
  /** Strongly consistent. */
  read(hub: string): Promise<StoredAssignments | undefined>;
  /** False if another invocation has saved some since `before` was read. They are kept until `expiresAt` at least. */
  save(
    hub: string,
    recent: RecentAssignments,
    options: { readonly before: StoredAssignments | undefined; readonly expiresAt: Instant },
  ): Promise<boolean>;
}

/** Pods of an assignment exist on the member within seconds, and Karmada's agent reports every 10 s: an earlier report may not include them. */
const REPORTED_AFTER_MS = 15 * SECOND;

/** After this an assignment is assumed no longer, even if the cluster's report did not change: its pods were not created. */
export const ASSUMED_FOR_MS = 60 * SECOND;

/** Assignments of this time are one: a row has a limited size, and a busy hub a few invocations a second. */
const TOGETHER_MS = 5 * SECOND;

/** Below the 400 kB of a row in DynamoDB: about 1,000 clusters with three resources, four times. */
const MOST_CHARACTERS = 350_000;

/** Those that a report may not include yet. A report that changed since includes them, if it is late enough. */
export function stillAssumed(recent: RecentAssignments, clusters: readonly Cluster[], now: Instant): AssumedReplicas {
  const reports = new Map(clusters.map((cluster) => [cluster.name, reportOf(cluster)]));
  const sum = createAssumeCache();
  for (const { at, replicas, reports: before } of within(recent, now)) {
    for (const [cluster, amounts] of Object.entries(replicas)) {
      const isIncluded = now - at >= REPORTED_AFTER_MS && reports.get(cluster) !== before[cluster];
      if (!isIncluded) sum.addAmounts(cluster, amounts);
    }
  }
  return sum.assumed();
}

/** With these replicas, assigned now. The oldest are left out if a row could not hold all of them. */
export function withAssigned(
  recent: RecentAssignments,
  { replicas, clusters, now }: { replicas: AssumedReplicas; clusters: readonly Cluster[]; now: Instant },
): RecentAssignments {
  const reports = Object.fromEntries(
    clusters.filter(({ name }) => Object.hasOwn(replicas, name)).map((cluster) => [cluster.name, reportOf(cluster)]),
  );
  const kept = within(recent, now);
  const last = kept.at(-1);
  const merged =
    last === undefined || now - last.at >= TOGETHER_MS
      ? [...kept, { at: now, replicas, reports }]
      : [...kept.slice(0, -1), merge(last, { replicas, reports })];
  let first = 0;
  while (JSON.stringify(merged.slice(first)).length > MOST_CHARACTERS) first += 1;
  return merged.slice(first);
}

function within(recent: RecentAssignments, now: Instant): RecentAssignments {
  return recent.filter(({ at }) => now - at < ASSUMED_FOR_MS);
}

function merge(last: RecentAssignment, { replicas, reports }: Omit<RecentAssignment, 'at'>): RecentAssignment {
  const sum = createAssumeCache(last.replicas);
  for (const [cluster, amounts] of Object.entries(replicas)) sum.addAmounts(cluster, amounts);
  return { at: last.at, replicas: sum.assumed(), reports: { ...last.reports, ...reports } };
}

function reportOf({ resourceSummary }: Cluster): number {
  return fnv1a(JSON.stringify(resourceSummary ?? null));
}
