/** The colour step of a cell in the heat map. */

/** Step 0: no replicas. */
export const HEAT_STEPS = 5;
/** The minimum top of the scale, so that a few replicas are never the darkest step. */
const LEAST_MOST = 10;

/**
 * A square root scale: of workloads with 2, 20 and 200 replicas the first would be invisible on a linear scale.
 * One replica has at least the first step.
 */
export function heatStep(replicas: number, most: number): number {
  if (!(replicas > 0) || !(most > 0)) return 0;
  return Math.min(HEAT_STEPS, Math.max(1, Math.ceil(Math.sqrt(replicas / Math.max(most, LEAST_MOST)) * HEAT_STEPS)));
}
