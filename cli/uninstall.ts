/** `evenkeel uninstall`: removes Evenkeel from a hub, and leaves the hub as it was. */
import type { Command } from 'commander';
import { Fault } from '../shared/core/fault.ts';
import { openCheckedHub } from './check/checked-hub.ts';
import { documentText } from './document-text.ts';
import { type HubOptions, hubOf, takesHub, takesOutput } from './hub-options.ts';
import { openHub } from './open-hub.ts';
import type { InstalledObject } from './uninstall/installed-objects.ts';
import { removeAccess, removeRest } from './uninstall/remove-installed.ts';
import { type Blocker, readPlan, shownObject, type UninstallPlan } from './uninstall/uninstall-plan.ts';
import { decideNamespaces, type NamespaceDecision } from './uninstall/used-namespaces.ts';

interface UninstallOptions extends HubOptions {
  readonly yes?: true;
  readonly deleteObjects?: true;
  readonly output: 'table' | 'json' | 'yaml';
}

const after = `
It removes what "evenkeel hub manifests" printed, what the functions wrote to bindings and clusters, and the rebalancers of
waves. Annotations that users wrote stay. Without --yes it only shows that. It removes nothing while replicas are held, a
run goes on or a rebalancer has not finished. Run "evenkeel hub remove" before, and again after a failure: it continues.

Exit code: 0 done, or shown; 2 something blocks it, or the hub can't be reached.

Examples:
  evenkeel uninstall                             what would be removed from the hub that kubectl talks to
  evenkeel uninstall --yes
  evenkeel uninstall --yes --delete-objects      with all policies, drains, budgets and ElasticWorkloads
  evenkeel uninstall --kubeconfig karmada.conf -o json`;

export function registerUninstall(evenkeel: Command): void {
  const command = evenkeel
    .command('uninstall')
    .description('remove Evenkeel from a hub, and leave the hub as it was')
    .option('--yes', 'confirm that it is removed')
    .option(
      '--delete-objects',
      'delete the objects of its kinds too: with an ElasticWorkload, its workload on the managed clusters',
    );
  takesHub(takesOutput(command, ['json', 'yaml']))
    .addHelpText('after', after)
    .action(async (options: UninstallOptions) => {
      process.stdout.write(`${await uninstall(options)}\n`);
    });
}

async function uninstall({ yes, output, ...options }: UninstallOptions): Promise<string> {
  const deleteObjects = options.deleteObjects === true;
  const { hub } = await openHub(hubOf(options));
  const discovery = await openCheckedHub(hubOf(options), []);
  try {
    const plan = await readPlan(hub, { deleteObjects });
    if (plan.blockers.length > 0) throw blocked(plan.blockers);
    const namespaces = await decideNamespaces({ hub, discovery }, plan.namespaces, ownObjects(plan));
    if (!yes) return report({ plan, namespaces, isRemoved: false }, output);
    await removeAccess(hub, plan);
    // Read again: until then the functions could write. What they began is ended, and what a user created meanwhile is not deleted without consent.
    const rest = await readPlan(hub, { deleteObjects });
    if (!deleteObjects && rest.works.length + rest.objects.length > 0) throw blocked(rest.blockers);
    await removeRest(hub, rest, namespaces.removed);
    return report(
      { plan: { ...rest, admission: plan.admission, access: plan.access }, namespaces, isRemoved: true },
      output,
    );
  } finally {
    discovery.close();
  }
}

const SHOWN_OBJECTS = 10;

function blocked(blockers: readonly Blocker[]): Fault {
  const reasons = blockers.map(({ why, remedy, objects }) => {
    const more = objects.length > SHOWN_OBJECTS ? [`${objects.length - SHOWN_OBJECTS} more`] : [];
    return `${why}: ${[...objects.slice(0, SHOWN_OBJECTS), ...more].join(', ')} (${remedy})`;
  });
  return new Fault('terminal', `nothing is removed; ${reasons.join('; ')}`, { reason: 'Conflict' });
}

/** In the order of their removal. */
function ownObjects(plan: UninstallPlan): readonly InstalledObject[] {
  const { admission, access, waves, works, objects, definitions, rest } = plan;
  return [...admission, ...access, ...waves, ...works, ...objects, ...definitions, ...rest];
}

interface UninstallResult {
  readonly plan: UninstallPlan;
  readonly namespaces: NamespaceDecision;
  readonly isRemoved: boolean;
}

interface UninstallDocument {
  readonly isRemoved: boolean;
  readonly deleted: readonly string[];
  /** What is removed from objects of other owners. */
  readonly cleared: readonly { readonly object: string; readonly removed: readonly string[] }[];
  readonly kept: readonly { readonly object: string; readonly reason: string }[];
}

function documentOf({ plan, namespaces, isRemoved }: UninstallResult): UninstallDocument {
  return {
    isRemoved,
    deleted: [...ownObjects(plan), ...namespaces.removed].map(shownObject),
    cleared: [
      ...plan.bindings.map(({ object, traces }) => ({ object: shownObject(object), removed: traces })),
      ...plan.taintedClusters.map((object) => ({ object: shownObject(object), removed: ['taint evenkeel.dev/drain'] })),
    ],
    kept: [
      ...namespaces.kept.map(({ namespace, reason }) => ({ object: shownObject(namespace), reason })),
      ...plan.scheduledByUs.map((object) => ({
        object,
        reason: 'its schedulerName is evenkeel: no scheduler assigns its bindings until that is changed',
      })),
    ],
  };
}

function report(result: UninstallResult, output: UninstallOptions['output']): string {
  const document = documentOf(result);
  if (output !== 'table') return documentText(document, output);
  const { isRemoved, deleted, cleared, kept } = document;
  if (deleted.length + cleared.length === 0)
    return ['Nothing of Evenkeel is on the hub.', ...keptLines(kept)].join('\n');
  return [
    isRemoved ? 'Deleted:' : 'Would be deleted:',
    ...deleted.map((line) => `  ${line}`),
    ...(cleared.length === 0 ? [] : [isRemoved ? 'Cleared:' : 'Would be cleared:']),
    ...cleared.map(({ object, removed }) => `  ${object}: ${removed.join(', ')}`),
    ...keptLines(kept),
    ...(isRemoved ? [] : ['Nothing is removed yet; confirm with --yes.']),
  ].join('\n');
}

function keptLines(kept: UninstallDocument['kept']): readonly string[] {
  return kept.length === 0 ? [] : ['Stays:', ...kept.map(({ object, reason }) => `  ${object}: ${reason}`)];
}
