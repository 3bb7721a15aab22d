/** Prints the result of a backtest: its runs, what was moved, and what that did to ready replicas. */
import type { BacktestResult, PlayedMoves } from '../../local/backtest/backtest.ts';
import { count } from '../../shared/core/count.ts';
import { aligned } from '../aligned.ts';

/** More are in the JSON. */
const RUNS_SHOWN = 20;

export function printBacktest(result: BacktestResult): string {
  const { policy, from, to, days, gaps, notes } = result;
  const recorded = gaps.map((gap) => `not recorded: ${gap.from} to ${gap.to}`);
  const parts = [
    [`${policy}: ${from} to ${to}, ${days === 1 ? '1 day' : `${days} days`}`, ...recorded, ...notes],
    runsOf(result),
    comparison(result),
    skipped(result),
  ];
  return parts.map((lines) => lines.join('\n')).join('\n\n');
}

function runsOf({ runs }: BacktestResult): readonly string[] {
  if (runs.length === 0) return ['The policy started no run.'];
  const head = ['STARTED', 'TRIGGER', 'STATE', 'WAVES', 'WORKLOADS', 'REPLICAS', 'SKIPPED'];
  const rows = runs
    .slice(-RUNS_SHOWN)
    .map(({ startedAt, trigger, state, ...run }) => [
      startedAt,
      trigger,
      state,
      ...[run.waves, run.workloads, run.replicas, run.skipped].map(String),
    ]);
  const earlier = runs.length - rows.length;
  return [
    ...(earlier > 0 ? [`The last ${RUNS_SHOWN} of ${count(runs.length, 'run')}; -o json has all`] : []),
    ...aligned([head, ...rows], { right: [3, 4, 5, 6], text: 1 }),
  ];
}

const rows: readonly (readonly [string, (moves: PlayedMoves) => number | undefined])[] = [
  ['replicas moved by the policy', ({ byPolicy }) => byPolicy],
  ['replicas moved by the scheduler', ({ byScheduler }) => byScheduler],
  ['back within 24 h, after a move of the policy', ({ backAfterPolicy }) => backAfterPolicy],
  ['back within 24 h, after a move of the scheduler', ({ backAfterScheduler }) => backAfterScheduler],
  ["back within the policy's cool-down", ({ backWithinCoolDown }) => backWithinCoolDown],
  ['minutes of unready replicas', ({ unreadyMinutes }) => unreadyMinutes],
  ['price', ({ price }) => price],
];

function comparison({ withPolicy, withoutPolicy, readyMinutes }: BacktestResult): readonly string[] {
  const shown = rows.flatMap(([what, of]) => {
    const numbers = [of(withPolicy), of(withoutPolicy)];
    return numbers.includes(undefined) ? [] : [[what, ...numbers.map(String)]];
  });
  const { saved, lost, recordedUnready } = readyMinutes;
  return [
    ...aligned([['', 'WITH', 'WITHOUT'], ...shown], { right: [1, 2] }),
    '',
    `Minutes of ready replicas: ${saved} saved and ${lost} lost by the policy. The recording itself has ${recordedUnready} of unready ones.`,
  ];
}

function skipped({ skipped: reasons }: BacktestResult): readonly string[] {
  if (reasons.length === 0) return ['No workload was skipped.'];
  const lines = reasons.map(({ reason, workloads }) => [String(workloads), reason]);
  return aligned([['SKIPPED', 'REASON'], ...lines], { right: [0], text: 1 });
}
