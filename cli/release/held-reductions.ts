/** The held replica reductions of a hub: what each waits for, and until when. */
import { stringify } from 'yaml';
import { type Instant, toTimestamp } from '../../shared/core/time.ts';
import { decideReductions } from '../../shared/graceful-reduction/decide-reductions.ts';
import { assignedTo } from '../../shared/graceful-reduction/holds.ts';
import { graceEnd, queueOf, type ReplicaReductionTask } from '../../shared/graceful-reduction/replica-reduction.ts';
import { type PlacedBinding, placedBindings, placedClusterBindings } from '../../shared/karmada/placed-binding.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { listAll } from '../../shared/kubernetes/list-all.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import { listMembers } from '../../shared/rebalance-policy/read-fleet.ts';
import { aligned } from '../aligned.ts';
import { named } from '../plan/choose-bindings.ts';

export interface ReleaseSelection {
  readonly names: readonly string[];
  readonly namespace?: string | undefined;
  readonly cluster?: string | undefined;
}

export interface HeldReduction {
  readonly binding: PlacedBinding;
  readonly cluster: string;
  readonly task: ReplicaReductionTask;
  /** Absent if it waits for a manual release, or if its start is not recorded yet. */
  readonly until?: Instant;
  /** What it waits for, or why it is about to be released. */
  readonly reason: string;
}

/** In the order of namespaces, names and clusters. */
export async function heldReductions(
  hub: Hub,
  { names, namespace, cluster: wanted }: ReleaseSelection,
  { now, graceSeconds }: { readonly now: Instant; readonly graceSeconds: number },
): Promise<readonly HeldReduction[]> {
  const members = new Map((await listMembers(hub)).map((member) => [member.cluster.name, member]));
  const bindings = named(await listBindings(hub, namespace), names);
  return bindings.flatMap((binding) => {
    const question = { binding, members, now, graceSeconds, releaseOnTemplateChange: false };
    const { waiting, released } = decideReductions(question);
    const reasons = new Map([...waiting, ...released].map(({ cluster, reason }) => [cluster, reason]));
    return [...queueOf(binding)].flatMap(([cluster, task]): HeldReduction[] => {
      if (wanted !== undefined && cluster !== wanted) return [];
      const until = graceEnd(task, graceSeconds);
      return [{ binding, cluster, task, reason: reasons.get(cluster) ?? '', ...(until !== undefined && { until }) }];
    });
  });
}

async function listBindings(hub: Hub, namespace: string | undefined): Promise<readonly PlacedBinding[]> {
  const key = ({ metadata }: PlacedBinding) => keyText(metadata);
  const all = [
    ...(await listAll(hub, placedBindings, key)),
    ...(namespace === undefined ? await listAll(hub, placedClusterBindings, key) : []),
  ];
  return all.filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace);
}

function heldDocument(held: readonly HeldReduction[]): object {
  return {
    reductions: held.map(({ binding, cluster, task: { creationTimestamp, ...task }, until, reason }) => ({
      namespace: binding.metadata.namespace,
      binding: binding.metadata.name,
      cluster,
      ...task,
      assigned: assignedTo(binding, cluster),
      ...(creationTimestamp !== undefined && { creationTimestamp: toTimestamp(creationTimestamp) }),
      ...(until !== undefined && { until: toTimestamp(until) }),
      reason,
    })),
  };
}

export function heldText(held: readonly HeldReduction[], output: 'table' | 'json' | 'yaml'): string {
  if (output === 'json') return JSON.stringify(heldDocument(held), undefined, 2);
  if (output === 'yaml') return stringify(heldDocument(held)).trimEnd();
  if (held.length === 0) return 'No reduction is held.';
  const head = ['NAMESPACE', 'BINDING', 'CLUSTER', 'KEEPS', 'ASSIGNED', 'UNTIL', 'WAITS FOR'];
  return aligned([head, ...held.map(rowOf)], { right: [3, 4], text: 6 }).join('\n');
}

function rowOf({ binding, cluster, task, until, reason }: HeldReduction): readonly string[] {
  const { namespace, name } = binding.metadata;
  const end = task.suppressDeletion ? 'released' : until === undefined ? '-' : toTimestamp(until);
  const assigned = String(assignedTo(binding, cluster));
  return [namespace || '-', name, cluster, String(task.replicas), assigned, end, reason];
}
