/** Reads the secret of a registered hub. */
import { asFault, Fault } from '../../core/fault.ts';
import type { ConnectionSecrets, SecretValue } from './connection-secrets.ts';

/** A terminal Fault that names the secret and the command that writes it, if the secret is missing or empty. */
export async function readConnectionSecret(
  store: Pick<ConnectionSecrets, 'read'>,
  { hub, secret }: { readonly hub: string; readonly secret: string },
): Promise<SecretValue> {
  const value = await store.read(secret).catch((thrown: unknown) => {
    const fault = asFault(thrown);
    throw fault.reason === 'UnknownSecret' ? unusable(hub, `its secret ${secret} does not exist`) : fault;
  });
  if (value === undefined || value.text === '') throw unusable(hub, `its secret ${secret} is empty`);
  return value;
}

function unusable(hub: string, what: string): Fault {
  const message = `the connection of hub ${hub} cannot be used: ${what}; evenkeel hub add ${hub} writes it`;
  return new Fault('terminal', message, { reason: 'InvalidConnection' });
}
