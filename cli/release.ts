/** `evenkeel release`: shows which replica reductions a hub holds back, and lets go those that a person names. */
import type { Command } from 'commander';
import { Fault } from '../shared/model/fault.ts';
import { assignedTo, onVersion, queuePatch } from '../shared/model/graceful-reduction/holds.ts';
import { queueOf } from '../shared/model/graceful-reduction/replica-reduction.ts';
import { keyText } from '../shared/model/object-key.ts';
import { placedKind } from '../shared/model/placed-binding.ts';
import type { Hub } from '../shared/ports/hub.ts';
import { type HubOptions, hubOf, type NamespaceOptions, takesHub, takesNamespace, takesOutput } from './hub-options.ts';
import { wrong } from './manifests/target.ts';
import { openHub } from './open-hub.ts';
import { type HeldReduction, heldReductions, heldText, type Wanted } from './release/held-reductions.ts';

interface Options extends HubOptions, NamespaceOptions {
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
    .description('show the replica reductions that wait for their replacement, or let some go')
    .argument('[name...]', 'of bindings (web-deployment) or workloads (web, deployment/web)')
    .option('--all', 'release all that is held, of the namespace where one is given')
    .option('--cluster <name>', 'only what this cluster keeps');
  takesHub(takesNamespace(takesOutput(command, ['json', 'yaml']), 'all'));
  command.addHelpText('after', after).action(async (names: string[], options: Options) => {
    process.stdout.write(`${await release({ ...options, names })}\n`);
  });
}

async function release({ all = false, output, ...options }: Options & Wanted): Promise<string> {
  const { names } = options;
  if (all && names.length > 0) throw wrong(`--all goes without names; leave out ${names.join(' ')}, or --all`);
  const { hub, settings } = await openHub(hubOf(options));
  const around = { now: Date.now(), graceSeconds: settings.reductionGraceSeconds };
  const held = await heldReductions(hub, options, around);
  if (!all && names.length === 0) return heldText(held, output);
  const done = [];
  for (const each of held) if (await letGo(hub, each)) done.push(each);
  if (output !== 'table') return heldText(done, output);
  return done.length === 0 ? 'No reduction of these is held.' : done.map(releasedText).join('\n');
}

const TRIES = 5;

/** False where somebody else was first. */
async function letGo(hub: Hub, { binding: seen, cluster }: HeldReduction): Promise<boolean> {
  const kind = placedKind(seen.metadata);
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const binding = await hub.get(kind, seen.metadata);
    if (binding === undefined || !queueOf(binding).has(cluster)) return false;
    const next = new Map([...queueOf(binding)].filter(([name]) => name !== cluster));
    const merge = onVersion(binding, queuePatch(binding, next) ?? {});
    const written = await hub.patch(kind, seen.metadata, { merge });
    if (written.verdict !== 'conflict') return written.verdict === 'done';
  }
  const what = `${keyText(seen.metadata)} changes too often to be written; try again`;
  throw new Fault('retryable', what, { reason: 'Conflict' });
}

function releasedText({ binding, cluster, task }: HeldReduction): string {
  const kept = `kept ${task.replicas}, is assigned ${assignedTo(binding, cluster)}`;
  return `${keyText(binding.metadata)}: ${cluster} is released (${kept})`;
}
