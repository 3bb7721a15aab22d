/** The limits of a balance strategy for each cluster: a floor, a ceiling, and the tiers up to which it may borrow replicas. */
import type { ElasticSpec } from './elastic-workload-schema.ts';

type BalanceStrategy = ElasticSpec['balanceStrategy'];

export interface Limits {
  /** Every cluster gets at least this many, even beyond the total. */
  readonly floor: number;
  /** No cluster gets more. */
  readonly ceiling: number;
  /**
   * Clusters below the first tier borrow replicas first, then clusters below the second, and so on; the last tier
   * is the ceiling. The number after borrowing counts. Empty if the strategy has no borrowing.
   */
  readonly tiers: readonly number[];
}

const UNLIMITED = Number.POSITIVE_INFINITY;

export function limitsOf({ type, limitRange, classful }: BalanceStrategy): Limits {
  if (type === 'LimitRange') {
    const { min = 0, max = UNLIMITED } = limitRange ?? {};
    return { floor: min, ceiling: max, tiers: [min, max] };
  }
  if (type === 'Classful') {
    const { assured = 0, softLimit = UNLIMITED, hardLimit = UNLIMITED } = classful ?? {};
    return { floor: assured, ceiling: hardLimit, tiers: [assured, Math.min(softLimit, hardLimit), hardLimit] };
  }
  return { floor: 0, ceiling: UNLIMITED, tiers: [] };
}
