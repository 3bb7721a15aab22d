/** The health of Evenkeel: its queues, and their dead letters. */
import * as z from 'zod/mini';
import { command, query, wholeNumber } from '../operation.ts';
import { findings, time } from './parts.ts';

const queueStatus = z.object({
  name: z.string(),
  /** Which it feeds: "workload-rebalancer/plan-rebalance". */
  function: z.string(),
  waiting: z.number(),
  inFlight: z.number(),
  deadLetters: z.number(),
  findings,
});

const hubHealth = z.object({
  name: z.string(),
  /** Clusters whose estimator did not answer in the last hour, with the last word of it. */
  silentEstimators: z.array(z.object({ cluster: z.string(), at: time, error: z.string() })),
  /** The last time in the last hour that the concurrency limit was reduced, because the hub was slow, busy or unreachable. */
  slowed: z.optional(z.object({ at: time, inFlight: z.number() })),
  /** The last time in the last hour that events of it were received by the hook or from its log. Events of a bridge are not counted. */
  lastEventAt: z.optional(time),
  /** Replica reductions that the last resync found held beyond their grace period; `since`: when the first grace period ended. */
  overdue: z.optional(z.object({ at: time, count: z.number(), since: time })),
  /** What is wrong with it by these logs, the most severe first. */
  findings,
});

export const getHealth = query({
  path: '/health',
  description: 'Every queue with what waits in it, and its dead letters; of every hub what it did not answer lately.',
  input: z.object({}),
  /** `unread`: why the hubs' logs could not be read. */
  output: z.object({ queues: z.array(queueStatus), hubs: z.array(hubHealth), unread: z.optional(z.string()) }),
});

const deadLetter = z.object({
  queue: z.string(),
  id: z.string(),
  /** Type and detail of the event: "WorkloadRebalancerChanged", "karmada/web". Absent if it can't be parsed. */
  event: z.optional(z.string()),
  detail: z.optional(z.record(z.string(), z.unknown())),
  reason: z.string(),
  error: z.string(),
  sentAt: z.optional(time),
});

export const listDeadLetters = query({
  path: '/dead-letters',
  description: 'Events that no function could handle, with why.',
  input: z.object({ queue: z.optional(z.string()), limit: z._default(wholeNumber(1, 1000), 100) }),
  output: z.object({ deadLetters: z.array(deadLetter) }),
});

export const redriveDeadLetters = command({
  path: '/dead-letters/redrive',
  description: 'Has dead letters delivered again: those that are named, those of a queue, or all.',
  input: z.object({
    queue: z.optional(z.string()),
    ids: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(1000))),
  }),
  output: z.object({ redriven: z.number() }),
});

export type HealthAnswer = z.output<typeof getHealth.output>;
export type DeadLetterAnswer = z.output<typeof deadLetter>;
