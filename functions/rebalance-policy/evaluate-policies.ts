/** Decides which triggers a policy has since its last evaluation, and when to evaluate again. */
import { PolicyRunDue } from '../../shared/bus/catalogue.ts';
import type { EvenkeelEvent } from '../../shared/bus/event.ts';
import { count } from '../../shared/core/count.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import type { TelemetryEntry } from '../../shared/core/telemetry.ts';
import { type Instant, SECOND } from '../../shared/core/time.ts';
import { isDrained, type Member } from '../../shared/karmada/member-cluster.ts';
import { lastTime, nextTime } from '../../shared/rebalance-policy/calendar.ts';
import { isOver } from '../../shared/rebalance-policy/cluster-drain.ts';
import {
  type ClusterObservations,
  type HandledTriggers,
  isRunning,
  type PolicyState,
  type Trigger,
} from '../../shared/rebalance-policy/policy-run.ts';
import { durationMs, type RebalancePolicy } from '../../shared/rebalance-policy/rebalance-policy.ts';
import { isUnderPressure } from '../../shared/rebalance-policy/shift-by-pressure.ts';
import { eventTriggers } from './event-drains.ts';
import { type AcceptingHub, problemsOn } from './policy-problems.ts';
import { isStopped } from './report-policy.ts';

export interface SetOff {
  readonly triggers: readonly Trigger[];
  /** Triggers handled without action, including changes that the policy does not wait for. */
  readonly passed: HandledTriggers;
  /** Time of the next possible trigger; infinite if there is none. */
  readonly evaluateAt: Instant;
}

interface Found {
  readonly trigger?: Trigger;
  readonly evaluateAt?: Instant;
}

/** One for each running run. */
export function continuations(states: readonly PolicyState[]): readonly EvenkeelEvent[] {
  return states.filter(isRunning).map(({ hub, uid, name }) => PolicyRunDue.of({ hub, uid, name }));
}

/** The rows of deleted policies, with their expiry. */
export function expiredStates(
  states: readonly PolicyState[],
  policies: readonly RebalancePolicy[],
  expiresAt: Instant,
): readonly PolicyState[] {
  const uids = new Set(policies.map(({ uid }) => uid));
  const isGone = (state: PolicyState) => !uids.has(state.uid) && !isRunning(state) && state.expiresAt === undefined;
  return states.filter(isGone).map((state) => ({ ...state, expiresAt }));
}

/** A policy with its stored state and its triggers. */
export interface Evaluated {
  readonly policy: RebalancePolicy;
  readonly state: PolicyState;
  readonly problems: readonly string[];
  readonly off: SetOff;
}

export function evaluatePolicies(
  policies: readonly RebalancePolicy[],
  { hub, states, holds, ...observed }: EvaluationInput,
  now: Instant,
): readonly Evaluated[] {
  const byUid = new Map(states.map(({ expiresAt: _, ...state }) => [state.uid, state]));
  return policies.map((policy) => {
    const { uid } = policy;
    const state = byUid.get(uid) ?? newState(hub, policy);
    const problems = problemsOn(policy, { holds, ...observed });
    const isActive = problems.length === 0 && !isOver(policy, now);
    const nothing = { triggers: [], passed: state.answered, evaluateAt: endOf(policy, now) };
    const own = { policy, answered: state.answered, run: state.run };
    const off = isActive ? setOff(own, observed, now) : nothing;
    return { policy, state, problems, off };
  });
}

/** When a drain is to end: its cluster loses the taint then. Infinite if that is over, or not planned. */
function endOf(policy: RebalancePolicy, now: Instant): Instant {
  return isOver(policy, now) ? Number.POSITIVE_INFINITY : (policy.until ?? Number.POSITIVE_INFINITY);
}

function newState(hub: string, { uid, name, drains }: RebalancePolicy): PolicyState {
  return { hub, uid, name, ...(drains !== undefined && { drains }), version: 0, answered: { clusters: {} } };
}

/** Drains without a stored state. */
export function newDrains(
  hub: string,
  policies: readonly RebalancePolicy[],
  states: readonly PolicyState[],
): readonly PolicyState[] {
  const known = new Set(states.map(({ uid }) => uid));
  return policies
    .filter(({ uid, drains }) => drains !== undefined && !known.has(uid))
    .map((each) => newState(hub, each));
}

/** Whether a cluster is drained, or was until its drain was deleted. */
export function mayBeTainted(states: readonly PolicyState[]): boolean {
  return states.some(({ drains, expiresAt }) => drains !== undefined && expiresAt === undefined);
}

export function telemetryOf(hub: string, evaluated: readonly Evaluated[]): readonly TelemetryEntry[] {
  const invalid = evaluated.filter(({ problems }) => problems.length > 0);
  return invalid.map(({ policy, problems }) => ({
    code: 'EK321',
    fields: { hub, policy: policy.name, error: problems.join('; ') },
  }));
}

export function hasNoRunningRun({ state }: Pick<Evaluated, 'state'>): boolean {
  return !isRunning(state);
}

export function mayAct({ off, policy, state }: Pick<Evaluated, 'off' | 'policy' | 'state'>): boolean {
  return off.triggers.length > 0 && whyNoRun(policy, state) === undefined;
}

export function outcomeOf(policies: number, begun: readonly boolean[]): Outcome {
  const runs = begun.filter(Boolean).length;
  return { reason: `${count(runs, 'run')} planned`, fields: { policies, begun: runs } };
}

interface EvaluationInput extends AcceptingHub, ObservedClusters {
  readonly hub: string;
  readonly states: readonly PolicyState[];
}

interface ObservedClusters extends Pick<AcceptingHub, 'members' | 'external'> {
  readonly observations: ClusterObservations['clusters'];
}

interface LastRun {
  readonly policy: RebalancePolicy;
  readonly run?: PolicyState['run'] | undefined;
}

export function setOff(
  { policy, answered, run }: Pick<PolicyState, 'answered'> & LastRun,
  { members, observations, external }: ObservedClusters,
  now: Instant,
): SetOff {
  const changes = members.flatMap((member) => changeOf(member, { policy, answered, observations }));
  const waitedFor = changes.map((change) => ({ ...change, ...whenStable(change, policy, now) }));
  const calendar = calendarOf(policy, answered, now);
  const request = requestOf(policy, answered, now);
  const event = eventOf(policy, answered, { external, now });
  const shift = shiftTriggerOf({ policy, run }, members, now);
  const timed = [...waitedFor, calendar, request, event, shift];
  const { capacityFreed, imbalance } = policy.spec.triggers;
  const mayMove = policy.share?.percent !== 0;
  const drained = mayMove && members.some((member) => member.cluster.name === policy.drains && isDrained(member));
  const triggers: Trigger[] = [
    ...(policy.drains !== undefined && drained ? [{ type: 'ClusterDrained', cluster: policy.drains } as const] : []),
    ...timed.flatMap(({ trigger }) => trigger ?? []),
    ...(capacityFreed === undefined ? [] : [{ type: 'CapacityFreed' } as const]),
    ...(imbalance === undefined ? [] : [{ type: 'Imbalance', percent: imbalance.percent } as const]),
  ];
  const passed = waitedFor.filter(({ trigger, evaluateAt }) => trigger === undefined && evaluateAt === undefined);
  const { kept } = calendar;
  const { requestedAt, externalEventAt } = answered;
  const clusters = { ...answered.clusters, ...Object.fromEntries(passed.map(({ uid, at }) => [uid, at])) };
  return {
    triggers,
    passed: {
      clusters,
      ...(kept && { calendar: kept }),
      ...(requestedAt !== undefined && { requestedAt }),
      ...(externalEventAt !== undefined && { externalEventAt }),
    },
    evaluateAt: Math.min(endOf(policy, now), ...timed.map(({ evaluateAt }) => evaluateAt ?? Number.POSITIVE_INFINITY)),
  };
}

interface Change {
  readonly uid: string;
  readonly cluster: string;
  readonly type: 'ClusterRecovered' | 'ClusterJoined';
  /** Since when it is healthy. */
  readonly at: Instant;
}

/** A cluster that became healthy since the policy's last evaluation, or joined after the policy was created. */
function changeOf(
  { uid, createdAt, cluster: { name } }: Member,
  {
    policy,
    answered,
    observations,
  }: { policy: RebalancePolicy; answered: HandledTriggers; observations: ClusterObservations['clusters'] },
): Change[] {
  const at = observations[uid]?.readySince;
  const last = answered.clusters[uid];
  if (at === undefined) return [];
  if (last === undefined && createdAt > policy.creationTimestamp)
    return [{ uid, cluster: name, type: 'ClusterJoined', at }];
  return at > Math.max(last ?? 0, policy.creationTimestamp)
    ? [{ uid, cluster: name, type: 'ClusterRecovered', at }]
    : [];
}

/** Neither trigger nor time if the policy does not wait for such a change. */
function whenStable({ type, cluster, uid, at }: Change, { spec }: RebalancePolicy, now: Instant): Found {
  const wanted = type === 'ClusterJoined' ? spec.triggers.clusterJoined : spec.triggers.clusterRecovered;
  if (wanted === undefined) return {};
  const stableAt = at + durationMs(wanted.stableFor);
  return now >= stableAt ? { trigger: { type, cluster, uid, at } } : { evaluateAt: stableAt };
}

/** A request counts once, and none from before the policy was created: a policy that is restored from a file moves nothing by it. */
function requestOf({ spec, creationTimestamp }: RebalancePolicy, answered: HandledTriggers, now: Instant): Found {
  const { requestedAt: at } = spec.triggers;
  if (at === undefined || at <= Math.max(answered.requestedAt ?? 0, creationTimestamp)) return {};
  return now >= at ? { trigger: { type: 'Requested', at } } : { evaluateAt: at };
}

function eventOf(
  policy: RebalancePolicy,
  answered: HandledTriggers,
  { external, now }: Pick<ObservedClusters, 'external'> & { readonly now: Instant },
): Found {
  if (external === undefined) return {};
  const after = Math.max(answered.externalEventAt ?? 0, policy.creationTimestamp);
  const { event, evaluateAt } = eventTriggers(policy, external, { after, now });
  return { evaluateAt, ...(event && { trigger: { type: 'ExternalEvent', event: event.type, at: event.at } }) };
}

/** Clusters report what a run moved within seconds: until then their reports would set off the same again. */
const REPORTED_AFTER = 60 * SECOND;

/** Of a policy by pressure or price; it holds for as long as its cause. */
function shiftTriggerOf({ policy, run }: LastRun, members: readonly Member[], now: Instant): Found {
  const { pressure, price } = policy.spec.triggers;
  if (pressure === undefined && price === undefined) return {};
  const reportedAt = run === undefined || run.moved === 0 ? 0 : (run.finishedAt ?? 0) + REPORTED_AFTER;
  if (now < reportedAt) return { evaluateAt: reportedAt };
  if (price !== undefined) return { trigger: { type: 'Price', minScore: price.minScore } };
  if (pressure === undefined || !isUnderPressure(pressure, members)) return {};
  return { trigger: { type: 'Pressure', percent: pressure.high } };
}

/** A new or changed schedule starts now: earlier times do not count. */
function calendarOf(
  policy: RebalancePolicy,
  answered: HandledTriggers,
  now: Instant,
): Found & { readonly kept?: HandledTriggers['calendar'] } {
  const { schedule } = policy.spec.triggers;
  if (schedule === undefined) return {};
  const text = `${schedule.cron} ${schedule.timeZone}`;
  const evaluateAt = nextTime(schedule, now);
  const next = evaluateAt === undefined ? {} : { evaluateAt };
  if (answered.calendar?.text !== text) return { ...next, kept: { text, at: now } };
  const last = lastTime(schedule, now);
  if (last === undefined || last <= answered.calendar.at) return { ...next, kept: answered.calendar };
  return { ...next, trigger: { type: 'Schedule', at: last }, kept: answered.calendar };
}

/** Why a policy starts no run, for any trigger; undefined if it may. */
export function whyNoRun(policy: RebalancePolicy, state: PolicyState | undefined): string | undefined {
  if (policy.deletionTimestamp !== undefined) return 'it is being deleted';
  if (policy.spec.suspend) return 'it is suspended';
  if (isRunning(state)) return 'its run is under way';
  if (isStopped(policy, state)) return 'it was stopped, and is unchanged since';
  return undefined;
}
