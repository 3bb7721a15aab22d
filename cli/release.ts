/** `evenkeel release`: lists the held replica reductions of a hub, and releases the named ones. */
import type { Command } from 'commander';
import { invalidOption } from '../shared/core/fault.ts';
import { assignedTo } from '../shared/graceful-reduction/holds.ts';
import { releaseHeld } from '../shared/graceful-reduction/write-releases.ts';
import { keyText } from '../shared/kubernetes/object-key.ts';
import { type HubOptions, hubOf, type NamespaceOptions, takesHub, takesNamespace, takesOutput } from './hub-options.ts';
import { openHub } from './open-hub.ts';
import { type HeldReduction, heldReductions, heldText, type ReleaseSelection } from './release/held-reductions.ts';

interface ReleaseOptions extends HubOptions, NamespaceOptions {
  readonly cluster?: string;
  readonly all?: boolean;
  readonly output: 'table' | 'json' | 'yaml';
}

const after = `
Without names it only shows what is held. What is released is reduced at once, whether its replacement is ready or not,
and is not held again before the workload is next scheduled.

Examples:
  evenkeel release                               what the hub that kubectl talks to holds back
  evenkeel release -n shop web                   let go all that is held of one workload
  evenkeel release -n shop web --cluster member1
  evenkeel release -n shop --all`;

export function registerRelease(evenkeel: Command): void {
  const command = evenkeel
    .command('release')
    .description('list the replica reductions that wait for their replacement, or release some')
    .argument('[name...]', 'of bindings (web-deployment) or workloads (web, deployment/web)')
    .option('--all', 'release all that is held, of the namespace where one is given')
    .option('--cluster <name>', 'only held replicas of this cluster');
  takesHub(takesNamespace(takesOutput(command, ['json', 'yaml']), 'all'));
  command.addHelpText('after', after).action(async (names: string[], options: ReleaseOptions) => {
    process.stdout.write(`${await release({ ...options, names })}\n`);
  });
}

async function release({ all = false, output, ...options }: ReleaseOptions & ReleaseSelection): Promise<string> {
  const { names } = options;
  if (all && names.length > 0) throw invalidOption(`--all goes without names; leave out ${names.join(' ')}, or --all`);
  const { hub, settings } = await openHub(hubOf(options));
  const context = { now: Date.now(), graceSeconds: settings.reductionGraceSeconds };
  const held = await heldReductions(hub, options, context);
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
