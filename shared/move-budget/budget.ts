/** Decides which moves the budgets of a hub allow now, and until when the others wait. */

import { count } from '../core/count.ts';
import { sum } from '../core/sum.ts';
import { DAY, type Instant, SECOND } from '../core/time.ts';
import { keyText, type ObjectKey } from '../kubernetes/object-key.ts';
import { closesAt } from '../rebalance-policy/calendar.ts';
import { type Autoscalers, scalingByClient, scalingOf } from './autoscaler.ts';
import type { WorkloadDisruptions } from './disruption-budget.ts';
import { type MoveBudget, type MoveLimit, replicasOf, workloadLimit } from './move-budget.ts';
import { type LedgerMove, WRITTEN_WITHIN } from './move-ledger.ts';

/** A move that is about to be written. */
export interface MoveRequest extends Pick<LedgerMove, 'binding' | 'reason' | 'mover' | 'leaves' | 'generation'> {
  /** All replicas of the workload. */
  readonly replicas: number;
  /** The value of the annotation MOVE_LIMIT. */
  readonly ownLimit?: string | undefined;
  /** When the workload was last changed, if a client other than kubectl scales it. */
  readonly scaledAt?: Instant | undefined;
  /** Ready replicas that leave each cluster before their replacements are ready. */
  readonly disrupts?: Readonly<Record<string, number>>;
  /** The PodDisruptionBudgets of the workload. */
  readonly disruptions?: readonly WorkloadDisruptions[];
}

export type Grant =
  | { readonly result: 'granted' }
  /** `until`: when a limit allows it at the earliest; absent: when other moves are over. */
  | { readonly result: 'waits'; readonly reason: string; readonly until?: Instant }
  /** No wait helps: the move alone exceeds a limit that always applies. */
  | { readonly result: 'exceeds'; readonly reason: string };

/** The budgets of a hub during one decision: each granted move counts for the next. */
export interface Budget {
  take(request: MoveRequest): Grant;
  /** How many replicas of a workload may leave these clusters now, taken together. */
  most(request: Omit<MoveRequest, 'leaves'>, clusters: readonly string[]): number;
  /** The moves to save; undefined if none was granted. */
  granted(): readonly LedgerMove[] | undefined;
  /** Whether a move waits for others that may be over by now. */
  waitsForMoves(): boolean;
}

export interface BudgetInput {
  readonly limits: readonly MoveLimit[];
  readonly moves: readonly LedgerMove[];
  readonly autoscalers?: Autoscalers;
  /** Pods by cluster, as it reports them; of one that reports none there is no percentage. */
  readonly pods: ReadonlyMap<string, number>;
  readonly now: Instant;
}

/** The MoveBudgets of a hub as they are, for those who read about them. */
export interface CountedBudgets extends Pick<BudgetInput, 'moves' | 'pods'> {
  readonly budgets: readonly MoveBudget[];
}

/** Below the 400 kB of a row in DynamoDB. */
const MOST_MOVES = 4000;

/** A workload that is not ready for so long holds up no others: its move is not what it waits for. */
const IN_FLIGHT_FOR = DAY;

/** Of a hub without budgets. */
export const unlimited: Budget = {
  take: () => ({ result: 'granted' }),
  most: () => Number.POSITIVE_INFINITY,
  granted: () => undefined,
  waitsForMoves: () => false,
};

/** Without the moves in flight; new for each call. On a hub without limits, those of single workloads do not apply either. */
export function previewBudget(input: Pick<BudgetInput, 'limits' | 'pods' | 'now'>): () => Budget {
  return () => (input.limits.length === 0 ? unlimited : createBudget({ ...input, moves: [] }));
}

/** What a limit counts of a request: of a cluster, or all. */
interface Counted {
  readonly counted: readonly LedgerMove[];
  readonly request: Pick<MoveRequest, 'binding' | 'replicas'>;
  readonly cluster?: string | undefined;
}

interface Blocked extends Counted {
  readonly amount: number;
}

export function createBudget({ limits, moves, autoscalers, pods, now }: BudgetInput): Budget {
  const open = limits.filter(({ applies }) => applies === undefined || closesAt(applies, now) !== undefined);
  const longest = Math.max(0, ...limits.map(({ window = 0 }) => window));
  let entries = moves.filter(({ over, at }) => now - at < (over ? longest : Math.max(longest, IN_FLIGHT_FOR)));
  let isChanged = false;
  let isWaiting = false;

  return {
    take(request) {
      if (sum(Object.values(request.leaves)) === 0) return { result: 'granted' };
      const scaled = whyScaling(request);
      if (scaled !== undefined) return scaled;
      const own = entries.find((entry) => isOf(entry, request) && entry.mover === request.mover);
      const others = entries.filter((entry) => entry !== own);
      const leaves = leavesOfBoth(own, request);
      const blocked =
        whyMoving(request, others) ??
        whyBlocked(request, others) ??
        (leaves === request.leaves ? undefined : untilWritten(whyBlocked({ ...request, leaves }, others))) ??
        whyDisrupting(request);
      if (blocked !== undefined) {
        isWaiting ||= blocked.result === 'waits' && blocked.until === undefined;
        return blocked;
      }
      const { binding, reason, mover, generation } = request;
      entries = [...others, { binding, reason, mover, leaves, at: now, generation }];
      isChanged = true;
      return { result: 'granted' };
    },
    most(request, clusters) {
      const left = limitsOn(request).flatMap((limit) => {
        const counted = counting(limit, entries);
        if (limit.per !== 'Cluster') return [leftOf(limit, { counted, request })];
        return clusters.map((cluster) => leftOf(limit, { counted, request, cluster }));
      });
      if (whyScaling(request) !== undefined) return 0;
      const most = whyMoving(request, entries) === undefined ? Math.max(0, Math.min(...left)) : 0;
      isWaiting ||= most < request.replicas;
      return most;
    },
    granted: () => (isChanged ? entries : undefined),
    waitsForMoves: () => isWaiting,
  };

  /** Another delivery of the same message may still write what it was granted, and only one of the two writes. */
  function leavesOfBoth(own: LedgerMove | undefined, { leaves }: MoveRequest): LedgerMove['leaves'] {
    if (own === undefined || own.over || own.written || now - own.at > WRITTEN_WITHIN) return leaves;
    const clusters = new Set([...Object.keys(own.leaves), ...Object.keys(leaves)]);
    return Object.fromEntries(
      [...clusters].map((cluster) => [cluster, Math.max(own.leaves[cluster] ?? 0, leaves[cluster] ?? 0)]),
    );
  }

  function limitsOn({ reason, ownLimit }: Pick<MoveRequest, 'reason' | 'ownLimit'>): readonly MoveLimit[] {
    const given = open.filter(({ reasons }) => reasons === undefined || reasons.includes(reason));
    return ownLimit === undefined ? given : [...given, workloadLimit(ownLimit)];
  }

  function whyScaling(request: Pick<MoveRequest, 'binding' | 'replicas' | 'scaledAt'>): Grant | undefined {
    const of = autoscalers?.get(keyText(request.binding));
    const found = of === undefined ? scalingByClient(request.scaledAt, now) : scalingOf(of, request.replicas, now);
    return found && { result: 'waits', ...found };
  }

  function whyMoving(
    { binding, mover }: Pick<MoveRequest, 'binding' | 'mover'>,
    others: readonly LedgerMove[],
  ): Grant | undefined {
    const other = others.find((entry) => !entry.over && entry.mover !== mover && isOf(entry, { binding }));
    if (other !== undefined) return { result: 'waits', reason: `${other.mover} is moving it` };
    if (others.length < MOST_MOVES) return undefined;
    return { result: 'waits', reason: `${MOST_MOVES} moves are counted, the most that are` };
  }

  function whyBlocked(request: MoveRequest, others: readonly LedgerMove[]): Grant | undefined {
    for (const limit of limitsOn(request)) {
      const counted = counting(limit, others);
      for (const [cluster, amount] of scopesOf(limit, request)) {
        if (amount === 0 || amount <= leftOf(limit, { counted, request, cluster })) continue;
        return blockedBy(limit, { counted, request, cluster, amount });
      }
    }
    return undefined;
  }

  function leftOf(limit: MoveLimit, { counted, request, cluster }: Counted): number {
    const { binding, replicas } = request;
    return (allowed(limit, replicas, cluster) ?? 0) - usedBy(limit, counted, { binding, cluster });
  }

  /** Undefined if it is a percentage of pods that are not reported. */
  function allowed(
    { per, replicas: amount }: MoveLimit,
    replicas: number,
    cluster: string | undefined,
  ): number | undefined {
    if (!amount.isPercent || per === 'Workload') return replicasOf(amount, replicas);
    const total = cluster === undefined ? sum(pods.values()) : pods.get(cluster);
    return total === undefined ? undefined : replicasOf(amount, total);
  }

  function counting({ window, reasons }: MoveLimit, among: readonly LedgerMove[]): readonly LedgerMove[] {
    return among.filter(
      ({ over, at, reason }) =>
        (window === undefined ? !over && now - at < IN_FLIGHT_FOR : now - at < window) &&
        (reasons === undefined || reasons.includes(reason)),
    );
  }

  function blockedBy(limit: MoveLimit, { counted, request, cluster, amount }: Blocked): Grant {
    const most = allowed(limit, request.replicas, cluster);
    const closes = limit.applies && closesAt(limit.applies, now);
    if (most === undefined)
      return {
        result: 'waits',
        reason: `${limit.of}: a percentage of the replicas ${whereOf(limit, cluster)}, which reports no pods`,
      };
    const used = usedBy(limit, counted, { binding: request.binding, cluster });
    const state =
      limit.window === undefined
        ? `at once, of which ${used} are moving`
        : `within ${minutes(limit.window)}, of which ${used} have moved`;
    const reason = `${limit.of}: at most ${count(most, 'replica')} ${whereOf(limit, cluster)} ${state}; this would move ${amount}`;
    if (amount > most)
      return closes === undefined ? { result: 'exceeds', reason } : { result: 'waits', reason, until: closes };
    const leaves = limit.window && leavesAt(limit, counted, { request, cluster, over: used + amount - most });
    const until = Math.min(leaves ?? Number.POSITIVE_INFINITY, closes ?? Number.POSITIVE_INFINITY);
    return { result: 'waits', reason, ...(leaves !== undefined && { until }) };
  }

  /** When so many of the counted replicas are out of the window that `over` more may move. */
  function leavesAt(
    limit: MoveLimit,
    counted: readonly LedgerMove[],
    { request, cluster, over }: Pick<Blocked, 'request' | 'cluster'> & { readonly over: number },
  ): Instant {
    let left = over;
    let at = now;
    for (const move of [...counted].sort((a, b) => a.at - b.at)) {
      if (left <= 0) break;
      left -= usedBy(limit, [move], { binding: request.binding, cluster });
      at = move.at + (limit.window ?? 0);
    }
    return at;
  }
}

function untilWritten(blocked: Grant | undefined): Grant | undefined {
  return blocked?.result === 'exceeds' ? { result: 'waits', reason: blocked.reason } : blocked;
}

/** Undefined if each cluster may lose so many ready replicas now. */
function whyDisrupting({ disrupts = {}, disruptions = [] }: MoveRequest): Grant | undefined {
  for (const { of, allowed } of disruptions) {
    for (const [cluster, replicas] of Object.entries(disrupts)) {
      const { now, most } = allowed.get(cluster) ?? { now: replicas, most: replicas };
      if (replicas <= now) continue;
      const state = `${of} allows ${count(now, 'disruption')} on ${cluster}; this would remove ${count(replicas, 'ready replica')} before their replacements are ready`;
      if (replicas <= most) return { result: 'waits', reason: state };
      return {
        result: 'exceeds',
        reason: `${state}, and it never allows more than ${most}; enable graceful replica reduction`,
      };
    }
  }
  return undefined;
}

/** Which replicas of a request a limit counts: all, or those that leave each cluster. */
function scopesOf({ per }: MoveLimit, { leaves }: MoveRequest): readonly (readonly [string | undefined, number])[] {
  return per === 'Cluster' ? Object.entries(leaves) : [[undefined, sum(Object.values(leaves))]];
}

function usedBy(
  { per }: MoveLimit,
  counted: readonly LedgerMove[],
  { binding, cluster }: { readonly binding: ObjectKey; readonly cluster: string | undefined },
): number {
  const of = per === 'Workload' ? counted.filter((entry) => isOf(entry, { binding })) : counted;
  return sum(of.map(({ leaves }) => (cluster === undefined ? sum(Object.values(leaves)) : (leaves[cluster] ?? 0))));
}

function isOf(entry: Pick<LedgerMove, 'binding'>, { binding }: Pick<MoveRequest, 'binding'>): boolean {
  return keyText(entry.binding) === keyText(binding);
}

function whereOf({ per }: MoveLimit, cluster = ''): string {
  if (per === 'Hub') return 'of the hub';
  return per === 'Cluster' ? `of ${cluster}` : 'of the workload';
}

function minutes(window: number): string {
  return count(window / (60 * SECOND), 'minute');
}
