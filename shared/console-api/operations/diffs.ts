/** Where the replicas of a task's or a run's workloads were before it and after it. */
import * as z from 'zod/mini';
import { query, wholeNumber } from '../operation.ts';
import { policyRun } from './decisions.ts';
import { numbers, ofHub, time, workloadReference } from './parts.ts';
import { taskSummary } from './tasks.ts';

const workloadDiff = z.object({
  workload: workloadReference,
  /**
   * `Moved`: on other clusters, or with other replicas on them. `Unchanged`: the scheduler kept its assignment. `Pending`: the outcome is not
   * known yet. `Rescheduled`: the scheduler has acted, but no placements are recorded, so what changed is not known. `Failed`: with the reason
   * in `why`. `Skipped`: it was left alone.
   */
  outcome: z.enum(['Moved', 'Unchanged', 'Pending', 'Rescheduled', 'Failed', 'Skipped']),
  /** Absent if it is not known. */
  before: z.optional(numbers),
  after: z.optional(numbers),
  /** Whether `before` and `after` are recorded placements, or the plan of the run. */
  source: z.optional(z.enum(['Recorded', 'Planned'])),
  /** Replicas that left their clusters. */
  moves: z.number(),
  /** When the last recorded change was written. */
  changedAt: z.optional(time),
  why: z.optional(z.string()),
});

const page = {
  /** Workloads from here on, in the order of getTask or getRun. */
  from: z._default(wholeNumber(0, 1_000_000), 0),
  /** Each costs two queries of the table. */
  limit: z._default(wholeNumber(1, 200), 100),
};

const diff = {
  total: z.number(),
  workloads: z.array(workloadDiff),
  /** Why placements are not recorded on the hub, and the remedy; absent if they are. */
  unrecorded: z.optional(z.string()),
};

export const getTaskDiff = query({
  path: '/hubs/{hub}/tasks/{name}/diff',
  description:
    'Where the replicas of the workloads of a rebalance were before it and after it, and the outcome of each; of a hub with the feature history. Otherwise only the outcome.',
  input: z.object({
    ...ofHub,
    name: z.string(),
    /** As in getTask. */
    uid: z.optional(z.string()),
    ...page,
  }),
  output: z.object({
    task: taskSummary,
    /** Whether the WorkloadRebalancer exists on the hub; absent if that can't be read, and in pages after the first. */
    exists: z.optional(z.boolean()),
    ...diff,
  }),
});

export const getRunDiff = query({
  path: '/hubs/{hub}/runs/{run}/diff',
  description:
    'Where the replicas of the workloads of a run were before it and after it, and the outcome of each. On a hub without the feature history, as the run planned them.',
  input: z.object({ ...ofHub, run: z.string(), ...page }),
  output: z.object({ run: policyRun, ...diff }),
});

export type WorkloadDiff = z.output<typeof workloadDiff>;
export type TaskDiff = z.output<typeof getTaskDiff.output>;
export type RunDiff = z.output<typeof getRunDiff.output>;
