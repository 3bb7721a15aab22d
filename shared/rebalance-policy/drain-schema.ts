/** ClusterDrain (evenkeel.dev/v1alpha1): the fields that users write and that we report, in one schema. */
import * as z from 'zod/mini';
import { describe, describeTime, type KindRule, text, whole } from '../kubernetes/crd-fields.ts';
import { dryRun, policyStatus, selector, strategyRules, suspend, waveStrategy } from './policy-schema.ts';

/** Those of a RebalancePolicy, without the fields by which a policy chooses workloads. */
const strategy = z.omit(waveStrategy, { coolDown: true, requireGracefulReduction: true });

const drainSpec = z.object({
  cluster: describe('The member cluster that is drained.', text(1, 253)),
  percent: describe(
    "How much of each workload's replicas on the cluster moves: 100 moves all, 0 moves none and keeps new ones away. Counted from the replicas that the workload had there when the drain began to move it.",
    z._default(whole(0, 100), 100),
  ),
  until: describeTime(
    'When the drain ends: the cluster gets replicas again, and no further wave starts. Absent: when the ClusterDrain is deleted.',
  ),
  suspend,
  dryRun,
  selector: describe('The workloads that move; by default all. New replicas of others are kept away too.', selector),
  strategy: describe('How workloads are moved.', z.prefault(strategy, {})),
});

export const drainObject = z.object({ spec: drainSpec, status: z.optional(policyStatus) });

/** Rules over several fields, as CEL over the spec. */
export function drainRules(spec: string): readonly KindRule[] {
  return strategyRules(spec);
}

/** Rules over an update. `before` is the name of the earlier spec in CEL. */
export function drainTransitions(spec: string, before: string): readonly KindRule[] {
  return [
    {
      field: 'spec.cluster',
      expression: `${spec}.cluster == ${before}.cluster`,
      message: `'spec.cluster is ' + ${before}.cluster + ', and cannot change; delete this ClusterDrain, and create one for ' + ${spec}.cluster`,
    },
  ];
}
