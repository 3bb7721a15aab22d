/** Why a policy or drain is not accepted on a hub: what neither its schema nor its rules can know. */
import type { Member } from '../../shared/karmada/member-cluster.ts';
import { hubFeatures } from '../../shared/kubernetes/hub-features.ts';
import { flawOfHealth } from '../../shared/rebalance-policy/health-expression.ts';
import { problemsOf, type RebalancePolicy } from '../../shared/rebalance-policy/rebalance-policy.ts';
import { flawOfMatch, type ObservedEvents } from './event-drains.ts';

/** What it is accepted by. */
export interface AcceptingHub {
  readonly members: readonly Member[];
  /** Whether reductions are held until their replacement is ready. */
  readonly holds: boolean;
  /** Absent on a hub without the feature `externalEvents`, and where no policy needs them. */
  readonly external?: ObservedEvents | undefined;
}

/** Why a policy or drain is not accepted on this hub, for example a drain of a cluster that does not exist: field, value and the fix; empty if it is. */
export function problemsOn(policy: RebalancePolicy, { holds, external, members }: AcceptingHub): readonly string[] {
  return [
    ...problemsOf(policy),
    ...healthProblems(policy),
    ...drainProblems(policy, { holds, members }),
    ...eventProblems(policy, external),
  ];
}

function eventProblems({ spec }: RebalancePolicy, external: ObservedEvents | undefined): readonly string[] {
  const { externalEvents } = spec.triggers;
  if (externalEvents === undefined) return [];
  const flaws = externalEvents.flatMap(({ match }, i) => {
    const flaw = match === undefined ? undefined : flawOfMatch(match);
    const field = `spec.triggers.externalEvents[${i}].match`;
    return flaw === undefined ? [] : [`${field}: Invalid value: ${JSON.stringify(match)}: ${flaw}; it may read event`];
  });
  const { flag } = hubFeatures.externalEvents;
  const missing = `spec.triggers.externalEvents: the hub is registered without ${flag}; add it, and apply its manifests`;
  return external === undefined ? [...flaws, missing] : flaws;
}

function healthProblems({ spec }: RebalancePolicy): readonly string[] {
  const { healthy } = spec.strategy.waves;
  const flaw = healthy === undefined ? undefined : flawOfHealth(healthy);
  return flaw === undefined ? [] : [`spec.strategy.waves.healthy: Invalid value: ${JSON.stringify(healthy)}: ${flaw}`];
}

function drainProblems({ drains }: RebalancePolicy, { holds, members }: AcceptingHub): readonly string[] {
  if (drains === undefined) return [];
  if (!holds) {
    const { flag } = hubFeatures.gracefulReduction;
    return [`the hub is registered without ${flag}, so that replicas would leave before others are ready; add it`];
  }
  const names = members.map(({ cluster }) => cluster.name).sort();
  if (names.includes(drains)) return [];
  return [`spec.cluster: the hub has no Cluster ${drains}; it has ${names.join(', ') || 'none'}`];
}
