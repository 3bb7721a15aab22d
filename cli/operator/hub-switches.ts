/** `evenkeel pause`, `resume` and `resync`, also below `evenkeel hub`: an operator's actions on a whole hub. */
import type { Command } from 'commander';
import type { Ask, OutputOf } from '../../shared/console-api/operations.ts';
import { count } from '../../shared/core/count.ts';
import { asFault } from '../../shared/core/fault.ts';
import { aligned } from '../aligned.ts';
import { type DeploymentAddress, hubOf, reach, withReach } from './reach.ts';

interface HubSwitchOptions extends DeploymentAddress {
  readonly reason: string;
  readonly releaseHolds?: true;
}

const examples = `
The same as "evenkeel pause", "resume" and "resync".

Examples:
  evenkeel hub pause karmada --reason "control plane is being upgraded"
  evenkeel hub pause karmada --release-holds     releases held replica reductions before nothing is written any more
  evenkeel hub list
  evenkeel hub resume karmada                    compares the whole hub, so nothing is missed
  evenkeel hub resync karmada                    the same at any time`;

/** `parent`: `evenkeel` or `evenkeel hub`. */
export function registerHubSwitches(parent: Command): void {
  withReach(parent.command('pause'))
    .description('stop all writes of Evenkeel to a hub until it is resumed')
    .argument('[hub]', "the hub's name; needed where there are several")
    .option('--reason <text>', 'shown to other operators', '')
    .option('--release-holds', 'release the replica reductions that the hub holds, ready or not')
    .addHelpText('after', examples)
    .action(async (named: string | undefined, options: HubSwitchOptions) => {
      const { ask, hub } = await meant(named, options);
      const { reason, releaseHolds = false } = options;
      const { paused, withinSeconds, released } = await ask('pauseHub', { hub, reason, releaseHolds });
      const lines = [
        `${hub} is paused since ${paused.since}; takes effect in every function within ${withinSeconds} s.`,
        ...(releaseHolds ? [`${released} held replica reductions are released.`] : []),
        ...(await stillHeld(ask, hub)),
      ];
      process.stdout.write(`${lines.join('\n')}\n`);
    });
  withReach(parent.command('resume'))
    .description('end a pause, and resync the hub')
    .argument('[hub]', "the hub's name; needed where there are several")
    .addHelpText('after', examples)
    .action(async (named: string | undefined, options: HubSwitchOptions) => {
      const { ask, hub } = await meant(named, options);
      const { wasPaused } = await ask('resumeHub', { hub });
      process.stdout.write(`${hub} ${wasPaused ? 'is resumed' : 'was not paused'}, and is compared now.\n`);
    });
  withReach(parent.command('resync'))
    .description('compare a hub with the state of Evenkeel now')
    .argument('[hub]', "the hub's name; needed where there are several")
    .addHelpText('after', examples)
    .action(async (named: string | undefined, options: HubSwitchOptions) => {
      const { ask, hub } = await meant(named, options);
      await ask('resyncHub', { hub });
      process.stdout.write(`${hub} is compared now; "evenkeel get queues" shows what comes of it.\n`);
    });
}

/** The hub is paused by now. A hub that cannot be read, possibly the reason for the pause, does not fail the pause. */
async function stillHeld(ask: Ask, hub: string): Promise<readonly string[]> {
  return ask('listHeld', { hub }).then(heldLines, (thrown: unknown) => [
    `What it holds could not be read (${asFault(thrown).message}); "evenkeel release -A" lists it by a kubeconfig.`,
  ]);
}

async function meant(named: string | undefined, options: HubSwitchOptions) {
  const ask = reach(options);
  return { ask, hub: await hubOf(ask, { ...options, ...(named !== undefined && { hub: named }) }) };
}

type HeldAnswer = OutputOf<'listHeld'>;

/** Lines to be printed; empty where nothing waits. */
export function heldLines({ reductions, elasticWorkloads }: HeldAnswer): readonly string[] {
  return [...reductionLines(reductions), ...finalizerLines(elasticWorkloads)];
}

function reductionLines(held: HeldAnswer['reductions']): readonly string[] {
  if (held.length === 0) return [];
  const rows = held.map(({ namespace, binding, cluster, replicas, assigned, until }) => [
    namespace || '-',
    binding,
    cluster,
    String(replicas),
    String(assigned),
    until ?? 'released',
  ]);
  const head = ['NAMESPACE', 'BINDING', 'CLUSTER', 'KEEPS', 'ASSIGNED', 'UNTIL'];
  return [
    '',
    'These replica reductions are held. While the hub is paused, each is released by the first write of its binding after UNTIL.',
    ...aligned([head, ...rows], { right: [3, 4] }),
    'Release them now: evenkeel release --all -A (by the kubeconfig of the hub), or before a pause: evenkeel pause --release-holds',
  ];
}

function finalizerLines(kept: HeldAnswer['elasticWorkloads']): readonly string[] {
  if (kept.length === 0) return [];
  const deleting = kept.filter((each) => each.deleting !== undefined);
  const commands = deleting.map(
    ({ group, namespace, name }) =>
      `  kubectl patch elasticworkloads.${group} -n ${namespace} ${name} --type=merge -p '{"metadata":{"finalizers":null}}'`,
  );
  const have = kept.length === 1 ? 'has' : 'have';
  return [
    '',
    `${count(kept.length, 'ElasticWorkload')} ${have} the finalizer evenkeel.dev/elastic-workload: deleting one takes effect when the hub is resumed.`,
    ...(deleting.length > 0
      ? [
          `${deleting.length} of them wait for that. To end the wait, which leaves their ManifestWorks to you:`,
          ...commands,
        ]
      : []),
  ];
}
