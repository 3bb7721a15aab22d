/** `evenkeel hub allow-callers`: writes the access list of the hook for a hub from the hub's connection. */
import type { Command } from 'commander';
import { invalidOption } from '../../shared/core/fault.ts';
import { parseConnection } from '../../shared/kubernetes/client/connection.ts';
import { findAccessList, findSecret, type SecretPlace, takesPlace } from './hub-secrets.ts';

const after = `
Run it after the connection was written by hand, or for a hub that was added by a version without access lists.

Examples:
  evenkeel hub allow-callers karmada`;

export function registerAllowCallers(hub: Command): void {
  takesPlace(hub.command('allow-callers'))
    .description("update the hook's access list for a hub: digests of the tokens in its connection")
    .argument('<name>', "the hub's name in the deployment")
    .addHelpText('after', after)
    .action(async (name: string, options: SecretPlace) => {
      const accessList = await findAccessList(name, options);
      const { value } = await findSecret(name, options);
      if (value === undefined) throw invalidOption(`hub ${name} has no connection yet; evenkeel hub add makes one`);
      const connection = parseConnection(name, value.text);
      await accessList.write(connection);
      const { hookTokens, hookSubjects = [] } = connection;
      process.stdout.write(
        `Hub ${name}: the hook accepts ${hookTokens.length} hook tokens and ${hookSubjects.length} certificate subjects, within hubConnectionSeconds.\n`,
      );
    });
}
