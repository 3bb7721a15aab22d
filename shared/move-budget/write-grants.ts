/** Decides on moves within the budgets of a hub, and counts the granted ones, before they are written. */
import type { InvocationContext } from '../core/invocation.ts';
import { DAY, type Instant } from '../core/time.ts';
import { readClusters } from '../karmada/read-clusters.ts';
import type { Hub, Hubs } from '../kubernetes/hub.ts';
import { listIfServed } from '../kubernetes/list-all.ts';
import type { ObjectKey } from '../kubernetes/object-key.ts';
import { getBindings } from '../rebalance-policy/read-fleet.ts';
import type { Candidate } from '../rebalance-policy/select-workloads.ts';
import { type Autoscaler, autoscalersByBinding } from './autoscaler.ts';
import { type Budget, createBudget, previewBudget, unlimited } from './budget.ts';
import type { Disruptions, PodDisruptionBudget } from './disruption-budget.ts';
import { listAutoscalers } from './list-autoscalers.ts';
import { listDisruptionBudgets, listDisruptions } from './list-disruptions.ts';
import { limitsOf, type MoveLimit, moveBudgets } from './move-budget.ts';
import type { LedgerMove, MoveLedger } from './move-ledger.ts';
import { podsByCluster } from './pods-by-cluster.ts';
import { markedWritten, settledMoves, toSettle } from './settle-moves.ts';

export interface BudgetPorts extends InvocationContext {
  readonly hubs: Pick<Hubs, 'uses'>;
  readonly ledger: MoveLedger;
}

/** Longer than the longest window. */
const KEPT_FOR = 8 * DAY;

/** A decision on moves, with the budget that is left. */
export interface MoveDecision<T> {
  readonly decide: (budget: Budget, disruptions: Disruptions) => T;
  /** Those of the workloads that may move. */
  readonly namespaces: ReadonlySet<string>;
  /** Workloads whose PodDisruptionBudgets apply; absent: none lose ready replicas. */
  readonly candidates?: readonly Candidate[];
}

/** What limits the moves on a hub. */
export interface MoveRules {
  readonly limits: readonly MoveLimit[];
  readonly disruptionBudgets: readonly PodDisruptionBudget[];
  readonly autoscalers: readonly Autoscaler[];
}

const none: Disruptions = new Map();

/**
 * `decide` may be called several times: with the moves that others were granted meanwhile, and after those that are over are no longer counted.
 * Its last result is returned, whose grants are counted. On a hub without budgets no limit applies, and nothing is read.
 */
export async function withinBudget<T>(
  hub: Hub,
  { decide, namespaces, candidates = [] }: MoveDecision<T>,
  ports: BudgetPorts,
): Promise<T> {
  const rules = await moveRules(hub, { namespaces, isDisrupting: candidates.length > 0 }, ports);
  return rules === undefined ? decide(unlimited, none) : decideWithin(hub, { rules, candidates, decide }, ports);
}

/** Undefined on a hub that has none, or is registered without budgets. */
export async function moveRules(
  hub: Hub,
  { namespaces, isDisrupting }: { readonly namespaces: ReadonlySet<string>; readonly isDisrupting: boolean },
  { hubs }: BudgetPorts,
): Promise<MoveRules | undefined> {
  if (namespaces.size === 0 || !(await hubs.uses(hub.name, 'budgets'))) return undefined;
  const [limits, disruptionBudgets, autoscalers] = await Promise.all([
    listLimits(hub),
    isDisrupting ? listDisruptionBudgets(hub, namespaces) : [],
    listAutoscalers(hub, namespaces),
  ]);
  const isNone = limits.length + disruptionBudgets.length + autoscalers.length === 0;
  return isNone ? undefined : { limits, disruptionBudgets, autoscalers };
}

export async function decideWithin<T>(
  hub: Hub,
  { rules, candidates, decide }: Required<Omit<MoveDecision<T>, 'namespaces'>> & { readonly rules: MoveRules },
  ports: BudgetPorts,
): Promise<T> {
  const { limits, disruptionBudgets, autoscalers } = rules;
  const [pods, disruptions] = await Promise.all([
    readPods(hub, limits),
    listDisruptions(hub, disruptionBudgets, candidates),
  ]);
  let isSettled = false;
  for (;;) {
    const before = await ports.ledger.read(hub.name);
    const stored = before?.moves ?? [];
    const moves = isSettled ? await settle(hub, stored, ports) : stored;
    const now = ports.now();
    const budget = createBudget({ limits, moves, autoscalers: autoscalersByBinding(autoscalers), pods, now });
    const decided = decide(budget, disruptions);
    if (!isSettled && budget.waitsForMoves()) {
      isSettled = true;
      continue;
    }
    const granted = budget.granted();
    if (granted === undefined) return decided;
    if (await ports.ledger.save(hub.name, granted, { before, expiresAt: now + KEPT_FOR })) return decided;
  }
}

/** Marks the moves that a mover has written: when their replicas are ready, they are over. Without the mark they count for three minutes at least. */
export async function markWritten(
  hub: Hub,
  written: { readonly mover: string; readonly bindings: readonly ObjectKey[] },
  { hubs, ledger, now }: BudgetPorts,
): Promise<void> {
  if (written.bindings.length === 0 || !(await hubs.uses(hub.name, 'budgets'))) return;
  for (;;) {
    const before = await ledger.read(hub.name);
    const next = markedWritten(before?.moves ?? [], written);
    if (next === undefined || (await ledger.save(hub.name, next, { before, expiresAt: now() + KEPT_FOR }))) return;
  }
}

/** As previewBudget has it. */
export async function readBudget(hub: Hub, now: Instant): Promise<() => Budget> {
  const limits = await listLimits(hub);
  return previewBudget({ limits, pods: await readPods(hub, limits), now });
}

/** Throws if they may not be read: a move without its limits is none that the users allowed. */
async function listLimits(hub: Hub): Promise<readonly MoveLimit[]> {
  return (await listIfServed(hub, moveBudgets, ({ name }) => name)).flatMap(limitsOf);
}

async function settle(hub: Hub, moves: readonly LedgerMove[], { now }: BudgetPorts): Promise<readonly LedgerMove[]> {
  const asked = toSettle(moves);
  const time = now();
  return settledMoves(moves, { asked, read: await getBindings(hub, asked), now: time });
}

/** What each cluster reports as allocated. */
async function readPods(hub: Hub, limits: readonly MoveLimit[]): Promise<ReadonlyMap<string, number>> {
  if (!limits.some(({ per, replicas }) => replicas.isPercent && per !== 'Workload')) return new Map();
  return podsByCluster(await readClusters(hub));
}
