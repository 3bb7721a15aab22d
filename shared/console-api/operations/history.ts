/** Where replicas were over time, and who moved them; the states of clusters. */
import * as z from 'zod/mini';
import { memberStates } from '../../placement-history/cluster-row.ts';
import { causes } from '../../placement-history/placement-row.ts';
import { query, wholeNumber } from '../operation.ts';
import { bindingKey, numbers, ofHub, time, workloadReference } from './parts.ts';

const range = {
  /** RFC 3339; one day before `to` by default. */
  from: z.optional(time),
  /** RFC 3339; now by default. */
  to: z.optional(time),
  limit: z._default(wholeNumber(1, 1000), 200),
  /** `next` of the page before, with the same `from` and `to`. */
  next: z.optional(z.string().check(z.maxLength(600))),
};

const cause = z.object({
  by: z.enum(causes),
  /** Of the object, the client or the run. */
  name: z.optional(z.string()),
  why: z.optional(z.string()),
});

const recordedPlacement = z.object({
  at: time,
  /** Of the binding: one that was created again has another. */
  uid: z.string(),
  workload: workloadReference,
  total: z.number(),
  assigned: numbers,
  ready: numbers,
  /** Absent if only the ready replicas changed. */
  cause: z.optional(cause),
  /** The binding was deleted. */
  gone: z.boolean(),
});

export const listPlacements = query({
  path: '/hubs/{hub}/bindings/{namespace}/{name}/placements',
  description:
    'How the replicas of a workload were placed and ready over time, newest first, of a hub with the feature history. By the key of its binding; the namespace of a ClusterResourceBinding is "-".',
  input: z.object({ ...ofHub, namespace: z.string(), name: z.string(), ...range }),
  output: z.object({
    /** The placement at `from`; absent if none was recorded before, and in pages after the first. */
    before: z.optional(recordedPlacement),
    placements: z.array(recordedPlacement),
    /** For the next page; absent after the last. */
    next: z.optional(z.string()),
  }),
});

const amounts = z.record(z.string(), z.string());

const recordedCluster = z.object({
  at: time,
  state: z.enum(memberStates),
  taints: z.array(z.string()),
  why: z.optional(z.string()),
  /** Kubernetes quantities: "cpu": "32". */
  capacity: z.optional(z.object({ allocatable: amounts, allocated: amounts })),
});

const recordedMove = z.object({
  at: time,
  binding: bindingKey,
  workload: workloadReference,
  /** Replicas on the cluster before and after. */
  from: z.number(),
  to: z.number(),
  cause: z.optional(cause),
});

export const getClusterHistory = query({
  path: '/hubs/{hub}/clusters/{cluster}/history',
  description:
    'The states of a cluster over time, and what moved to and from it, each newest first, of a hub with the feature history.',
  input: z.object({ ...ofHub, cluster: z.string(), ...range }),
  output: z.object({
    /** The state at `from`; absent if none was recorded before, and in pages after the first. */
    before: z.optional(recordedCluster),
    /** The newest `limit`; none in pages after the first. */
    states: z.array(recordedCluster),
    moves: z.array(recordedMove),
    /** For the next page of moves; absent after the last. */
    next: z.optional(z.string()),
  }),
});

export type RecordedPlacement = z.output<typeof recordedPlacement>;
export type RecordedCause = z.output<typeof cause>;
export type PlacementsAnswer = z.output<typeof listPlacements.output>;
export type ClusterHistoryAnswer = z.output<typeof getClusterHistory.output>;
