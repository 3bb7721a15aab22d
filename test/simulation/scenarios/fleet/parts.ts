/** The members and workloads of every history. */
import { REDUCTION_STRATEGY } from '../../../../shared/graceful-reduction/replica-reduction.ts';
import { RESCHEDULING_POLICY } from '../../../../shared/karmada/rescheduling-policy.ts';

export const memberNames = ['member1', 'member2', 'member3'] as const;

/** The annotations of the policy of each workload. */
export const policyAnnotations = {
  /** Graceful reduction: its replicas are kept until their replacement is ready. */
  web: { [REDUCTION_STRATEGY]: 'DelayWorkDeletion' },
  /** Descheduling: its unschedulable replicas may move. */
  api: { [RESCHEDULING_POLICY]: 'OnUnschedulable' },
  /** Both. */
  cart: { [REDUCTION_STRATEGY]: 'DelayWorkDeletion', [RESCHEDULING_POLICY]: 'OnUnschedulable' },
  /** Neither. */
  mail: {},
} as const;

export const workloadNames = Object.keys(policyAnnotations) as [
  keyof typeof policyAnnotations,
  ...(keyof typeof policyAnnotations)[],
];

export function bindingKeyOf(workload: string): { readonly namespace: string; readonly name: string } {
  return { namespace: 'shop', name: `${workload}-deployment` };
}
