/** What the descheduler and RebalancePolicies decided, and why. */
import * as z from 'zod/mini';
import { query, wholeNumber } from '../operation.ts';
import { bindingKey, numbers, ofHub, time, workloadReference } from './parts.ts';

const deschedulingDecision = z.object({
  decidedAt: time,
  run: z.string(),
  binding: bindingKey,
  /** `Written`, `Withheld`, `CannotForecast`, `DryRun`, `Superseded`; `Planned` for the moment in which it is written. */
  outcome: z.string(),
  /** Replicas taken out. */
  taken: z.number(),
  clusters: z.array(
    z.object({
      name: z.string(),
      assigned: z.number(),
      ready: z.optional(z.number()),
      unschedulable: z.optional(z.number()),
      /** Why the estimator's answer was not used. */
      unusable: z.optional(z.string()),
      taken: z.number(),
    }),
  ),
  next: numbers,
  reason: z.string(),
});

export const listDecisions = query({
  path: '/hubs/{hub}/decisions',
  description: 'What the descheduler decided on a hub, newest first.',
  input: z.object({ ...ofHub, namespace: z.optional(z.string()), limit: z._default(wholeNumber(1, 10_000), 100) }),
  output: z.object({ decisions: z.array(deschedulingDecision) }),
});

export const policyRun = z.object({
  run: z.string(),
  policy: z.string(),
  /** `Running`, `Finished`, `DryRun`, `Stopped`, `Superseded` or `Cancelled`. */
  state: z.string(),
  message: z.string(),
  /** As "ClusterRecovered member1". */
  setOffBy: z.array(z.string()),
  startedAt: time,
  finishedAt: z.optional(time),
  waves: z.number(),
  wavesDone: z.number(),
  workloads: z.number(),
  moved: z.number(),
  skipped: z.number(),
});

export const listRuns = query({
  path: '/hubs/{hub}/runs',
  description: 'What RebalancePolicies did on a hub, the latest run first.',
  input: z.object({ ...ofHub, policy: z.optional(z.string()), limit: z._default(wholeNumber(1, 10_000), 100) }),
  output: z.object({ runs: z.array(policyRun) }),
});

export const getRun = query({
  path: '/hubs/{hub}/runs/{run}',
  description: 'All that one run of a RebalancePolicy decided, workload by workload.',
  input: z.object({ ...ofHub, run: z.string() }),
  output: z.object({
    run: policyRun,
    decisions: z.array(
      z.object({
        /** From 1; absent for one that the run left alone. */
        wave: z.optional(z.number()),
        workload: workloadReference,
        outcome: z.string(),
        moves: z.number(),
        current: numbers,
        next: numbers,
        reason: z.string(),
      }),
    ),
  }),
});

export type DecisionSummary = z.output<typeof deschedulingDecision>;
export type RunSummary = z.output<typeof policyRun>;
export type RunAnswer = z.output<typeof getRun.output>;
