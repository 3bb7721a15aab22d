/** Shifts by pressure: clusters above the high watermark give replicas to those below the low one. */
import { count, listed } from '../core/count.ts';
import { fnv1a } from '../core/fnv1a.ts';
import { groupBy } from '../core/group-by.ts';
import { sum } from '../core/sum.ts';
import type { Distribution } from '../karmada/assignment/rebalance-plan.ts';
import type { Member } from '../karmada/member-cluster.ts';
import type { PlacedBinding } from '../karmada/placed-binding.ts';
import { type ClusterLoad, type ClusterLoads, createClusterLoads, requestOf } from './cluster-loads.ts';
import { changesBetween, type Shift, type ShiftObjective } from './plan-shifts.ts';
import type { PolicySpec } from './rebalance-policy.ts';

export type PressureTrigger = NonNullable<PolicySpec['triggers']['pressure']>;

/**
 * Where a run ends: halfway between the watermarks. A cluster gives until it is at or under it, and none gets more than that, so that both need a change
 * of load of half the distance before the next run. Down to `low`, up to twice as many replicas would move, for receivers that were as full as before.
 */
export function targetOf({ high, low }: PressureTrigger): number {
  return (high + low) / 2;
}

/** Whether a cluster is above the high watermark by its report. */
export function isUnderPressure(trigger: PressureTrigger, members: readonly Member[]): boolean {
  return givers(trigger, loadsOf(trigger, members), members).size > 0;
}

export function loadsOf({ resources }: PressureTrigger, members: readonly Member[]): ClusterLoads {
  return createClusterLoads(
    members.map(({ cluster }) => cluster),
    resources,
  );
}

export function givers(
  { high }: PressureTrigger,
  loads: ClusterLoads,
  members: readonly Member[],
): ReadonlySet<string> {
  return new Set(members.flatMap(({ cluster: { name } }) => (loads.isAbove(name, high) ? [name] : [])));
}

/** No order of choices is the best for every fleet, so several plans are made, and the one with the fewest moves counts. */
export interface PressurePreference {
  /** The receiver that is the emptiest after a move, or the fullest: the others then have capacity for larger replicas. */
  readonly receiver: 'emptiest' | 'fullest';
  /** The replica that relieves its cluster most, or that of the workload with the fewest possible receivers. */
  readonly replica: 'largest' | 'scarcest';
  /** Lowers what a workload or a receiver is worth by a share that depends on its name; 0: none. */
  readonly variation: number;
}

/** Further plans cost time for little where many replicas move: one more or less is a small part of them. */
const FEW_PAIRS = 1000;
const VARIATIONS = 16;

/** `pairs`: of workloads and clusters. */
export function preferencesFor(pairs: number): readonly PressurePreference[] {
  const variations = Array.from({ length: pairs > FEW_PAIRS ? 1 : VARIATIONS }, (_, i) => i);
  return variations.flatMap((variation) =>
    (['emptiest', 'fullest'] as const).flatMap((receiver) =>
      (['largest', 'scarcest'] as const).map((replica) => ({ receiver, replica, variation })),
    ),
  );
}

/** From 0 to 1, the same in every run. */
function varied(name: string, variation: number): number {
  return variation === 0 ? 0 : fnv1a(`${variation} ${name}`) / 2 ** 32;
}

interface PressureInput {
  readonly trigger: PressureTrigger;
  readonly members: readonly Member[];
  /** Gets the shifts. */
  readonly loads: ClusterLoads;
}

/**
 * Where one replica is enough for its cluster, that of which the least share of its workload has moved comes first, then the smallest.
 *
 * Example: a cluster at 91 % that is to be at 70 %, with replicas of 12 %, 10 % and 3 %: 12 %, then 10 %, and not seven of 3 %.
 */
export function byPressure(
  { trigger, members, loads }: PressureInput,
  { receiver: full, replica, variation }: PressurePreference,
): ShiftObjective {
  const target = targetOf(trigger);
  const giving = givers(trigger, loads, members);
  const receivers = members
    .filter(({ healthy, cluster: { name } }) => healthy && isBelow(loads.of(name), trigger.low))
    .map(({ cluster }) => cluster);
  const sign = full === 'emptiest' ? 1 : -1;
  return {
    receivers: () => receivers,
    best({ request, binding, moved, possible }, { cluster }, capacity) {
      if (!giving.has(cluster)) return undefined;
      const relief = loads.relief(cluster, request, target);
      if (relief === 0) return undefined;
      let to: { readonly name: string; readonly rank: number } | undefined;
      for (const receiver of receivers) {
        const after = loads.with(receiver.name, request, 1);
        if (after === undefined || after.percent > target) continue;
        const rank = after.percent * sign * (1 - varied(receiver.name, variation));
        if ((to === undefined || rank < to.rank) && capacity(receiver) >= 1) to = { name: receiver.name, rank };
      }
      if (to === undefined) return undefined;
      const size = loads.relief(cluster, request, Number.NEGATIVE_INFINITY);
      const scarce = replica === 'scarcest' ? -possible.size : 0;
      return {
        to: to.name,
        replicas: 1,
        worth: [
          scarce,
          relief * (1 - varied(binding.metadata.name, variation)),
          -(moved + 1) / binding.spec.replicas,
          -size,
        ],
      };
    },
    took({ request }, { from, to, replicas }) {
      loads.add(from, request, -replicas);
      loads.add(to, request, replicas);
    },
  };
}

/** How far the clusters are above the high watermark, and then above the target. */
export function restOf({ trigger, members, loads }: PressureInput): readonly number[] {
  const above = (percent: number) =>
    Math.round(
      sum(members.map(({ cluster: { name } }) => Math.max(0, (loads.of(name)?.percent ?? 0) - percent))) * 1e6,
    );
  return [above(trigger.high), above(targetOf(trigger))];
}

function isBelow(load: ClusterLoad | undefined, percent: number): boolean {
  return load !== undefined && load.percent < percent;
}

/** "member1 is at 91 % of its cpu; 2 replicas go to member3 at 40 %". `before`: the loads without the shifts. */
export function pressureText(shifts: readonly Shift[], before: (cluster: string) => ClusterLoad | undefined): string {
  const sums = new Map<string, Shift>();
  for (const shift of shifts) {
    const key = JSON.stringify([shift.from, shift.to]);
    sums.set(key, { ...shift, replicas: shift.replicas + (sums.get(key)?.replicas ?? 0) });
  }
  const at = (cluster: string) => `${Math.round(before(cluster)?.percent ?? 0)} %`;
  const texts = [...groupBy(sums.values(), ({ from }) => from)].map(([from, off]) => {
    const goes = off.map(
      ({ to, replicas }) => `${count(replicas, 'replica')} ${replicas === 1 ? 'goes' : 'go'} to ${to} at ${at(to)}`,
    );
    return `${from} is at ${at(from)} of its ${before(from)?.resource ?? ''}; ${listed(goes)}`;
  });
  return listed(texts);
}

/** Why a planned move no longer helps; undefined if it does. `loads` has the moves of the wave so far. */
export function whyNotRelieving(
  trigger: PressureTrigger,
  { binding, next }: { readonly binding: PlacedBinding; readonly next: Distribution },
  loads: ClusterLoads,
): string | undefined {
  const target = targetOf(trigger);
  const request = requestOf(binding);
  for (const [name, gain] of changesBetween(binding, next)) {
    if (gain < 0 && !loads.isAbove(name, target))
      return `${name} is at ${percentText(loads.of(name))}, not above ${target} % any more`;
    const after = gain > 0 ? loads.with(name, request, gain) : undefined;
    if (after !== undefined && after.percent > target)
      return `${name} would be at ${percentText(after)}, above ${target} %`;
  }
  return undefined;
}

function percentText(load: ClusterLoad | undefined): string {
  return load === undefined ? 'an unknown load' : `${Math.round(load.percent)} % of its ${load.resource}`;
}
