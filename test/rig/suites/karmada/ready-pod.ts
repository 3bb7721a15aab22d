/** Whether a pod is ready. Apart from the other observations, because benchmarks, which run without a test runner, use it too. */
import type { Meta } from '../api.ts';

export type Conditions = readonly { readonly type: string; readonly status: string }[];

export interface SeenPod {
  readonly metadata: Pick<Meta, 'deletionTimestamp'>;
  readonly status: { readonly conditions?: Conditions };
}

/** A pod that is being deleted receives no more requests, even if its condition is Ready. */
export function isReadyPod({ metadata, status }: SeenPod): boolean {
  return metadata.deletionTimestamp === undefined && isTrue(status, 'Ready');
}

export function isTrue({ conditions = [] }: { readonly conditions?: Conditions }, type: string): boolean {
  return conditions.some((condition) => condition.type === type && condition.status === 'True');
}
