/** Decides what has set a policy off since it answered last, and when to look again. */
import type { Member } from '../../shared/model/member-cluster.ts';
import { lastTime, nextTime } from '../../shared/model/rebalance-policy/calendar.ts';
import {
  type Answered,
  type ClusterSights,
  isRunning,
  type PolicyState,
  type Trigger,
} from '../../shared/model/rebalance-policy/policy-run.ts';
import { durationMs, type RebalancePolicy } from '../../shared/model/rebalance-policy/rebalance-policy.ts';
import type { Instant } from '../../shared/model/time.ts';
import { isStopped } from './report-policy.ts';

export interface SetOff {
  readonly triggers: readonly Trigger[];
  /** What it has answered without doing anything: changes that it does not wait for among them. */
  readonly passed: Answered;
  /** When something may set it off that does not now; infinite where nothing will by the clock. */
  readonly lookAt: Instant;
}

interface Found {
  readonly trigger?: Trigger;
  readonly lookAt?: Instant;
}

export function setOff(
  { policy, answered }: { readonly policy: RebalancePolicy; readonly answered: Answered },
  { members, sights }: { readonly members: readonly Member[]; readonly sights: ClusterSights['clusters'] },
  now: Instant,
): SetOff {
  const changes = members.flatMap((member) => changeOf(member, { policy, answered, sights }));
  const waitedFor = changes.map((change) => ({ ...change, ...whenStable(change, policy, now) }));
  const calendar = calendarOf(policy, answered, now);
  const { capacityFreed, imbalance } = policy.spec.triggers;
  const triggers: Trigger[] = [
    ...[...waitedFor, calendar].flatMap(({ trigger }) => trigger ?? []),
    ...(capacityFreed === undefined ? [] : [{ type: 'CapacityFreed' } as const]),
    ...(imbalance === undefined ? [] : [{ type: 'Imbalance', percent: imbalance.percent } as const]),
  ];
  const passed = waitedFor.filter(({ trigger, lookAt }) => trigger === undefined && lookAt === undefined);
  const { kept } = calendar;
  const clusters = { ...answered.clusters, ...Object.fromEntries(passed.map(({ uid, at }) => [uid, at])) };
  return {
    triggers,
    passed: { clusters, ...(kept && { calendar: kept }) },
    lookAt: Math.min(...[...waitedFor, calendar].map(({ lookAt }) => lookAt ?? Number.POSITIVE_INFINITY)),
  };
}

interface Change {
  readonly uid: string;
  readonly cluster: string;
  readonly type: 'ClusterRecovered' | 'ClusterJoined';
  /** Since when it is well. */
  readonly at: Instant;
}

/** A cluster that is well now, and was not when the policy answered last; or came after the policy was made. */
function changeOf(
  { uid, createdAt, cluster: { name } }: Member,
  { policy, answered, sights }: { policy: RebalancePolicy; answered: Answered; sights: ClusterSights['clusters'] },
): Change[] {
  const at = sights[uid]?.wellSince;
  const last = answered.clusters[uid];
  if (at === undefined) return [];
  if (last === undefined && createdAt > policy.creationTimestamp)
    return [{ uid, cluster: name, type: 'ClusterJoined', at }];
  return at > Math.max(last ?? 0, policy.creationTimestamp)
    ? [{ uid, cluster: name, type: 'ClusterRecovered', at }]
    : [];
}

/** Neither trigger nor time where the policy does not wait for such a change. */
function whenStable({ type, cluster, uid, at }: Change, { spec }: RebalancePolicy, now: Instant): Found {
  const wanted = type === 'ClusterJoined' ? spec.triggers.clusterJoined : spec.triggers.clusterRecovered;
  if (wanted === undefined) return {};
  const stableAt = at + durationMs(wanted.stableFor);
  return now >= stableAt ? { trigger: { type, cluster, uid, at } } : { lookAt: stableAt };
}

/** A calendar that is new, or was changed, begins now: what came before was not asked for. */
function calendarOf(
  policy: RebalancePolicy,
  answered: Answered,
  now: Instant,
): Found & { readonly kept?: Answered['calendar'] } {
  const { schedule } = policy.spec.triggers;
  if (schedule === undefined) return {};
  const text = `${schedule.cron} ${schedule.timeZone}`;
  const lookAt = nextTime(schedule, now);
  const next = lookAt === undefined ? {} : { lookAt };
  if (answered.calendar?.text !== text) return { ...next, kept: { text, at: now } };
  const last = lastTime(schedule, now);
  if (last === undefined || last <= answered.calendar.at) return { ...next, kept: answered.calendar };
  return { ...next, trigger: { type: 'Schedule', at: last }, kept: answered.calendar };
}

/** Why a policy starts nothing, whatever sets it off; undefined where it may. */
export function whyNoRun(policy: RebalancePolicy, state: PolicyState | undefined): string | undefined {
  if (policy.deletionTimestamp !== undefined) return 'it is being deleted';
  if (policy.spec.suspend) return 'it is suspended';
  if (isRunning(state)) return 'its run is under way';
  if (isStopped(policy, state)) return 'it was stopped, and says the same as then';
  return undefined;
}
