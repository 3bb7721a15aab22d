/** Consumes changes of policies and clusters, and schedules: finds the triggers of policies, plans a run for each, and publishes that it is due. */
import { awsExternalEvents } from '../../shared/aws/dynamodb/dynamodb-external-event-store.ts';
import { awsPolicies } from '../../shared/aws/dynamodb/dynamodb-policy-store.ts';
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { awsSchedule } from '../../shared/aws/eventbridge-schedule.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import {
  ClusterChanged,
  ClusterDrainChanged,
  PoliciesDue,
  RebalancePolicyChanged,
  ResyncDue,
} from '../../shared/bus/catalogue.ts';
import { writeSchedule } from '../../shared/bus/write-schedule.ts';
import { eachAtOnce } from '../../shared/core/each-at-once.ts';
import { Fault } from '../../shared/core/fault.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { DAY, type Instant } from '../../shared/core/time.ts';
import { awsClusters } from '../../shared/external-events/aws-cluster.ts';
import { drainTaintPatch, taintedClusters } from '../../shared/karmada/drain-taint.ts';
import type { Member } from '../../shared/karmada/member-cluster.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { whyNotListed } from '../../shared/kubernetes/hub-features.ts';
import { listAll } from '../../shared/kubernetes/list-all.ts';
import { clusterScoped } from '../../shared/kubernetes/object-event.ts';
import { unread } from '../../shared/kubernetes/resource.ts';
import { requireWritten } from '../../shared/kubernetes/retry-conflicts.ts';
import { writeEvent } from '../../shared/kubernetes/write-event.ts';
import { clusterDrains, policyKind } from '../../shared/rebalance-policy/cluster-drain.ts';
import { runPlanners } from '../../shared/rebalance-policy/plan-run.ts';
import type { ClusterObservations, PolicyState } from '../../shared/rebalance-policy/policy-run.ts';
import { listDrains, listFleet, listMembers, listPriorities } from '../../shared/rebalance-policy/read-fleet.ts';
import { type RebalancePolicy, rebalancePolicies } from '../../shared/rebalance-policy/rebalance-policy.ts';
import { writePolicyStatus } from '../../shared/rebalance-policy/write-policy-status.ts';
import { emit } from '../../shared/runtime/emit.ts';
import { reportUse, resyncedWith } from '../../shared/runtime/hub-use.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import { taintChanges } from './cordon-clusters.ts';
import {
  continuations,
  type Evaluated,
  evaluatePolicies,
  expiredStates,
  hasNoRunningRun,
  mayAct,
  mayBeTainted,
  newDrains,
  outcomeOf,
  telemetryOf,
} from './evaluate-policies.ts';
import { type DrainChange, drainChanges, type ObservedEvents, usesEvents } from './event-drains.ts';
import { type Evaluation, type NewRun, newRuns, nextEvaluationAt } from './new-run.ts';
import { nextObservations } from './observe-clusters.ts';
import { problemsOn } from './policy-problems.ts';
import { eventOfStart, statusChange } from './report-policy.ts';

/** A run may have hundreds of rows, each of up to 500 workloads. */
const ROWS_AT_ONCE = 8;

const factories = {
  hubs: awsHubs,
  policies: awsPolicies,
  externalEvents: awsExternalEvents,
  bus: awsBus,
  schedule: awsSchedule,
};
type EvaluatePoliciesContext = ContextOf<typeof factories>;

export const task = queueTask({
  consumes: [RebalancePolicyChanged, ClusterDrainChanged, ClusterChanged, PoliciesDue, ResyncDue],
  about: ({ hub }) => hub,
  run: resyncedWith('policies', evaluate, continueRuns),
});

/** A run that was started while the hub had the feature, or by an event, still ends. This reads only the table. */
async function continueRuns({ hub }: { hub: string }, { bus, policies }: EvaluatePoliciesContext): Promise<void> {
  await bus.publish(continuations(await policies.readStates(hub)));
}

async function evaluate(
  { hub: name }: { hub: string },
  ports: EvaluatePoliciesContext,
  eventTypes: ReadonlySet<string>,
): Promise<Outcome> {
  const { policies, bus, telemetry, now } = ports;
  const hub = await ports.hubs.connect(name);
  // Not every hub uses policies: a hub without them costs one request.
  const listed = await listAll(hub, rebalancePolicies, ({ uid }) => uid).catch((thrown: unknown) =>
    whyNotListed(thrown, 'RebalancePolicies', 'policies'),
  );
  if (typeof listed === 'string') return { reason: listed };
  if (eventTypes.has(ClusterDrainChanged.type))
    await reportUse({ hub: name, feature: 'drains', object: 'a ClusterDrain' }, ports);
  const hasDrains = await ports.hubs.uses(name, 'drains');
  const known = [...listed, ...(hasDrains ? await listDrains(hub) : [])];
  const external = usesEvents(known) ? await observeEvents(hub, ports) : undefined;
  const found = external === undefined ? known : await drainForEvents(hub, known, { external, now: now() });
  const states = await withDrains(name, found, ports);
  // Running runs always continue, so that they observe lost events, edits and deletions.
  await bus.publish(continuations(states));
  const holds = await ports.hubs.uses(name, 'gracefulReduction');
  // With the states lost, only the taint shows that a cluster was drained.
  const members =
    hasDrains || mayBeTainted(states)
      ? await cordon(hub, found, { holds, now: now() })
      : await listMembersFor(hub, found);
  await Promise.all(expiredStates(states, found, expiryOf(ports)).map((state) => policies.saveState(state)));
  if (found.length === 0) return { reason: 'the hub has no RebalancePolicy', fields: { policies: 0 } };
  const observations = await observe(name, members, ports);
  const evaluated = evaluatePolicies(found, { hub: name, states, members, observations, holds, external }, now());
  emit(telemetry, telemetryOf(name, evaluated));
  const evaluations = await plan(hub, { evaluated, members }, ports);
  const begun = await Promise.all(newRuns(evaluations, now()).map((each) => keep(hub, each, ports)));
  // A run that was already in progress is reported by the function that advances it.
  await Promise.all(evaluations.filter(hasNoRunningRun).map((each) => report(hub, each, ports)));
  await scheduleNext(name, evaluations, ports);
  return outcomeOf(evaluated.length, begun);
}

/** Read only where a policy acts on events, or a drain is there for one. */
async function observeEvents(
  hub: Hub,
  { hubs, externalEvents, now }: EvaluatePoliciesContext,
): Promise<ObservedEvents | undefined> {
  if (!(await hubs.uses(hub.name, 'externalEvents'))) return undefined;
  const [events, clusters] = await Promise.all([
    externalEvents.list(now()),
    listAll(hub, awsClusters, ({ name }) => name),
  ]);
  return { events: events.filter(({ hub: of = hub.name }) => of === hub.name), clusters };
}

/** Returns all policies and drains as they are then. */
async function drainForEvents(
  hub: Hub,
  known: readonly RebalancePolicy[],
  { external, now }: { readonly external: ObservedEvents; readonly now: Instant },
): Promise<readonly RebalancePolicy[]> {
  const changes = drainChanges(known, external, now);
  if (changes.length === 0) return known;
  for (const each of changes) await writeDrain(hub, each);
  return [...known.filter(({ drains }) => drains === undefined), ...(await listDrains(hub))];
}

/** A conflict is of a concurrent evaluation, or of a user: the next evaluation decides anew. */
async function writeDrain(hub: Hub, each: DrainChange): Promise<void> {
  if (each.change === 'create') {
    await hub.create(clusterDrains, each.object);
    return;
  }
  const { name, uid, resourceVersion } = each.drain;
  const key = { namespace: '', name };
  if (each.change === 'delete') await hub.delete(clusterDrains, key, { uid, resourceVersion });
  else await hub.patch(clusterDrains, key, { merge: { metadata: { resourceVersion }, spec: each.spec } });
}

/** The stored states. That of a new drain is saved before its cluster is tainted: it is what has the taint removed if the drain is deleted. */
async function withDrains(
  hub: string,
  found: readonly RebalancePolicy[],
  { policies }: EvaluatePoliciesContext,
): Promise<readonly PolicyState[]> {
  const states = await policies.readStates(hub);
  const added = newDrains(hub, found, states);
  if (added.length === 0) return states;
  await Promise.all(added.map((state) => policies.saveState(state)));
  return policies.readStates(hub);
}

async function listMembersFor(hub: Hub, found: readonly RebalancePolicy[]): Promise<readonly Member[]> {
  return found.length === 0 ? [] : listMembers(hub);
}

/** Taints the clusters that are drained, removes the taint of others, and returns all as they are then. */
async function cordon(
  hub: Hub,
  found: readonly RebalancePolicy[],
  { holds, now }: { readonly holds: boolean; readonly now: Instant },
): Promise<readonly Member[]> {
  const members = await listMembers(hub);
  const isAccepted = (drain: RebalancePolicy) => problemsOn(drain, { holds, members }).length === 0;
  const changes = taintChanges(members, found, { isAccepted, now });
  for (const change of changes) {
    const key = { namespace: '', name: change.cluster };
    await requireWritten(`cluster ${change.cluster}`, async () => {
      const cluster = await hub.get(taintedClusters, key);
      return cluster === undefined
        ? 'missing'
        : (await hub.patch(unread(taintedClusters), key, drainTaintPatch(cluster, change.drain))).result;
    });
  }
  return changes.length === 0 ? members : listMembers(hub);
}

async function observe(
  hub: string,
  members: readonly Member[],
  { policies, now }: EvaluatePoliciesContext,
): Promise<ClusterObservations['clusters']> {
  const { next, isChanged } = nextObservations(hub, await policies.readObservations(hub), { members, now: now() });
  if (!isChanged || (await policies.saveObservations(next))) return next.clusters;
  throw new Fault('retryable', `the clusters of ${hub} were evaluated concurrently`, {
    reason: 'ConcurrentEvaluation',
  });
}

/** Bindings are read only if some policy may act, once for all policies, and none is kept. */
async function plan(
  hub: Hub,
  { evaluated, members }: { readonly evaluated: readonly Evaluated[]; readonly members: readonly Member[] },
  { hubs, now, newId }: EvaluatePoliciesContext,
): Promise<readonly Evaluation[]> {
  const acting = evaluated.filter(mayAct);
  if (acting.length === 0) return evaluated.map((each) => ({ ...each, planned: undefined, id: newId() }));
  const { switches, pages } = await listFleet(hub);
  const failback = await hubs.uses(hub.name, 'failback');
  const priorities = await listPriorities(
    hub,
    acting.map(({ policy }) => policy),
  );
  const plannerOf = runPlanners({ members, switches, now: now(), failback }, priorities);
  const planners = new Map(
    acting.map((each) => [each, plannerOf({ policy: each.policy, triggers: each.off.triggers })] as const),
  );
  for await (const page of pages) for (const planner of planners.values()) planner.add(page);
  return evaluated.map((each) => ({ ...each, planned: planners.get(each)?.planned(), id: newId() }));
}

/**
 * Rows first: they are read only after the state refers to the run. The record of the run before, too: after the state is replaced, a function that
 * is killed leaves nothing from which it could be written. Returns whether a run begins.
 */
async function keep(
  hub: Hub,
  { state, waves, skipped, record, replaced }: NewRun,
  ports: EvaluatePoliciesContext,
): Promise<boolean> {
  const { policies, bus } = ports;
  const expiresAt = expiryOf(ports);
  await eachAtOnce(waves, ROWS_AT_ONCE, (wave) => policies.writeWave(wave, state.version, expiresAt));
  await eachAtOnce(skipped, ROWS_AT_ONCE, (chunk) => policies.writeSkipped(chunk, expiresAt));
  // Until its decisions expire.
  if (replaced !== undefined) await policies.recordRun(state.hub, replaced, expiryOf(ports, replaced.run.finishedAt));
  // False if another delivery has planned the same.
  const isSaved = await policies.saveState(state);
  if (!isSaved || record === undefined) return false;
  await policies.recordRun(state.hub, record, expiresAt);
  await bus.publish(continuations([state]));
  if (record.run.state === 'Running')
    await writeEvent(hub, clusterScoped(policyKind(state), state), eventOfStart(record.run));
  return true;
}

function report(hub: Hub, { policy, problems, planned }: Evaluation, ports: EvaluatePoliciesContext): Promise<void> {
  const change = statusChange({ problems, planned }, ports.now());
  return writePolicyStatus(hub, { policy, seen: policy, change }, ports.policies);
}

async function scheduleNext(
  hub: string,
  evaluations: readonly Evaluation[],
  { schedule, now }: EvaluatePoliciesContext,
): Promise<void> {
  const at = nextEvaluationAt(evaluations, now());
  await writeSchedule(schedule, { purpose: 'policies', hub, uid: '', at }, PoliciesDue.of({ hub }));
}

function expiryOf({ now, settings }: EvaluatePoliciesContext, from = now()): Instant {
  return from + settings.historyDays * DAY;
}

export const handler = onQueue(task, factories);
