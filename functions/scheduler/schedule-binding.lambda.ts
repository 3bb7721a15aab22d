/** Consumes BindingChanged: if the binding names our scheduler, assigns its replicas to clusters as karmada-scheduler would. Bindings of other schedulers are never changed. */
import { awsEstimators } from '../../shared/adapters/estimators/hub-estimators.ts';
import { awsHubs } from '../../shared/adapters/secrets-manager/secret-hubs.ts';
import { estimateCapacity } from '../../shared/edge/estimate-capacity.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { readClusters } from '../../shared/edge/read-clusters.ts';
import { BindingChanged } from '../../shared/events/catalogue.ts';
import { capacityOf } from '../../shared/model/assignment/available-replicas.ts';
import type { Cluster } from '../../shared/model/assignment/cluster.ts';
import { isOurs } from '../../shared/model/assignment/scheduling-decision.ts';
import { Fault } from '../../shared/model/fault.ts';
import { type PlacedBinding, placedKind } from '../../shared/model/placed-binding.ts';
import type { Estimators } from '../../shared/ports/estimator.ts';
import type { Hub, Hubs } from '../../shared/ports/hub.ts';
import type { InvocationContext, Outcome } from '../../shared/ports/invocation.ts';
import { type BindingChange, clustersToAsk, planWrites } from './schedule-binding.ts';

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
  const clusters = await readClusters(hub);
  const estimated = await estimatedCapacity({ hub: at.hub, binding, clusters }, ports);
  const available = capacityOf(binding, { estimated });
  const { spec, status, reason } = planWrites({ binding, clusters, available }, ports.now());
  const written = spec === undefined ? binding : await write(hub, binding, spec);
  const noted = status(written);
  if (noted !== undefined) await write(hub, written, { status: noted });
  return { reason };
}

async function estimatedCapacity(
  { hub, binding, clusters }: { hub: string; binding: PlacedBinding; clusters: readonly Cluster[] },
  { estimators, settings, telemetry }: ScheduleBindingContext,
): Promise<ReadonlyMap<string, number>> {
  const possible = clustersToAsk(binding, clusters);
  const estimator = possible.length === 0 ? undefined : await estimators.of(hub);
  if (estimator === undefined) return new Map();
  const question = { binding, clusters: possible, inFlight: settings.hubInFlight };
  const { answers, faults } = await estimateCapacity(estimator, question);
  for (const [cluster, { reason, message }] of faults)
    telemetry.outcome('EK310', { hub, cluster, reason, error: message });
  return answers;
}

/** After a conflict the message is redelivered, so that the decision is based on a new read. A deleted binding needs nothing. */
async function write(hub: Hub, binding: PlacedBinding, change: BindingChange): Promise<PlacedBinding> {
  const { metadata } = binding;
  const merge = { ...change, metadata: { ...change.metadata, resourceVersion: metadata.resourceVersion } };
  const how = change.status === undefined ? {} : { subresource: 'status' as const };
  const written = await hub.patch(placedKind(metadata), metadata, { merge, ...how });
  if (written.result === 'conflict')
    throw new Fault('retryable', `binding ${metadata.name} changed under the write`, { reason: 'Conflict' });
  return written.result === 'done' ? written.object : binding;
}

export const handler = onQueue(task, { hubs: awsHubs, estimators: awsEstimators });
