/** How dark a cell of the heat map is. */

/** Step 0 is no replica at all. */
export const HEAT_STEPS = 5;
/** Where nothing has more than a few replicas, a few are not many. */
const LEAST_MOST = 10;

/**
 * By the root: of workloads with 2, 20 and 200 replicas the first would be invisible on a straight scale.
 * Whatever has one replica has at least the first step.
 */
export function heatStep(replicas: number, most: number): number {
  if (!(replicas > 0) || !(most > 0)) return 0;
  return Math.min(HEAT_STEPS, Math.max(1, Math.ceil(Math.sqrt(replicas / Math.max(most, LEAST_MOST)) * HEAT_STEPS)));
}
