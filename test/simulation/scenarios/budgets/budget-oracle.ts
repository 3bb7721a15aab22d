/**
 * The promises of MoveBudgets and PodDisruptionBudgets, at each of our writes that moves replicas: it was granted before, with at least what it
 * moves; it and all moves in flight, or within the window, stay within each limit; and it removes no more ready pods than a PodDisruptionBudget allows.
 * How many replicas a trigger moves is what its grant forecast. Limits, readiness and reports count as the function may have read them.
 */
import type { KubeObject } from '../../../../local/practice-hub/store/objects.ts';
import { REDUCTION_STRATEGY, STRATEGY_FROM } from '../../../../shared/graceful-reduction/replica-reduction.ts';
import type { LedgerMove } from '../../../../shared/move-budget/move-ledger.ts';
import { HUB } from '../../system/only-hub.ts';
import type { System } from '../../system/system.ts';
import type { Violations } from '../../violations.ts';
import { assignedOf, queueOf, readyOf } from '../fleet/binding-fields.ts';
import { bindingKeyOf } from '../fleet/parts.ts';
import { type BudgetLife, type Limit, PROTECTED } from './budget-life.ts';

/** Longer than an invocation takes from its first read to its last write. */
const INVOCATION_MS = 180_000;

interface Move {
  readonly binding: string;
  readonly mover: string;
  readonly reason: string;
  readonly leaves: Readonly<Record<string, number>>;
  /** Of its grant. */
  readonly at: number;
  isOver: boolean;
}

/** What was read at a time, by cluster. */
interface Reading {
  readonly at: number;
  readonly values: ReadonlyMap<string, number>;
}

export class BudgetOracle {
  readonly #system: System;
  readonly #life: BudgetLife;
  readonly #violations: Violations;
  readonly #skewMs: number;
  #moves: Move[] = [];
  #ready: Reading[] = [];
  #allowed: Reading[] = [];
  #tablesLost = 0;
  #lostAt = Number.NEGATIVE_INFINITY;

  constructor(system: System, life: BudgetLife, { violations, skewMs }: { violations: Violations; skewMs: number }) {
    this.#system = system;
    this.#life = life;
    this.#violations = violations;
    this.#skewMs = skewMs;
    system.hub.store.onChange(({ plural, object, previous }) => {
      if (plural !== 'resourcebindings') return;
      this.#observe(object);
      if (system.hub.isOurWrite && previous !== undefined) this.#onWrite(object, previous);
    });
  }

  /** What ends moves, and what a function may read. */
  #observe(object: KubeObject): void {
    const { name } = object.metadata;
    const at = this.#system.clock.now();
    if (name === bindingKeyOf(PROTECTED).name) this.#ready = recent(this.#ready, { at, values: readyOf(object) });
    if (name === `${PROTECTED}-poddisruptionbudget`)
      this.#allowed = recent(this.#allowed, { at, values: allowedOf(object) });
    if (isSettled(object)) for (const move of this.#moves) if (move.binding === name) move.isOver = true;
  }

  #onWrite(object: KubeObject, previous: KubeObject): void {
    const isTrigger = object.spec?.rescheduleTriggeredAt !== previous.spec?.rescheduleTriggeredAt;
    const removed = leavesBetween(assignedOf(previous), assignedOf(object));
    if (!isTrigger && removed.size === 0) return;
    if (this.#isTableNew()) return;
    const { name } = object.metadata;
    const [from, now] = this.#invocation();
    // An older one is not of this move, which then moves nothing by its forecast.
    const entry = this.#system.ledger
      .peek(HUB)
      .find(({ binding, over, at }) => binding.name === name && !over && at >= now - INVOCATION_MS);
    const detail = `${name}: ${JSON.stringify([...removed])}, granted ${JSON.stringify(entry ?? null)}`;
    const isGranted = [...removed].every(([cluster, replicas]) => (entry?.leaves[cluster] ?? 0) >= replicas);
    if (!isGranted && this.#life.limitsSince(from, now).length > 0)
      this.#violations.add('every move is granted before it is written', detail);
    if (entry !== undefined) this.#onMove(entry, previous);
  }

  /** The moves of a lost table are forgotten: nothing is claimed until those that began before are over. */
  #isTableNew(): boolean {
    const now = this.#system.clock.now();
    if (this.#system.tablesLost !== this.#tablesLost) {
      this.#tablesLost = this.#system.tablesLost;
      this.#lostAt = now;
      this.#moves = [];
    }
    return now - this.#lostAt < INVOCATION_MS;
  }

  /** Since when the function may have read what it decided on: an API server's cache may be older than its invocation. */
  #invocation(): readonly [from: number, now: number] {
    const now = this.#system.clock.now();
    const from = now - INVOCATION_MS - this.#skewMs;
    const old = this.#system.hub.oldAnswers.filter(({ at }) => at >= from);
    return [Math.min(from, ...old.map(({ asOf }) => asOf)), now];
  }

  #onMove(entry: LedgerMove, previous: KubeObject): void {
    const { mover, reason, leaves, at } = entry;
    const binding = entry.binding.name;
    const inFlight = this.#moves.filter((move) => move.binding === binding && !move.isOver);
    const other = inFlight.find((move) => move.mover !== mover);
    if (other !== undefined)
      this.#violations.add('one mover at a time moves a workload', `${binding}: ${mover} and ${other.mover}`);
    const move: Move = { binding, mover, reason, leaves, at, isOver: false };
    this.#moves = [...this.#moves.filter((each) => each.binding !== binding || each.mover !== mover), move];
    for (const limit of this.#life.limitsSince(...this.#invocation())) this.#checkLimit(limit, move);
    // A drain, and graceful reduction, which a drain asks for, hold the replicas until others are ready: the oracle of the fleet.
    const { [REDUCTION_STRATEGY]: strategy, [STRATEGY_FROM]: from = '' } = previous.metadata.annotations ?? {};
    const isHeld = reason === 'Drain' || (strategy !== undefined && !from.startsWith('ClusterDrain '));
    if (binding === bindingKeyOf(PROTECTED).name && !isHeld) this.#checkDisruptions(move, previous);
  }

  #checkLimit({ per, replicas, windowMs, reasons }: Limit, last: Move): void {
    const isMeant = ({ reason }: Move) => reasons === undefined || reasons.includes(reason);
    if (!isMeant(last)) return;
    const counted = this.#moves.filter(
      (each) =>
        isMeant(each) &&
        (per !== 'Workload' || each.binding === last.binding) &&
        (windowMs === undefined ? !each.isOver : each.at <= last.at && last.at - each.at < windowMs),
    );
    const scopes = per === 'Cluster' ? Object.keys(last.leaves) : [undefined];
    for (const cluster of scopes) {
      const sum = counted.reduce((total, { leaves }) => total + amountOf(leaves, cluster), 0);
      if (sum > replicas && amountOf(last.leaves, cluster) > 0)
        this.#violations.add(
          windowMs === undefined
            ? 'no more replicas are in flight than a budget allows'
            : 'no more replicas move within a window than a budget allows',
          `${per} ${cluster ?? ''} ${replicas}: ${sum} of ${JSON.stringify(counted)}`,
        );
    }
  }

  /** Pods that are not ready are removed first. */
  #checkDisruptions({ binding, leaves }: Move, previous: KubeObject): void {
    const [from, now] = this.#invocation();
    const assigned = assignedOf(previous);
    for (const [cluster, replicas] of Object.entries(leaves)) {
      const ready = Math.min(...during(this.#ready, from).map(({ values }) => values.get(cluster) ?? 0));
      const disrupted = ready - ((assigned.get(cluster) ?? 0) - replicas);
      const allowed = Math.max(
        ...during(this.#allowed, from).map(({ values }) => values.get(cluster) ?? Number.POSITIVE_INFINITY),
      );
      if (disrupted > Math.max(0, allowed))
        this.#violations.add(
          'no more ready pods are removed than a PodDisruptionBudget allows',
          `${binding} at ${new Date(now).toISOString()}: ${disrupted} ready on ${cluster}, ${allowed} allowed`,
        );
    }
  }
}

/** The readings of an invocation, and the last one before it. */
function during(readings: readonly Reading[], from: number): readonly Reading[] {
  const before = readings.findLastIndex(({ at }) => at <= from);
  return before < 0 ? [{ at: from, values: new Map() }, ...readings] : readings.slice(before);
}

const KEPT = 500;

function recent(readings: readonly Reading[], next: Reading): Reading[] {
  return [...readings.slice(-KEPT), next];
}

function isSettled(object: KubeObject): boolean {
  const { spec, status } = object;
  const assigned = assignedOf(object);
  const ready = readyOf(object);
  const trigger = Date.parse((spec?.rescheduleTriggeredAt ?? '') as string);
  const scheduled = Date.parse((status?.lastScheduledTime ?? '') as string);
  const isObserved = Number(status?.schedulerObservedGeneration ?? 0) >= Number(object.metadata.generation ?? 0);
  const isPending = trigger > scheduled && !isObserved;
  const isHeld = [...queueOf(object)].some(([cluster, held]) => (held.replicas ?? 0) > (assigned.get(cluster) ?? 0));
  const total = [...assigned.values()].reduce((sum, replicas) => sum + replicas, 0);
  return (
    !isPending &&
    !isHeld &&
    total >= Number(spec?.replicas ?? 0) &&
    [...assigned].every(([cluster, replicas]) => (ready.get(cluster) ?? 0) >= replicas)
  );
}

function allowedOf({ status }: KubeObject): ReadonlyMap<string, number> {
  const items = (status?.aggregatedStatus ?? []) as readonly {
    readonly clusterName: string;
    readonly status?: { readonly disruptionsAllowed?: number };
  }[];
  return new Map(
    items.map(({ clusterName, status: { disruptionsAllowed = 0 } = {} }) => [clusterName, disruptionsAllowed]),
  );
}

function leavesBetween(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  return new Map(
    [...before].flatMap(([cluster, replicas]) => {
      const removed = replicas - (after.get(cluster) ?? 0);
      return removed > 0 ? [[cluster, removed] as const] : [];
    }),
  );
}

function amountOf(leaves: Readonly<Record<string, number>>, cluster: string | undefined): number {
  return cluster === undefined ? Object.values(leaves).reduce((a, b) => a + b, 0) : (leaves[cluster] ?? 0);
}
