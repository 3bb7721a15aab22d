/** The views of decisions: the descheduler's, and those of a RebalancePolicy's run. */
import type { DecisionSummary, RunAnswer, RunSummary } from '../../shared/console-api/operations/decisions.ts';
import { toTimestamp } from '../../shared/core/time.ts';
import type { DeschedulingDecision } from '../../shared/descheduling/descheduling.ts';
import {
  type RunRecord,
  triggerText,
  type Wave,
  type WorkloadDecision,
} from '../../shared/rebalance-policy/policy-run.ts';

export function decisionView({
  decidedAt,
  next,
  binding,
  clusters,
  ...decision
}: DeschedulingDecision): DecisionSummary {
  const { run, outcome, taken, reason } = decision;
  return {
    ...{ run, outcome, taken, reason },
    decidedAt: toTimestamp(decidedAt),
    binding: { ...binding },
    clusters: clusters.map((cluster) => ({ ...cluster })),
    next: Object.fromEntries(next.map(({ name, replicas }) => [name, replicas])),
  };
}

export function runView({ name, run }: RunRecord): RunSummary {
  const { state, message, triggers, startedAt, finishedAt, waves, wavesDone, workloads, moved, skipped } = run;
  return {
    ...{ run: run.run, policy: name, state, message, waves, wavesDone, workloads, moved, skipped },
    setOffBy: triggers.map(triggerText),
    startedAt: toTimestamp(startedAt),
    ...(finishedAt !== undefined && { finishedAt: toTimestamp(finishedAt) }),
  };
}

export function runAnswer(
  record: RunRecord,
  { waves, skipped }: { readonly waves: readonly Wave[]; readonly skipped: readonly Wave[] },
): RunAnswer {
  const moved = waves.flatMap(({ number, workloads }) =>
    // Displayed wave numbers start at 1, as in their rebalancers' names.
    workloads.map((decision) => ({ wave: number + 1, ...workloadView(decision, record) })),
  );
  const left = skipped.flatMap(({ workloads }) => workloads.map((decision) => workloadView(decision, record)));
  return { run: runView(record), decisions: [...moved, ...left] };
}

function workloadView(
  { workload, moves, current, next, outcome, reason, why }: WorkloadDecision,
  { run }: RunRecord,
): RunAnswer['decisions'][number] {
  // The wave has not started, or never did.
  const shown = outcome ?? (run.state === 'Running' ? 'Waiting' : 'NotBegun');
  return {
    workload: { ...workload },
    outcome: shown,
    moves,
    current: { ...current },
    next: { ...next },
    reason: reason ?? why,
  };
}
