/** Consumes BindingChanged: assigns the replicas of bindings that name our scheduler as karmada-scheduler would. Bindings of other schedulers are never changed. */
import { awsAssignments } from '../../shared/aws/dynamodb/dynamodb-assignment-store.ts';
import { awsEstimators } from '../../shared/aws/hub-estimators.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { BindingChanged } from '../../shared/bus/catalogue.ts';
import { tryEach } from '../../shared/core/each-at-once.ts';
import type { Fault } from '../../shared/core/fault.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { placedKind } from '../../shared/karmada/placed-binding.ts';
import { readClusters } from '../../shared/karmada/read-clusters.ts';
import { keyText, type ObjectKey } from '../../shared/kubernetes/object-key.ts';
import { reportUse } from '../../shared/runtime/hub-use.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { batchTask, onQueue } from '../../shared/runtime/queue-task.ts';
import { writeAssignments } from '../../shared/scheduler/write-assignments.ts';
import { outcomesOf, toAssign } from './schedule-binding.ts';

const factories = { hubs: awsHubs, estimators: awsEstimators, assignments: awsAssignments };
type ScheduleBindingContext = ContextOf<typeof factories>;

export const task = batchTask({ consumes: [BindingChanged], runTogether: run });

async function run(
  changed: readonly (ObjectKey & { readonly hub: string })[],
  ports: ScheduleBindingContext,
): Promise<readonly (Outcome | Fault)[]> {
  const [first] = changed;
  if (first === undefined) return [];
  const hub = await ports.hubs.connect(first.hub);
  const read = await tryEach(changed, ports.settings.hubInFlight, (at) => hub.get(placedKind(at), at));
  const items = toAssign(read);
  for (const { binding } of items)
    await reportUse({ hub: hub.name, feature: 'scheduler', object: keyText(binding.metadata) }, ports);
  const assigned = items.length === 0 ? [] : await writeAssignments(hub, items, await readClusters(hub), ports);
  return outcomesOf(read, assigned);
}

export const handler = onQueue(task, factories);
