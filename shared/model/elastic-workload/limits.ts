/** What a balance strategy allows a cluster: a floor, a ceiling, and the steps by which others may lend it more. */
import type { ElasticSpec } from './elastic-workload-schema.ts';

type BalanceStrategy = ElasticSpec['balanceStrategy'];

export interface Limits {
  /** Before anything else everybody has so many, even beyond the total. */
  readonly floor: number;
  /** Nobody is given more. */
  readonly ceiling: number;
  /**
   * Who is under the first of these is asked first where replicas are to be lent, then who is under the second, and so on; the last
   * is the ceiling. A cluster counts by what it would have then. None where nothing is ever lent.
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
