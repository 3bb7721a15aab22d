/** Rebalances: the tasks of WorkloadRebalancers, and new ones. */
import * as z from 'zod/mini';
import { command, query, wholeNumber } from '../operation.ts';
import { ofHub, time, workloadReference } from './parts.ts';

const taskState = z.enum(['Running', 'Finished', 'Abandoned']);

const rescheduling = z.object({
  /** `Waiting` until the scheduler has acted on every trigger, `Confirmed` then, `Overdue` when it did not in time. */
  state: z.enum(['Waiting', 'Confirmed', 'Overdue']),
  /** Triggers on which the scheduler has acted. */
  confirmed: z.number(),
  /** Bindings that were deleted after their trigger was written; absent in tasks of older versions. */
  gone: z.optional(z.number()),
  /** The first that wait, as "Deployment shop/web". */
  waitingFor: z.array(z.string()),
});

export const taskSummary = z.object({
  /** Of the WorkloadRebalancer, as are uid and generation. */
  name: z.string(),
  uid: z.string(),
  generation: z.number(),
  state: taskState,
  workloads: z.number(),
  successful: z.number(),
  failed: z.number(),
  updatedAt: time,
  finishedAt: z.optional(time),
});

export const listTasks = query({
  path: '/hubs/{hub}/tasks',
  description: 'The rebalances of a hub, the one that changed last first; a second or two behind.',
  input: z.object({ ...ofHub, limit: z._default(wholeNumber(1, 500), 100) }),
  output: z.object({ tasks: z.array(taskSummary) }),
});

const taskWorkload = z.object({
  workload: workloadReference,
  /** Absent until its trigger is written. */
  result: z.optional(z.enum(['Successful', 'Failed'])),
  reason: z.optional(z.string()),
  /** In words. */
  why: z.optional(z.string()),
  /** From when on a rescheduling is wanted. */
  wantedSince: time,
});

export const getTask = query({
  path: '/hubs/{hub}/tasks/{name}',
  description:
    'One rebalance with the result of each workload, by the name of its WorkloadRebalancer: the latest of that name.',
  input: z.object({
    ...ofHub,
    name: z.string(),
    /** Of the latest task of that name, if it is known: the list of tasks is a moment behind, and may lack a task that just changed. */
    uid: z.optional(z.string()),
    /** Workloads from here on, in the order of the status; 500 at a time. */
    from: z._default(wholeNumber(0, 1_000_000), 0),
  }),
  output: z.object({
    task: z.extend(taskSummary, {
      createdAt: time,
      rescheduling: z.optional(rescheduling),
      ttlSecondsAfterFinished: z.optional(z.number()),
      /** When its ttl ends, if it has one and is finished. */
      deletedAt: z.optional(time),
      /** Of the trace that planned it, if the deployment exports traces. */
      traceId: z.optional(z.string()),
    }),
    workloads: z.array(taskWorkload),
  }),
});

export const createRebalancer = command({
  path: '/hubs/{hub}/rebalancers',
  description: 'Creates a WorkloadRebalancer on the hub, as kubectl would.',
  input: z.object({
    ...ofHub,
    workloads: z.array(workloadReference).check(z.minLength(1), z.maxLength(5000)),
    ttlSecondsAfterFinished: z.optional(z.int().check(z.gte(0), z.lte(2_147_483_647))),
  }),
  output: z.object({ name: z.string(), uid: z.string() }),
});

export type TaskSummary = z.output<typeof taskSummary>;
export type TaskWorkloadResult = z.output<typeof taskWorkload>;
export type TaskAnswer = z.output<typeof getTask.output>;
