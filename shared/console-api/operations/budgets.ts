/** MoveBudgets of a hub, with what they allow now. */
import * as z from 'zod/mini';
import { query } from '../operation.ts';
import { bindingKey, numbers, ofHub, time } from './parts.ts';

const budgetLimit = z.object({
  per: z.enum(['Hub', 'Cluster', 'Workload']),
  /** "10" or "10%". */
  replicas: z.string(),
  /** Seconds; absent: replicas that are moving count. */
  windowSeconds: z.optional(z.number()),
  /** Absent: all moves count. */
  reasons: z.optional(z.array(z.string())),
  /** Whether its schedule is open now; true without a schedule. */
  applies: z.boolean(),
  /** Of a limit per hub that applies: how many more replicas may move now. */
  left: z.optional(z.number()),
  /** The same of a limit per cluster, by cluster. */
  leftByCluster: z.optional(numbers),
});

const move = z.object({
  binding: bindingKey,
  reason: z.string(),
  /** What moves it, as "WorkloadRebalancer home-1". */
  mover: z.string(),
  /** Replicas that leave each cluster. */
  leaves: numbers,
  allowedAt: time,
});

export const listBudgets = query({
  path: '/hubs/{hub}/budgets',
  description: 'The MoveBudgets of a hub with what they allow now, and the moves in flight that they count.',
  input: z.object(ofHub),
  output: z.object({
    budgets: z.array(z.object({ name: z.string(), limits: z.array(budgetLimit) })),
    moves: z.array(move),
  }),
});

export type BudgetLimit = z.output<typeof budgetLimit>;
export type BudgetMove = z.output<typeof move>;
