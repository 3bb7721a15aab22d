/** Finds the secret of a hub for a command: the named one, or the one that the deployment created for the hub. */
import type { Command } from 'commander';
import { accessListOf, type HookCallers } from '../../shared/aws/secrets-manager/access-list.ts';
import {
  type ConnectionSecrets,
  type SecretValue,
  secretsOfAccount,
} from '../../shared/aws/secrets-manager/connection-secrets.ts';
import type { HubPart } from '../../shared/core/environment.ts';
import { Fault } from '../../shared/core/fault.ts';

/** Where the secrets of a hub are. */
export interface SecretPlace {
  /** ARN or name; found by its tags if absent. */
  readonly secret?: string | undefined;
  /** ARN or name of the secret with the access list; found by its tags if absent. */
  readonly hookAccess?: string | undefined;
  readonly deployment: string;
}

/** The options that name the secrets of a hub. */
export function takesPlace(command: Command): Command {
  return command
    .option('--secret <arn>', "ARN or name of the hub's secret; found by the deployment's tags unless given")
    .option(
      '--hook-access <arn>',
      "ARN or name of the secret with the hub's access list; found by the deployment's tags unless given",
    )
    .option('--deployment <name>', "the deployment's name in its configuration", 'evenkeel');
}

export interface FoundAccessList {
  /** Replaces the access list by one of these callers. */
  readonly write: (callers: HookCallers) => Promise<void>;
}

export interface FoundHubSecret {
  readonly secret: string;
  readonly value: SecretValue | undefined;
  /** Throws a Fault if the secret was changed since it was read. */
  readonly write: (held: object) => Promise<void>;
}

export async function findSecret(hub: string, { secret, deployment }: SecretPlace): Promise<FoundHubSecret> {
  const store = secretsOfAccount();
  const arn = secret ?? (await arnOf(store, { hub, deployment, part: 'hub' }));
  const value = await store.read(arn);
  const write = async (held: object): Promise<void> => {
    const written = await store.write(arn, JSON.stringify(held), value?.version);
    if (written === 'done') return;
    throw new Fault('terminal', `the secret of hub ${hub} was changed concurrently; run the command again`, {
      reason: 'Conflict',
    });
  };
  return { secret: arn, value, write };
}

/** The secret with the access list of the hook. It is derived data, so the last writer wins. */
export async function findAccessList(hub: string, { hookAccess, deployment }: SecretPlace): Promise<FoundAccessList> {
  const store = secretsOfAccount();
  const arn = hookAccess ?? (await arnOf(store, { hub, deployment, part: 'hookAccess' }));
  return {
    write: async (callers) => void (await store.write(arn, JSON.stringify(accessListOf(hub, callers)), undefined)),
  };
}

interface Sought {
  readonly hub: string;
  readonly deployment: string;
  readonly part: HubPart;
}

/** The remedy if the deployment has no such secret. */
const remedies: Readonly<Record<HubPart, string>> = {
  hub: 'add it to hubs in cdk.json and deploy, or name its secret with --secret',
  hookAccess:
    "deploy EvenkeelState of this version, which makes the secret of the hook's access list, or name it with --hook-access",
};

async function arnOf(store: ConnectionSecrets, { hub, deployment, part }: Sought): Promise<string> {
  const secrets = await store.list(deployment, part);
  const found = secrets.find((each) => each.hub === hub);
  if (found) return found.arn;
  const known = secrets.map((each) => each.hub).join(', ') || 'none';
  const what = part === 'hub' ? 'hub' : 'access list of hub';
  throw new Fault('terminal', `deployment ${deployment} has no ${what} ${hub} (it has: ${known}); ${remedies[part]}`, {
    reason: 'UnknownHub',
  });
}
