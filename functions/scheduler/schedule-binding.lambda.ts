/** Consumes BindingChanged: if the binding names our scheduler, assigns its replicas to clusters as karmada-scheduler would. Bindings of other schedulers are never changed. */
import { awsEstimators } from '../../shared/aws/hub-estimators.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { BindingChanged } from '../../shared/bus/catalogue.ts';
import type { InvocationContext, Outcome } from '../../shared/core/invocation.ts';
import { estimateCapacity } from '../../shared/estimator/estimate-capacity.ts';
import type { Estimators } from '../../shared/estimator/estimator.ts';
import { capacityOf } from '../../shared/karmada/assignment/available-replicas.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import { isOurs } from '../../shared/karmada/assignment/scheduling-decision.ts';
import { type PlacedBinding, placedKind } from '../../shared/karmada/placed-binding.ts';
import { readClusters } from '../../shared/karmada/read-clusters.ts';
import type { Hub, Hubs } from '../../shared/kubernetes/hub.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import { emit } from '../../shared/runtime/emit.ts';
import { reportUse } from '../../shared/runtime/hub-use.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import {
  afterPatch,
  type BindingChange,
  clustersToAsk,
  patchOf,
  planWrites,
  silentEstimators,
} from './schedule-binding.ts';

interface ScheduleBindingContext extends InvocationContext {
  readonly hubs: Hubs;
  readonly estimators: Estimators;
}

export const task = queueTask({ consumes: [BindingChanged], run });

async function run(
  at: { hub: string; namespace: string; name: string },
  ports: ScheduleBindingContext,
): Promise<Outcome> {
  const hub = await ports.hubs.connect(at.hub);
  const binding = await hub.get(placedKind(at), at);
  if (binding === undefined) return { reason: 'the binding is gone' };
  if (!isOurs(binding)) return { reason: 'it is not for this scheduler' };
  await reportUse({ hub: at.hub, feature: 'scheduler', object: keyText(at) }, ports);
  const clusters = await readClusters(hub);
  const estimated = await estimatedCapacity({ hub: at.hub, binding, clusters }, ports);
  const available = capacityOf(binding, { estimated });
  const { spec, status, reason } = planWrites({ binding, clusters, available }, ports.now());
  const written = await write(hub, binding, spec);
  await write(hub, written, status(written));
  return { reason };
}

async function estimatedCapacity(
  { hub, binding, clusters }: { hub: string; binding: PlacedBinding; clusters: readonly Cluster[] },
  { estimators, settings, telemetry }: ScheduleBindingContext,
): Promise<ReadonlyMap<string, number>> {
  const possible = clustersToAsk(binding, clusters);
  const estimator = possible.length > 0 && (await estimators.of(hub));
  if (!estimator) return new Map();
  const input = { binding, clusters: possible, inFlight: settings.hubInFlight };
  const { answers, faults } = await estimateCapacity(estimator, input);
  emit(telemetry, silentEstimators(hub, faults));
  return answers;
}

/** The binding after the change. */
async function write(hub: Hub, binding: PlacedBinding, change: BindingChange | undefined): Promise<PlacedBinding> {
  if (change === undefined) return binding;
  const { metadata } = binding;
  return afterPatch(binding, await hub.patch(placedKind(metadata), metadata, patchOf(binding, change)));
}

export const handler = onQueue(task, { hubs: awsHubs, estimators: awsEstimators });
