/** A backtest: the recording played with the policy and without it, and what differs. */
import { invalidOption } from '../../shared/core/fault.ts';
import { DAY, type Instant, toTimestamp } from '../../shared/core/time.ts';
import { triggerText } from '../../shared/rebalance-policy/policy-run.ts';
import { type RecordedSpan, readRecording, spanOf } from '../recording/recording-files.ts';
import type { MoveFigures } from './move-figures.ts';
import { type PlayOptions, PolicyPlay } from './play-policy.ts';

export interface BacktestOptions extends Pick<PlayOptions, 'policy' | 'readyAfterMs'> {
  readonly folder: string;
  /** The last days of the recording; all of it if absent. */
  readonly days?: number;
  readonly warn: (warning: string) => void;
}

export interface BacktestRun {
  readonly trigger: string;
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly state: string;
  readonly message: string;
  readonly waves: number;
  readonly workloads: number;
  readonly replicas: number;
  readonly skipped: number;
}

/** The moves of one play. */
export interface PlayedMoves {
  readonly byPolicy: number;
  readonly byScheduler: number;
  /** Replicas that came back within 24 hours to a cluster which the policy, or an eviction, had taken them from. */
  readonly backAfterPolicy: number;
  readonly backAfterScheduler: number;
  /** Those that came back within the policy's cool-down. */
  readonly backWithinCoolDown: number;
  /** Minutes of replicas that were wanted and not ready. */
  readonly unreadyMinutes: number;
  /** Absent if no cluster has a price. */
  readonly price?: number;
  readonly replicaHours: Readonly<Record<string, number>>;
}

export interface BacktestResult {
  readonly policy: string;
  readonly from: string;
  readonly to: string;
  readonly days: number;
  /** Times without a record: changes within them are played at their end. */
  readonly gaps: readonly { readonly from: string; readonly to: string }[];
  readonly runs: readonly BacktestRun[];
  readonly withPolicy: PlayedMoves;
  readonly withoutPolicy: PlayedMoves;
  readonly readyMinutes: {
    /** Of workloads that were longer ready with the policy, and of those that were shorter ready. */
    readonly saved: number;
    readonly lost: number;
    /** Unready minutes by the recording itself: how close the model is without the policy. */
    readonly recordedUnready: number;
  };
  /** The most frequent first; each workload counts once in each run. */
  readonly skipped: readonly { readonly reason: string; readonly workloads: number }[];
  readonly notes: readonly string[];
}

const REASONS = 10;
const MINUTE = 60_000;

export async function backtest({ folder, days, warn, policy, readyAfterMs }: BacktestOptions): Promise<BacktestResult> {
  // Warnings of the lines themselves come when these are played.
  const span = await spanOf(folder, () => undefined);
  const start = startOf(folder, span, days);
  const { played, notes } = playable(policy);
  const plays = [true, false].map((isActing) => new PolicyPlay({ start, readyAfterMs, policy: played, isActing }));
  const gaps = await playRecording(plays, { folder, start, end: span.to, warn });
  const [acting, idle] = plays as [PolicyPlay, PolicyPlay];
  return {
    policy: policy.metadata.name,
    from: toTimestamp(start),
    to: toTimestamp(span.to),
    days: rounded((span.to - start) / DAY),
    gaps,
    runs: acting.rows.records.map(({ triggers, startedAt, finishedAt, ...run }) => ({
      trigger: triggers.map(triggerText).join(', '),
      startedAt: toTimestamp(startedAt),
      ...(finishedAt !== undefined && { finishedAt: toTimestamp(finishedAt) }),
      state: run.state,
      message: run.message,
      waves: run.waves,
      workloads: run.workloads,
      replicas: run.moved,
      skipped: run.skipped,
    })),
    withPolicy: movesOf(acting.hub.figures),
    withoutPolicy: movesOf(idle.hub.figures),
    readyMinutes: compared(acting.hub.figures, idle.hub.figures),
    skipped: [...acting.rows.skipReasons]
      .map(([reason, workloads]) => ({ reason, workloads }))
      .sort((a, b) => b.workloads - a.workloads || (a.reason < b.reason ? -1 : 1))
      .slice(0, REASONS),
    notes,
  };
}

function startOf(folder: string, { from, to }: RecordedSpan, days: number | undefined): Instant {
  if (days === undefined) return from;
  const start = to - days * DAY;
  if (start >= from) return start;
  const has = Math.floor(((to - from) / DAY) * 10) / 10;
  throw invalidOption(
    `--days ${days}: the recording in ${folder} has ${has} days (${toTimestamp(from)} to ${toTimestamp(to)}); give fewer, or leave --days out`,
  );
}

/** Both plays read each line once. Returns the gaps. */
async function playRecording(
  plays: readonly PolicyPlay[],
  {
    folder,
    start,
    end,
    warn,
  }: { readonly folder: string; readonly start: Instant; readonly end: Instant } & Pick<BacktestOptions, 'warn'>,
): Promise<BacktestResult['gaps']> {
  const gaps: { from: string; to: string }[] = [];
  let last = start;
  let hasSnapshot = false;
  let hasBegun = false;
  const begin = async () => {
    hasBegun = true;
    for (const play of plays) await play.begin();
  };
  for await (const timed of readRecording(folder, warn)) {
    const { at, line } = timed;
    if (!hasBegun && hasSnapshot && at >= start) await begin();
    if (hasBegun) for (const play of plays) await play.apply(timed);
    else for (const play of plays) play.hub.apply(line);
    if ('event' in line && line.event === 'SnapshotEnded') hasSnapshot = true;
    if ('event' in line && line.event === 'SnapshotStarted' && line.isFirst && at > last)
      gaps.push({ from: toTimestamp(last), to: toTimestamp(at) });
    last = Math.max(last, at);
  }
  if (!hasBegun && !hasSnapshot)
    throw invalidOption(
      `--from ${folder}: the recording has no whole snapshot of the hub; let evenkeel record run for longer`,
    );
  if (!hasBegun) await begin();
  for (const play of plays) {
    await play.pass(end);
    play.hub.end();
  }
  return gaps;
}

/** What a backtest can't wait for, or the recording does not have, is taken out of the policy. */
function playable(policy: BacktestOptions['policy']): {
  readonly played: BacktestOptions['policy'];
  readonly notes: readonly string[];
} {
  const { suspend, dryRun, strategy = {}, ...spec } = policy.spec as Record<string, unknown>;
  const { approval, waves, ...others } = strategy as Record<string, unknown>;
  const { healthy, ...ofWaves } = (waves ?? {}) as Record<string, unknown>;
  const notes = [
    ...(suspend === true ? ['spec.suspend: played as false'] : []),
    ...(dryRun === true ? ['spec.dryRun: played as false'] : []),
    ...(approval === undefined || approval === 'None'
      ? []
      : ['spec.strategy.approval: each wave counts as approved at once']),
    ...(healthy === undefined
      ? []
      : ['spec.strategy.waves.healthy: a recording has no fields for it; ready replicas count as healthy']),
  ];
  return { played: { ...policy, spec: { ...spec, strategy: { ...others, waves: ofWaves } } }, notes };
}

function movesOf({ replicas, cameBack, unready, clusters }: MoveFigures): PlayedMoves {
  const named = [...clusters].sort(([a], [b]) => (a < b ? -1 : 1));
  const costs = named.flatMap(([, { cost }]) => cost ?? []);
  return {
    byPolicy: replicas.Policy,
    byScheduler: replicas.Scheduler,
    backAfterPolicy: cameBack.Policy,
    backAfterScheduler: cameBack.Scheduler,
    backWithinCoolDown: cameBack.withinCoolDown,
    unreadyMinutes: rounded([...unready.values()].reduce((sum, { played }) => sum + played, 0) / MINUTE),
    ...(costs.length > 0 && { price: rounded(costs.reduce((sum, cost) => sum + cost, 0)) }),
    replicaHours: Object.fromEntries(named.map(([name, { replicaHours }]) => [name, rounded(replicaHours)])),
  };
}

function compared(acting: MoveFigures, idle: MoveFigures): BacktestResult['readyMinutes'] {
  const keys = new Set([...acting.unready.keys(), ...idle.unready.keys()]);
  let saved = 0;
  let lost = 0;
  for (const key of keys) {
    const difference = (idle.unready.get(key)?.played ?? 0) - (acting.unready.get(key)?.played ?? 0);
    if (difference > 0) saved += difference;
    else lost -= difference;
  }
  const recorded = [...idle.unready.values()].reduce((sum, time) => sum + time.recorded, 0);
  return { saved: rounded(saved / MINUTE), lost: rounded(lost / MINUTE), recordedUnready: rounded(recorded / MINUTE) };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
