/** `evenkeel hub list`: the hubs of a deployment, from its registry. */
import type { Command } from 'commander';
import type { HubSummary } from '../../shared/console-api/operations/hubs.ts';
import { takesOutput } from '../hub-options.ts';
import { noHubs, printed, type Rows } from '../operator/printed-rows.ts';
import { type DeploymentAddress, reach, withReach } from '../operator/reach.ts';

interface HubListOptions extends DeploymentAddress {
  readonly output: 'table' | 'json' | 'yaml' | 'name';
}

const after = `
The hubs that need attention are first. "evenkeel get hubs" shows why.

Examples:
  evenkeel hub list
  evenkeel hub list prod                         hubs whose name contains prod
  evenkeel hub list --deployment staging -o yaml`;

export function registerList(hub: Command): void {
  withReach(takesOutput(hub.command('list'), ['json', 'yaml', 'name']))
    .description('list the hubs of a deployment, and whether they can be reached')
    .argument('[text]', 'only hubs whose name contains this')
    .addHelpText('after', after)
    .action(async (search: string | undefined, { output, ...options }: HubListOptions) => {
      const { hubs } = await reach(options)('listHubs', { search });
      process.stdout.write(`${await printed(rowsOf(hubs, search), output)}\n`);
    });
}

function rowsOf(rows: readonly HubSummary[], search: string | undefined): Rows<HubSummary> {
  return {
    rows,
    document: rows,
    columns: [
      { head: 'HUB', of: ({ name }) => name },
      { head: 'STATE', of: ({ state }) => state },
      { head: 'SERVER', of: ({ server }) => server || '-' },
      { head: 'FEATURES', of: ({ features }) => features.join(',') || '-' },
      { head: 'REACH', of: ({ reach }) => reach.state },
      { head: 'LAST-COMPARED', of: ({ reach }) => reach.comparedAt ?? '-' },
      { head: 'PAUSED', of: ({ paused }) => paused?.since ?? '-' },
      { head: 'REVISION', of: ({ revision }) => String(revision), right: true },
    ],
    name: ({ name }) => `hub/${name}`,
    none: noHubs(search),
  };
}
