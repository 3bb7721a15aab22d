/** Finds the secret of a hub for a command: the one that is named, or the one that the deployment made for the hub. */
import {
  type ConnectionSecrets,
  type SecretValue,
  secretsOfAccount,
} from '../../shared/adapters/secrets-manager/connection-secrets.ts';
import { Fault } from '../../shared/model/fault.ts';

export interface Place {
  /** ARN or name; found by its tags where absent. */
  readonly secret?: string | undefined;
  readonly deployment: string;
}

export interface Found {
  readonly secret: string;
  readonly value: SecretValue | undefined;
  /** Throws a Fault where somebody else has written meanwhile. */
  readonly write: (held: object) => Promise<void>;
}

export async function findSecret(hub: string, { secret, deployment }: Place): Promise<Found> {
  const store = secretsOfAccount();
  const arn = secret ?? (await arnOf(store, hub, deployment));
  const value = await store.read(arn);
  const write = async (held: object): Promise<void> => {
    const written = await store.write(arn, JSON.stringify(held), value?.version);
    if (written === 'done') return;
    throw new Fault('terminal', `somebody else has written the secret of hub ${hub} meanwhile; run the command again`, {
      reason: 'Conflict',
    });
  };
  return { secret: arn, value, write };
}

async function arnOf(store: ConnectionSecrets, hub: string, deployment: string): Promise<string> {
  const secrets = await store.list(deployment);
  const found = secrets.find((each) => each.hub === hub);
  if (found) return found.arn;
  const known = secrets.map((each) => each.hub).join(', ') || 'none';
  const wayOut = `add it to hubs in cdk.json and deploy, or name its secret with --secret`;
  throw new Fault('terminal', `deployment ${deployment} has no hub ${hub} (it has: ${known}); ${wayOut}`, {
    reason: 'UnknownHub',
  });
}
