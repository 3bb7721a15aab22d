/** Consumes changes of bindings and clusters on hubs with the feature `history`: records each state whose numbers differ from those of the last. */
import { awsDescheduling } from '../../shared/aws/dynamodb/dynamodb-descheduling-store.ts';
import { awsHistory } from '../../shared/aws/dynamodb/dynamodb-history-store.ts';
import { awsPolicies } from '../../shared/aws/dynamodb/dynamodb-policy-store.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { BindingChanged, BindingStatusChanged, ClusterChanged } from '../../shared/bus/catalogue.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { DAY } from '../../shared/core/time.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { hubFeatures } from '../../shared/kubernetes/hub-features.ts';
import { keyText, type ObjectKey } from '../../shared/kubernetes/object-key.ts';
import { observedClusters } from '../../shared/placement-history/observed-cluster.ts';
import { observedKind } from '../../shared/placement-history/observed-placement.ts';
import {
  type KnownMover,
  leftByScheduler,
  type PlacementChange,
  storesToAsk,
} from '../../shared/placement-history/placement-cause.ts';
import { emit } from '../../shared/runtime/emit.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import { changeOf, clusterStep, recordStep } from './record-placements.ts';

const factories = {
  hubs: awsHubs,
  history: awsHistory,
  policies: awsPolicies,
  descheduling: awsDescheduling,
};
type RecordPlacementsContext = ContextOf<typeof factories>;

/** Of a cluster the detail has no namespace, of a ClusterResourceBinding an empty one. */
type ChangedObject = { readonly hub: string; readonly name: string } & Readonly<Record<string, string>>;

export const task = queueTask<ChangedObject, RecordPlacementsContext>({
  consumes: [BindingChanged, BindingStatusChanged, ClusterChanged],
  about: ({ hub, namespace, name }) => `${hub} ${namespace === undefined ? name : keyText({ namespace, name })}`,
  run,
});

async function run({ hub: name, ...changed }: ChangedObject, ports: RecordPlacementsContext): Promise<Outcome> {
  if (!(await ports.hubs.uses(name, 'history')))
    return { reason: `the hub is registered without ${hubFeatures.history.flag}` };
  const { placementHistoryDays: days } = ports.settings;
  if (days === 0) return { reason: 'placementHistoryDays is 0' };
  const hub = await ports.hubs.connect(name);
  const expiresAt = ports.now() + days * DAY;
  const { namespace } = changed;
  if (namespace === undefined) return recordCluster(hub, changed.name, { ...ports, expiresAt });
  return recordBinding(hub, { namespace, name: changed.name }, { ...ports, expiresAt });
}

type RecordPorts = RecordPlacementsContext & { readonly expiresAt: number };

async function recordBinding(hub: Hub, key: ObjectKey, ports: RecordPorts): Promise<Outcome> {
  const { history, now, expiresAt } = ports;
  const [seen, last] = await Promise.all([hub.get(observedKind(key), key), history.lastPlacement(hub.name, key)]);
  const observed = { key, seen, now: now() };
  const change = changeOf(last, observed);
  const known = change === undefined ? {} : await knownOf(hub, change, ports);
  const step = recordStep(last, observed, known);
  if (step.step === 'Skip') return { reason: step.reason };
  await history.recordPlacement(hub.name, step.placement, expiresAt);
  emit(ports.telemetry, step.telemetry);
  const { row, moves } = step.placement;
  return { reason: step.reason, fields: { moves: moves.length, ...(row.cause && { cause: row.cause.by }) } };
}

/** The other stores are read only if the binding shows that they may know more. */
async function knownOf(hub: Hub, change: PlacementChange, ports: RecordPorts): Promise<KnownMover> {
  const { policies, descheduling } = ports;
  const left = await Promise.all(
    leftByScheduler(change).map(async (cluster) => {
      const seen = await hub.get(observedClusters, { namespace: '', name: cluster });
      return { cluster, state: seen?.state ?? ('Gone' as const) };
    }),
  );
  if (left.length > 0) return { left };
  const ask = storesToAsk(change);
  const { namespace, name } = change.seen.binding.metadata;
  const decision = ask.decision ? await descheduling.lastDecision(hub.name, { namespace, name }) : undefined;
  const lease = ask.policy ? await policies.lastLease(hub.name, { namespace, name }) : undefined;
  if (lease === undefined) return { decision };
  const states = await policies.readStates(hub.name);
  return { decision, policy: states.find(({ run: latest }) => latest?.run === lease.run) };
}

async function recordCluster(hub: Hub, name: string, { history, now, expiresAt }: RecordPorts): Promise<Outcome> {
  const [seen, last] = await Promise.all([
    hub.get(observedClusters, { namespace: '', name }),
    history.lastCluster(hub.name, name),
  ]);
  const { row, reason } = clusterStep(last, { name, seen, now: now() });
  if (row !== undefined) await history.recordCluster(hub.name, row, expiresAt);
  return { reason };
}

export const handler = onQueue(task, factories);
