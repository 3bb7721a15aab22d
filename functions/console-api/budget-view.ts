/** The view of MoveBudgets: each limit with what it allows now. */
import type { BudgetLimit, BudgetMove } from '../../shared/console-api/operations/budgets.ts';
import type { OutputOf } from '../../shared/console-api/operations.ts';
import { DAY, type Instant, SECOND, toTimestamp } from '../../shared/core/time.ts';
import { type CountedBudgets, createBudget } from '../../shared/move-budget/budget.ts';
import { limitsOf, type MoveLimit } from '../../shared/move-budget/move-budget.ts';
import type { LedgerMove } from '../../shared/move-budget/move-ledger.ts';
import { closesAt } from '../../shared/rebalance-policy/calendar.ts';

interface BudgetState extends CountedBudgets {
  readonly now: Instant;
}

export function budgetsAnswer(state: BudgetState): OutputOf<'listBudgets'> {
  const { budgets, moves, now } = state;
  const inFlight = moves.filter(({ over, at }) => !over && now - at < DAY);
  return {
    budgets: budgets
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((budget) => ({ name: budget.name, limits: limitsOf(budget).map((limit) => limitView(limit, state)) })),
    moves: inFlight.toSorted((a, b) => b.at - a.at).map(moveView),
  };
}

function limitView(limit: MoveLimit, { moves, pods, now }: BudgetState): BudgetLimit {
  const { per, replicas, window, reasons, applies: opens } = limit;
  const applies = opens === undefined || closesAt(opens, now) !== undefined;
  const budget = createBudget({ limits: [limit], moves, pods, now });
  const left = (clusters: readonly string[]) => budget.most(ofNoWorkload(limit), clusters);
  return {
    ...{ per, replicas: `${replicas.value}${replicas.isPercent ? '%' : ''}`, applies },
    ...(window !== undefined && { windowSeconds: window / SECOND }),
    ...(reasons !== undefined && { reasons: [...reasons] }),
    ...(applies && per === 'Hub' && { left: left([]) }),
    ...(applies &&
      per === 'Cluster' && { leftByCluster: Object.fromEntries([...pods.keys()].map((name) => [name, left([name])])) }),
  };
}

/** A request that no counted move is of. */
function ofNoWorkload({ reasons }: MoveLimit) {
  const [reason = 'Policy'] = reasons ?? [];
  return { binding: { namespace: '', name: '' }, reason, mover: '', generation: 0, replicas: 0 } as const;
}

function moveView({ binding, reason, mover, leaves, at }: LedgerMove): BudgetMove {
  return { binding: { ...binding }, reason, mover, leaves: { ...leaves }, allowedAt: toTimestamp(at) };
}
