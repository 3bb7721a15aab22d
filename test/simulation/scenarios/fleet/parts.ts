/** Who is in the fleet of every history. */
import { REDUCTION_STRATEGY } from '../../../../shared/model/graceful-reduction/replica-reduction.ts';
import { RESCHEDULING_POLICY } from '../../../../shared/model/rescheduling-policy.ts';

export const memberNames = ['member1', 'member2', 'member3'] as const;

/** What each workload asks for beside its replicas, in the words of its policy's annotations. */
export const workloadWords = {
  /** Nothing of it is taken away before its replacement is ready. */
  web: { [REDUCTION_STRATEGY]: 'DelayWorkDeletion' },
  /** What no node takes may go elsewhere. */
  api: { [RESCHEDULING_POLICY]: 'OnUnschedulable' },
  /** Both. */
  cart: { [REDUCTION_STRATEGY]: 'DelayWorkDeletion', [RESCHEDULING_POLICY]: 'OnUnschedulable' },
  /** Neither. */
  mail: {},
} as const;

export const workloadNames = Object.keys(workloadWords) as [
  keyof typeof workloadWords,
  ...(keyof typeof workloadWords)[],
];

export function bindingKeyOf(workload: string): { readonly namespace: string; readonly name: string } {
  return { namespace: 'shop', name: `${workload}-deployment` };
}
