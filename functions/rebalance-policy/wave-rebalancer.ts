/** The WorkloadRebalancer of a wave: a standard object, owned by its policy. */

import { asFault, Fault } from '../../shared/core/fault.ts';
import type { NewObject } from '../../shared/kubernetes/hub.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import { apiVersionOf } from '../../shared/kubernetes/resource.ts';
import { policyKind } from '../../shared/rebalance-policy/cluster-drain.ts';
import type { PolicyRun, Wave } from '../../shared/rebalance-policy/policy-run.ts';
import { isShifted, type RebalancePolicy } from '../../shared/rebalance-policy/rebalance-policy.ts';
import {
  ASSIGN_ANNOTATION,
  DRAIN_ANNOTATION,
  DRAIN_SHARE,
  POLICY_LABEL,
  rebalanceSpec,
  shareText,
  WAVE_ANNOTATION,
  type WorkloadRebalancer,
} from '../../shared/workload-rebalancer/workload-rebalancer.ts';

const ID_CHARACTERS = 8;

/** "<policy>-<id of the run>-<wave>": deterministic, so that it is created once. */
export function rebalancerName(policy: string, { run }: Pick<PolicyRun, 'run'>, wave: number): string {
  const id = run.slice(run.indexOf('Z-') + 2).slice(0, ID_CHARACTERS);
  return `${policy}-${id}-${wave + 1}`;
}

/** Distinguishes a wave's rebalancer from another object of the same name. */
function waveMark({ run, number }: Pick<Wave, 'run' | 'number'>): string {
  return `${run}/${number + 1}`;
}

export function waveRebalancer(policy: RebalancePolicy, run: PolicyRun, wave: Wave): NewObject {
  const { name, uid, drains, share } = policy;
  const resource = policyKind(policy);
  const moving = wave.workloads.filter(({ outcome }) => outcome === 'Moving');
  const owner = { apiVersion: apiVersionOf(resource), kind: resource.kind, name, uid, controller: true };
  return {
    metadata: {
      name: rebalancerName(name, run, wave.number),
      labels: { [POLICY_LABEL]: name },
      annotations: {
        [WAVE_ANNOTATION]: waveMark(wave),
        ...(drains !== undefined && { [DRAIN_ANNOTATION]: drains }),
        ...(share && { [DRAIN_SHARE]: shareText(share) }),
        ...(isShifted(policy) && { [ASSIGN_ANNOTATION]: assignmentsOf(moving) }),
      },
      ownerReferences: [owner],
    },
    spec: rebalanceSpec(
      moving.map(({ workload }) => workload),
      policy.spec.strategy.ttlSecondsAfterFinished,
    ),
  };
}

/** The planned assignments: the scheduler would decide by its own rules. */
function assignmentsOf(moving: Wave['workloads']): string {
  return JSON.stringify(Object.fromEntries(moving.map(({ binding, next }) => [keyText(binding), next])));
}

/** The uid of an existing WorkloadRebalancer, if an earlier delivery created it for this wave. Throws a retryable Fault if it is another object. */
export function uidOfExisting(found: WorkloadRebalancer | undefined, name: string, wave: Wave): string {
  if (found?.wave === waveMark(wave)) return found.uid;
  throw new Fault('retryable', `WorkloadRebalancer ${name} is there already and is not this wave's; delete it`, {
    reason: 'NameTaken',
  });
}

/** Why the hub rejected the object, if a retry does not fix it: an admission policy with another account name, or a missing permission. Other errors are thrown. */
export function rejectionOf(thrown: unknown): string {
  const { reason, message } = asFault(thrown);
  if (reason === 'Invalid' || reason === 'Forbidden') return message;
  throw thrown;
}
