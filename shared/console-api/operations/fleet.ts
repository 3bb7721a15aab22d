/** Where replicas are: clusters and workloads of a hub, and one workload by itself. */
import * as z from 'zod/mini';
import { query } from '../operation.ts';
import { bindingKey, numbers, ofHub, time, workloadReference } from './parts.ts';

const fleetCluster = z.object({
  name: z.string(),
  /** Ready, not tainted and not being deleted. */
  healthy: z.boolean(),
  ready: z.boolean(),
  /** As "cluster.karmada.io/not-ready:NoExecute". */
  taints: z.array(z.string()),
  /** As the cluster reports them; absent where it does not. */
  pods: z.optional(z.object({ allocatable: z.number(), allocated: z.number() })),
  /** A member cluster of Karmada, on a hub that is registered with ClusterDrains. */
  drainable: z.boolean(),
  /** Its ClusterDrain, with the state and message of its status; absent unless it is drained. */
  drain: z.optional(z.object({ name: z.string(), state: z.string(), message: z.string() })),
});

const fleetWorkload = z.object({
  /** The propagated object; for an ElasticWorkload its own kind and name. */
  kind: z.string(),
  namespace: z.string(),
  name: z.string(),
  /** The key of the binding, or of the ElasticWorkload. */
  key: bindingKey,
  /** Total replicas. */
  replicas: z.number(),
  /** [index of the cluster in `clusters`, assigned, ready, held]: held replicas wait for their replacement. */
  shares: z.array(z.tuple([z.number(), z.number(), z.number(), z.number()])),
});

export const getFleet = query({
  path: '/hubs/{hub}/fleet',
  description: 'Every cluster and every workload of a hub, with the replicas of each in each.',
  input: z.object(ofHub),
  output: z.object({ clusters: z.array(fleetCluster), workloads: z.array(fleetWorkload) }),
});

/** One line of a workload's history. */
const moment = z.object({
  at: time,
  /** The actor: a function or a part of the hub ("descheduler", "scheduler", "RebalancePolicy come-home"). */
  who: z.string(),
  /** `seen`, `decided` or `written`. */
  what: z.enum(['seen', 'decided', 'written']),
  text: z.string(),
  /** Id of the record: a run, a rebalancer's uid, or an event on the bus. */
  id: z.optional(z.string()),
});

export const getWorkload = query({
  path: '/hubs/{hub}/bindings/{namespace}/{name}',
  description:
    'One binding: where its replicas are, what Steady and Fresh would make of it now, what is held, and its history. The namespace of a ClusterResourceBinding is "-".',
  input: z.object({ ...ofHub, namespace: z.string(), name: z.string() }),
  output: z.object({
    key: bindingKey,
    workload: workloadReference,
    replicas: z.number(),
    scheduler: z.string(),
    triggeredAt: z.optional(time),
    scheduledAt: z.optional(time),
    clusters: z.array(
      z.object({
        name: z.string(),
        assigned: z.number(),
        ready: z.number(),
        /** Held until their replacement is ready, with start and deadline. */
        held: z.optional(z.object({ replicas: z.number(), since: z.optional(time), until: z.optional(time) })),
      }),
    ),
    plan: z.object({
      steady: z.nullable(numbers),
      fresh: z.nullable(numbers),
      /** Replicas that Fresh removes from clusters that have them. */
      moves: z.number(),
      outcome: z.string(),
      reason: z.string(),
    }),
    /** Newest first. */
    history: z.array(moment),
  }),
});

export const traceBinding = query({
  path: '/hubs/{hub}/bindings/{namespace}/{name}/trace',
  description:
    'Log lines of the functions about one binding, and about the rebalancer that last triggered it, of the last day, with the ids of the consumed events; seconds behind.',
  input: z.object({ ...ofHub, namespace: z.string(), name: z.string() }),
  output: z.object({
    /** Newest first. */
    history: z.array(moment),
  }),
});

export type FleetCluster = z.output<typeof fleetCluster>;
export type FleetWorkload = z.output<typeof fleetWorkload>;
export type FleetAnswer = z.output<typeof getFleet.output>;
export type WorkloadAnswer = z.output<typeof getWorkload.output>;
export type Moment = z.output<typeof moment>;
