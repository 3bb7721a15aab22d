/** `evenkeel rebalance`: creates a standard WorkloadRebalancer, and waits until the scheduler has acted on it. */

import { randomBytes } from 'node:crypto';
import { type Command, Option } from 'commander';
import { Fault, invalidOption } from '../shared/core/fault.ts';
import { namespaceFromKubeconfig } from '../shared/kubernetes/client/kubeconfig.ts';
import type { Hub } from '../shared/kubernetes/hub.ts';
import { workloadRebalancers } from '../shared/workload-rebalancer/workload-rebalancer.ts';
import { documentText } from './document-text.ts';
import {
  CONTEXT_NAMESPACE,
  type HubOptions,
  hubOf,
  type NamespaceOptions,
  parseSeconds,
  takesHub,
  takesNamespace,
  takesOutput,
} from './hub-options.ts';
import { objectName } from './object-name.ts';
import { openHub } from './open-hub.ts';
import { chooseWorkloads, type Wish } from './rebalance/choose-workloads.ts';
import { dryRun } from './rebalance/dry-run.ts';
import type { Progress } from './rebalance/follow-rebalance.ts';
import { namedWorkloads } from './rebalance/named-workloads.ts';
import { generatedName, type NewRebalancer, newRebalancer, objectText } from './rebalance/new-rebalancer.ts';
import { resultDocument } from './rebalance/result-document.ts';
import { waitForRebalance } from './rebalance/wait-for-rebalance.ts';

type Form = 'table' | 'wide' | 'json' | 'yaml' | 'name';

interface RebalanceOptions extends HubOptions, NamespaceOptions {
  readonly selector?: string;
  readonly kind?: string;
  readonly allOn?: string;
  readonly ttl?: string;
  readonly name?: string;
  readonly wait?: true;
  readonly timeout: string;
  readonly dryRun?: true;
  readonly preserveAvailableReplicas?: true;
  readonly output: Form;
}

const after = `
Workloads are named as for kubectl (deployment/web, deploy web, deployment/shop/web), selected by their labels, or all
that a cluster has replicas of. Each must be propagated by a policy, which is checked before anything is created.

With --wait it ends when the scheduler has acted on every workload; that its trigger was written is not enough. With
-o json or yaml it then prints the result: the state of each workload, and why.

Exit code: 0 done (with --wait: all rescheduled), 1 with --wait: some failed, or not in time, 2 nothing was asked for.
With --dry-run: 0 nothing would move, 3 replicas would move, 2 the input is wrong. After Ctrl-C: 130.

Examples:
  evenkeel rebalance deployment/web -n shop --wait
  evenkeel rebalance deployment/shop/web deployment/jobs/batch --dry-run
  evenkeel rebalance -l app=web -A --ttl 5m
  evenkeel rebalance --all-on member1 --wait --timeout 30m
  evenkeel rebalance deployment/batch -n jobs --preserve-available-replicas --wait`;

export function registerRebalance(evenkeel: Command): void {
  const command = evenkeel
    .command('rebalance')
    .description('reassign workloads to clusters, and wait for the scheduler')
    .argument('[workload...]', 'KIND/NAME, KIND/NAMESPACE/NAME, or KIND NAME…')
    .option('-l, --selector <labels>', 'workloads with these labels: app=web,tier!=cache')
    .option('--kind <kinds>', 'with -l: only these, comma-separated: deployments,statefulsets,jobs')
    .option('--all-on <cluster>', 'all that has replicas on this cluster, of all namespaces unless -n is given')
    .option('--ttl <time>', 'delete the object so long after it is finished: 300, 5m, 1h; kept unless given')
    .option('--name <name>', 'of the object; rebalance- and five random characters unless given')
    .option('--wait', 'until the scheduler has acted on every workload')
    .option('--timeout <time>', 'with --wait: for so long at most', '10m')
    .addOption(
      new Option(
        '--preserve-available-replicas',
        'reschedule only replicas that the estimators report as unschedulable',
      ).conflicts('dryRun'),
    )
    .addOption(new Option('--dry-run', 'show the object and what would move; create nothing').conflicts('wait'));
  takesNamespace(command, CONTEXT_NAMESPACE);
  takesHub(takesOutput(command, ['wide', 'json', 'yaml', 'name'])).addHelpText('after', after);
  command.action(async (words: string[], options: RebalanceOptions) => {
    process.exitCode = await rebalance(words, options);
  });
}

async function rebalance(words: readonly string[], options: RebalanceOptions): Promise<number> {
  const place = hubOf(options);
  const { wish, namespace } = await wishOf(words, options, () =>
    namespaceFromKubeconfig(place.kubeconfig, place.context),
  );
  const ttlSeconds = options.ttl === undefined ? undefined : parseSeconds('--ttl', options.ttl);
  const timeoutSeconds = parseSeconds('--timeout', options.timeout);
  const { hub } = await openHub(place);
  const { bindings, notes } = await chooseWorkloads(hub, wish, namespace);
  for (const note of notes) process.stderr.write(`evenkeel: ${note}\n`);
  const object = newRebalancer({
    name: options.name ?? generatedName([...randomBytes(5)]),
    bindings,
    ttlSeconds,
    preservesAvailable: options.preserveAvailableReplicas ?? false,
  });
  if (options.dryRun) return dryRun(object, { ...place, bindings, output: options.output });
  const since = await create(hub, object);
  const { output } = options;
  const form = output === 'json' || output === 'yaml' ? output : undefined;
  // With --wait, the one document on stdout is the result.
  if (form === undefined || !options.wait) publish(object, output);
  if (!options.wait) return 0;
  const followed = { name: object.metadata.name, since, bindings };
  if (form === undefined) return waitForRebalance(hub, followed, { timeoutSeconds, stream: process.stdout });
  const onEnd = (progress: Progress) => {
    process.stdout.write(`${documentText(resultDocument(followed, progress), form)}\n`);
  };
  return waitForRebalance(hub, followed, { timeoutSeconds, stream: process.stderr, onEnd });
}

/** Exactly one selection; and the namespace in which labels or clusters are searched, undefined: all. */
async function wishOf(
  words: readonly string[],
  { selector, kind, allOn, namespace, allNamespaces }: RebalanceOptions,
  usual: () => Promise<string>,
): Promise<{ readonly wish: Wish; readonly namespace: string | undefined }> {
  const ways = [words.length > 0, selector !== undefined, allOn !== undefined].filter(Boolean).length;
  if (ways !== 1)
    throw invalidOption(
      'name workloads (deployment/web), or give -l LABELS or --all-on CLUSTER: exactly one of the three',
    );
  if (kind !== undefined && selector === undefined) throw invalidOption(`--kind ${kind} goes with -l; leave it out`);
  if (selector !== undefined)
    return {
      wish: { by: 'label', selector, kinds: kind?.split(',') },
      namespace: allNamespaces ? undefined : (namespace ?? (await usual())),
    };
  if (allOn !== undefined) return { wish: { by: 'cluster', cluster: allOn }, namespace };
  if (allNamespaces)
    throw invalidOption('-A goes with -l or --all-on; a workload that is named is in one namespace (-n)');
  const where = { given: namespace, usual: namespace ?? (await usual()) };
  return { wish: { by: 'name', workloads: namedWorkloads(words, where) }, namespace: undefined };
}

/** Its creation time, by the hub's clock. */
async function create(hub: Hub, object: NewRebalancer): Promise<number> {
  const { apiVersion: _, kind: __, ...rest } = object;
  const written = await hub.create(workloadRebalancers, rest);
  if (written.result === 'done') return written.object.creationTimestamp;
  const { name } = object.metadata;
  const what =
    written.result === 'conflict'
      ? `there is a WorkloadRebalancer ${name} already; give another --name, or none`
      : 'the hub serves no WorkloadRebalancers; evenkeel hub check lists what else it lacks';
  throw new Fault('terminal', what, { reason: 'NotCreated' });
}

function publish(object: NewRebalancer, output: Form): void {
  const name = objectName(workloadRebalancers, object.metadata.name);
  const count = (object.spec as { workloads: readonly unknown[] }).workloads.length;
  const created = `${name} created for ${count} ${count === 1 ? 'workload' : 'workloads'}`;
  const isText = output === 'table' || output === 'wide';
  const text = isText ? created : output === 'name' ? name : objectText(object, output);
  process.stdout.write(`${text}\n`);
}
