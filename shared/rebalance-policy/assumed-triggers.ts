/** The triggers that a preview of a RebalancePolicy assumes to have come now. */
import type { Instant } from '../core/time.ts';
import type { Member } from '../karmada/member-cluster.ts';
import type { Trigger } from './policy-run.ts';
import type { PolicySpec } from './rebalance-policy.ts';

/** Those of a RebalancePolicy. The run of an event moves what a requested one moves. */
export type TriggerType = Exclude<Trigger['type'], 'ClusterDrained' | 'ExternalEvent'>;
type SpecTrigger = Exclude<TriggerType, 'Requested'>;

/** By the field of spec.triggers. */
const fields = {
  ClusterRecovered: 'clusterRecovered',
  ClusterJoined: 'clusterJoined',
  CapacityFreed: 'capacityFreed',
  Schedule: 'schedule',
  Imbalance: 'imbalance',
  Pressure: 'pressure',
  Price: 'price',
} as const satisfies Record<SpecTrigger, keyof PolicySpec['triggers']>;
const ofSpec = Object.keys(fields) as readonly SpecTrigger[];
export const triggerTypes: readonly TriggerType[] = [...ofSpec, 'Requested'];

/** What the policy has; a run can be requested of every one. */
export function typesOf({ triggers }: PolicySpec): readonly TriggerType[] {
  return ofSpec.filter((type) => triggers[fields[type]] !== undefined);
}

interface Assumed {
  readonly spec: PolicySpec;
  /** Those that recover or join. */
  readonly members: readonly Member[];
  readonly now: Instant;
}

export function assumedTriggers(types: readonly TriggerType[], assumed: Assumed): readonly Trigger[] {
  return types.flatMap((type) => triggersOf(type, assumed));
}

function triggersOf(type: TriggerType, { spec, members, now }: Assumed): readonly Trigger[] {
  switch (type) {
    case 'ClusterRecovered':
    case 'ClusterJoined':
      return members.map(({ cluster, uid }) => ({ type, cluster: cluster.name, uid, at: now }));
    case 'Schedule':
    case 'Requested':
      return [{ type, at: now }];
    case 'CapacityFreed':
      return [{ type }];
    case 'Imbalance':
      return [{ type, percent: spec.triggers.imbalance?.percent ?? 100 }];
    case 'Pressure':
      return [{ type, percent: spec.triggers.pressure?.high ?? 100 }];
    case 'Price':
      return [{ type, minScore: spec.triggers.price?.minScore ?? 100 }];
  }
}
