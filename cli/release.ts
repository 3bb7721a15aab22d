/** `evenkeel release`: lists the held replica reductions of a hub, and releases the named ones. */
import type { Command } from 'commander';
import { invalidOption } from '../shared/core/fault.ts';
import { type Instant, toTimestamp } from '../shared/core/time.ts';
import { decideReductions } from '../shared/graceful-reduction/decide-reductions.ts';
import { assignedTo } from '../shared/graceful-reduction/holds.ts';
import { graceEnd, queueOf, type ReplicaReductionTask } from '../shared/graceful-reduction/replica-reduction.ts';
import { releaseHeld } from '../shared/graceful-reduction/write-releases.ts';
import type { PlacedBinding } from '../shared/karmada/placed-binding.ts';
import type { Hub } from '../shared/kubernetes/hub.ts';
import { keyText } from '../shared/kubernetes/object-key.ts';
import { listMembers } from '../shared/rebalance-policy/read-fleet.ts';
import { aligned } from './aligned.ts';
import { chosenNamespace, listBindingsIn } from './chosen-namespace.ts';
import { documentText } from './document-text.ts';
import {
  CONTEXT_NAMESPACE,
  type HubOptions,
  hubOf,
  type NamespaceOptions,
  takesHub,
  takesNamespace,
  takesOutput,
} from './hub-options.ts';
import { openHub } from './open-hub.ts';
import { named } from './plan/choose-bindings.ts';

interface ReleaseOptions extends HubOptions, NamespaceOptions {
  readonly cluster?: string;
  readonly all?: boolean;
  readonly output: 'table' | 'json' | 'yaml';
}

const after = `
Without names it only shows what is held. What is released is reduced at once, whether its replacement is ready or not,
and is not held again before the workload is next scheduled.

Examples:
  evenkeel release -A                            what the hub that kubectl talks to holds back
  evenkeel release -n shop web                   let go all that is held of one workload
  evenkeel release -n shop web --cluster member1
  evenkeel release -n shop --all`;

export function registerRelease(evenkeel: Command): void {
  const command = evenkeel
    .command('release')
    .description('list the replica reductions that wait for their replacement, or release some')
    .argument('[workload...]', 'of bindings (web-deployment) or workloads (web, deployment/web)')
    .option('--all', 'release all that is held in the namespace; with -A on the whole hub')
    .option('--cluster <cluster>', 'only held replicas of this cluster');
  takesHub(takesNamespace(takesOutput(command, ['json', 'yaml']), CONTEXT_NAMESPACE));
  command.addHelpText('after', after).action(async (names: string[], options: ReleaseOptions) => {
    process.stdout.write(`${await release({ ...options, names })}\n`);
  });
}

async function release({ all = false, output, ...options }: ReleaseOptions & ReleaseSelection): Promise<string> {
  const { names } = options;
  if (all && names.length > 0) throw invalidOption(`--all goes without names; leave out ${names.join(' ')}, or --all`);
  const { hub, settings } = await openHub(hubOf(options));
  const namespace = await chosenNamespace(options);
  const context = { now: Date.now(), graceSeconds: settings.reductionGraceSeconds };
  const held = await heldReductions(hub, { ...options, namespace }, context);
  if (!all && names.length === 0) return heldText(held, output);
  const done = [];
  for (const each of held) {
    const released = await releaseHeld(hub, each.binding.metadata, (cluster) => cluster === each.cluster);
    if (released.length > 0) done.push(each);
  }
  if (output !== 'table') return heldText(done, output);
  return done.length === 0 ? 'No reduction of these is held.' : done.map(releasedText).join('\n');
}

function releasedText({ binding, cluster, task }: HeldReduction): string {
  const kept = `kept ${task.replicas}, is assigned ${assignedTo(binding, cluster)}`;
  return `${keyText(binding.metadata)}: ${cluster} is released (${kept})`;
}

interface ReleaseSelection {
  readonly names: readonly string[];
  readonly namespace?: string | undefined;
  readonly cluster?: string | undefined;
}

interface HeldReduction {
  readonly binding: PlacedBinding;
  readonly cluster: string;
  readonly task: ReplicaReductionTask;
  /** Absent if it waits for a manual release, or if its start is not recorded yet. */
  readonly until?: Instant;
  /** What it waits for, or why it is about to be released. */
  readonly reason: string;
}

/** In the order of namespaces, names and clusters. */
async function heldReductions(
  hub: Hub,
  { names, namespace, cluster: wanted }: ReleaseSelection,
  { now, graceSeconds }: { readonly now: Instant; readonly graceSeconds: number },
): Promise<readonly HeldReduction[]> {
  const members = new Map((await listMembers(hub)).map((member) => [member.cluster.name, member]));
  const bindings = named(await listBindingsIn(hub, namespace), names, namespace);
  return bindings.flatMap((binding) => {
    const query = { binding, members, now, graceSeconds, releaseOnTemplateChange: false };
    const { waiting, released } = decideReductions(query);
    const reasons = new Map([...waiting, ...released].map(({ cluster, reason }) => [cluster, reason]));
    return [...queueOf(binding)].flatMap(([cluster, task]): HeldReduction[] => {
      if (wanted !== undefined && cluster !== wanted) return [];
      const until = graceEnd(task, graceSeconds);
      return [{ binding, cluster, task, reason: reasons.get(cluster) ?? '', ...(until !== undefined && { until }) }];
    });
  });
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

function heldText(held: readonly HeldReduction[], output: 'table' | 'json' | 'yaml'): string {
  if (output !== 'table') return documentText(heldDocument(held), output);
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
