/** Reads what the view of one workload shows: its binding, the clusters, and the descheduler's decisions. */
import type { DeschedulingStore } from '../descheduling/descheduling-store.ts';
import { memberClusters } from '../karmada/member-cluster.ts';
import { placedKind } from '../karmada/placed-binding.ts';
import type { Hubs } from '../kubernetes/hub.ts';
import { listIfServed } from '../kubernetes/list-all.ts';
import type { ObjectKey } from '../kubernetes/object-key.ts';

interface WorkloadReads {
  readonly hubs: Hubs;
  readonly descheduling: DeschedulingStore;
  /** How many decisions are read, also of other workloads. */
  readonly mostDecisions: number;
}

export async function readWorkloadObjects(name: string, key: ObjectKey, reads: WorkloadReads) {
  const { hubs, descheduling, mostDecisions } = reads;
  const hub = await hubs.open(name);
  const [failback, binding, members, decisions] = await Promise.all([
    hubs.uses(name, 'failback'),
    hub.get(placedKind(key), key),
    listIfServed(hub, memberClusters, ({ cluster }) => cluster.name),
    descheduling.decisions(name, mostDecisions),
  ]);
  return { failback, binding, clusters: members.map(({ cluster }) => cluster), decisions };
}
