/** Hears that a binding changed; where it names our scheduler, assigns its replicas to clusters as karmada-scheduler would. Another scheduler's binding is never touched. */
import { awsEstimators, awsHubs } from '../../shared/edge/aws-ports.ts';
import { estimateRoom } from '../../shared/edge/estimate-room.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { readClusters } from '../../shared/edge/read-clusters.ts';
import { BindingChanged } from '../../shared/events/catalogue/binding-changed.ts';
import { roomOf } from '../../shared/model/assignment/available-replicas.ts';
import type { Cluster } from '../../shared/model/assignment/cluster.ts';
import { isOurs } from '../../shared/model/assignment/scheduling-decision.ts';
import { Fault } from '../../shared/model/fault.ts';
import { type PlacedBinding, placedKind } from '../../shared/model/placed-binding.ts';
import type { Hub } from '../../shared/ports/hub.ts';
import type { Outcome, Ports, Surroundings } from '../../shared/ports/ports.ts';
import { type BindingChange, clustersToAsk, planWrites } from './schedule-binding.ts';

type Uses = Pick<Ports, 'hubs' | 'estimators'> & Surroundings;

export const task = queueTask({ hears: [BindingChanged], run });

async function run(at: { hub: string; namespace: string; name: string }, ports: Uses): Promise<Outcome> {
  const hub = await ports.hubs.connect(at.hub);
  const binding = await hub.get(placedKind(at), at);
  if (binding === undefined) return { reason: 'the binding is gone' };
  if (!isOurs(binding)) return { reason: 'it is not for this scheduler' };
  const clusters = await readClusters(hub);
  const estimated = await estimatedRoom({ hub: at.hub, binding, clusters }, ports);
  const available = roomOf(binding, { estimated });
  const { spec, status, reason } = planWrites({ binding, clusters, available }, ports.now());
  const written = spec === undefined ? binding : await write(hub, binding, spec);
  const noted = status(written);
  if (noted !== undefined) await write(hub, written, { status: noted });
  return { reason };
}

async function estimatedRoom(
  { hub, binding, clusters }: { hub: string; binding: PlacedBinding; clusters: readonly Cluster[] },
  { estimators, settings, telemetry }: Uses,
): Promise<ReadonlyMap<string, number>> {
  const possible = clustersToAsk(binding, clusters);
  const estimator = possible.length === 0 ? undefined : await estimators.of(hub);
  if (estimator === undefined) return new Map();
  const question = { binding, clusters: possible, inFlight: settings.hubInFlight };
  const { answers, faults } = await estimateRoom(estimator, question);
  for (const [cluster, { reason, message }] of faults)
    telemetry.outcome('EK310', { hub, cluster, reason, error: message });
  return answers;
}

/** Whoever wrote in between is read before anything else is decided: the message comes again. One that has gone needs nothing. */
async function write(hub: Hub, binding: PlacedBinding, change: BindingChange): Promise<PlacedBinding> {
  const { metadata } = binding;
  const merge = { ...change, metadata: { ...change.metadata, resourceVersion: metadata.resourceVersion } };
  const how = change.status === undefined ? {} : { subresource: 'status' as const };
  const written = await hub.patch(placedKind(metadata), metadata, { merge, ...how });
  if (written.verdict === 'conflict')
    throw new Fault('retryable', `binding ${metadata.name} changed under the write`, { reason: 'Conflict' });
  return written.verdict === 'done' ? written.object : binding;
}

export const handler = onQueue(task, { hubs: awsHubs, estimators: awsEstimators });
