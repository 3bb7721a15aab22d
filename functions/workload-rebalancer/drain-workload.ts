/** Decides for a wave of a ClusterDrain what becomes of a workload: its replicas on the drained cluster move, all others stay. */

import { HELD_FOR_DRAIN } from '../../shared/graceful-reduction/reduction-policy.ts';
import {
  DELAY_WORK_DELETION,
  GRACE_PERIOD,
  REDUCTION_STRATEGY,
  reductionStrategyOf,
  STRATEGY_FROM,
} from '../../shared/graceful-reduction/replica-reduction.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import { stayingWithout } from '../../shared/karmada/assignment/rebalance-plan.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { drainedAnnotation, leavingReplicas } from '../../shared/workload-rebalancer/drain-share.ts';
import { failed, type MoveInput, type MoveStep, succeeded, whyOpen, withoutBinding } from './moves.ts';

/** A wave that is not ready in time stops the drain; what is held stays held until a user acts, who has a week. */
const GRACE_SECONDS = 7 * 24 * 3600;

export function drainStep(input: MoveInput, cluster: string, clusters: readonly Cluster[]): MoveStep {
  const { workload, binding, task } = input;
  const failure = withoutBinding(input);
  if (failure !== undefined || binding === undefined)
    return failure ?? succeeded(workload, `it has no replicas on ${cluster}`);
  const { share } = task;
  if (!binding.spec.clusters.some(({ name }) => name === cluster))
    return succeeded(workload, `it has no replicas on ${cluster}`, binding);
  const replicas = leavingReplicas(binding, cluster, share);
  if (share && replicas === 0)
    return succeeded(workload, `its share of ${share.percent} % has left ${cluster}`, binding);
  const open = whyOpen(binding, clusters);
  if (open !== undefined) return failed(workload, 'SchedulingInProgress', open);
  const annotations = {
    ...holding(binding, cluster),
    ...(share && drainedAnnotation(binding, cluster, share)),
  };
  const keep = { ...stayingWithout(binding, { cluster, replicas }), annotations };
  return { step: 'Move', move: { binding, keep, workload, what: `its replicas on ${cluster}` } };
}

/** In the same write, so that the hub's admission holds the reduction. A strategy of its own has precedence. */
function holding(binding: PlacedBinding, cluster: string): Readonly<Record<string, string>> {
  if (reductionStrategyOf(binding) !== undefined) return {};
  return {
    [REDUCTION_STRATEGY]: DELAY_WORK_DELETION,
    [GRACE_PERIOD]: String(GRACE_SECONDS),
    [STRATEGY_FROM]: `${HELD_FOR_DRAIN}${cluster}`,
  };
}
