/** The input for the preview of a RebalancePolicy, and how objects of files replace those of a hub. */
import type { Member } from '../../shared/karmada/member-cluster.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { referenceKey } from '../../shared/kubernetes/object-reference.ts';
import type { WorkloadMetadata } from '../../shared/kubernetes/workload-metadata.ts';
import type { RebalancePolicy } from '../../shared/rebalance-policy/rebalance-policy.ts';
import { type Candidate, workloadOf } from '../../shared/rebalance-policy/select-workloads.ts';
import type { ForecastInput } from './plan-input.ts';

export interface PolicyInput
  extends Pick<ForecastInput, 'bindings' | 'modelled' | 'withoutEnablements' | 'notes' | 'unread'> {
  /** By name. */
  readonly policies: ReadonlyMap<string, RebalancePolicy>;
  /** By name. */
  readonly members: ReadonlyMap<string, Member>;
  /** By referenceKey of the workload. */
  readonly metadata: ReadonlyMap<string, Pick<WorkloadMetadata, 'labels' | 'annotations'>>;
  /** Namespaces' annotation REBALANCING; undefined where a namespace has none. */
  readonly switches: ReadonlyMap<string, string | undefined>;
  /** Values of PriorityClasses by name. */
  readonly priorities: ReadonlyMap<string, number>;
  /** Clusters without status.conditions. */
  readonly unready: ReadonlySet<string>;
}

/** Objects of the files replace those of the hub with the same name. */
export function filesOver(hub: PolicyInput, files: PolicyInput): PolicyInput {
  return {
    policies: new Map([...hub.policies, ...files.policies]),
    members: new Map([...hub.members, ...files.members]),
    bindings: new Map([...hub.bindings, ...files.bindings]),
    metadata: new Map([...hub.metadata, ...files.metadata]),
    switches: new Map([...hub.switches, ...files.switches]),
    priorities: new Map([...hub.priorities, ...files.priorities]),
    modelled: new Set([...hub.modelled, ...files.modelled]),
    withoutEnablements: files.withoutEnablements,
    unready: files.unready,
    notes: [...hub.notes, ...files.notes],
    unread: [...hub.unread, ...files.unread],
  };
}

export function candidatesOf({ bindings, metadata }: PolicyInput): readonly Candidate[] {
  return [...bindings.values()].map((binding: PlacedBinding) => {
    const found = metadata.get(referenceKey(workloadOf(binding)));
    return { binding, ...(found && { metadata: found }) };
  });
}
