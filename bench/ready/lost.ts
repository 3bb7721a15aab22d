/** How much readiness a workload loses while it moves. */
import type { Point } from '../../test/rig/suites/karmada/ready-curve.ts';

/** The integral of the replicas that are missing to the requested number, from the first point to the last. */
export function replicaSecondsLost(points: readonly Pick<Point, 'ms' | 'total'>[], requested: number): number {
  const pieces = points.slice(1).map(({ ms }, index) => {
    // A curve is a step function: each point's number is that until the next one.
    const { ms: from, total } = points[index] ?? { ms, total: requested };
    return Math.max(0, requested - total) * (ms - from);
  });
  return pieces.reduce((sum, piece) => sum + piece, 0) / 1000;
}
