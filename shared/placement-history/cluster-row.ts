/** One recorded state of a member cluster. */
import type { Instant } from '../core/time.ts';

/**
 * `NotReady` before `Drained` before `Cordoned` before `Tainted`, if several apply. `Tainted`: by another taint that evicts, or one of Karmada.
 * `Gone`: it left the hub.
 */
export const memberStates = ['Ready', 'NotReady', 'Drained', 'Cordoned', 'Tainted', 'Deleting', 'Gone'] as const;

export type MemberState = (typeof memberStates)[number];

/** Capacity at the time of a row, in the resource's own units: pods, cores, bytes. */
export interface CapacityShown {
  readonly allocatable: Readonly<Record<string, string>>;
  readonly allocated: Readonly<Record<string, string>>;
}

export interface ClusterStateRow {
  readonly at: Instant;
  /** resourceVersion of the cluster; `at` and `version` are the key of the row. */
  readonly version: string;
  readonly cluster: string;
  readonly state: MemberState;
  /** As "cluster.karmada.io/not-ready:NoExecute", in alphabetical order. */
  readonly taints: readonly string[];
  /** Reason and message of the condition Ready, if it is not True. */
  readonly why?: string;
  readonly capacity?: CapacityShown;
}
