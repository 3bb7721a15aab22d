/** The secrets of a deployment's hubs, as the command line creates, replaces and deletes them. */
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  InvalidRequestException,
  ResourceExistsException,
  ResourceNotFoundException,
  RestoreSecretCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { connectionSecretName, hubTag, keyAlias } from '../../core/environment.ts';
import { asFault, Fault } from '../../core/fault.ts';
import { awsFault } from '../aws-fault.ts';
import { ConnectionSecrets, type SecretValue } from './connection-secrets.ts';

/** `Deleted`: it can be restored until its recovery window ends, and its name is taken until then. */
export type FoundSecret =
  | { readonly state: 'Absent' | 'Deleted' }
  | { readonly state: 'Present'; readonly value: SecretValue | undefined };

/** A secret with the tags of a hub. */
export interface TaggedSecret {
  readonly hub: string;
  readonly arn: string;
  /** Whether it has the name that functions read; earlier versions let CDK choose the name. */
  readonly isNamed: boolean;
}

const RECOVERY_DAYS = 7;

/** In the account and region of the environment. */
export function hubSecretsOf(deployment: string): HubSecrets {
  return new HubSecrets(new SecretsManagerClient({}), deployment);
}

export class HubSecrets {
  readonly #client: SecretsManagerClient;
  readonly #deployment: string;
  readonly #store: ConnectionSecrets;

  constructor(client: SecretsManagerClient, deployment: string) {
    this.#client = client;
    this.#deployment = deployment;
    this.#store = new ConnectionSecrets(client);
  }

  nameOf(hub: string): string {
    return connectionSecretName(this.#deployment, hub);
  }

  async find(hub: string): Promise<FoundSecret> {
    try {
      return { state: 'Present', value: await this.#store.read(this.nameOf(hub)) };
    } catch (thrown) {
      const { reason, cause } = asFault(thrown);
      if (reason === 'UnknownSecret') return { state: 'Absent' };
      // Of a read, AWS reports only a secret that is scheduled for deletion so.
      if (cause instanceof InvalidRequestException) return { state: 'Deleted' };
      throw thrown;
    }
  }

  /** Writes over what was found. Throws a Fault if the secret was changed since. `key`: the deployment's own unless given. */
  async save(
    hub: string,
    text: string,
    { found, key }: { found: FoundSecret; key?: string | undefined },
  ): Promise<void> {
    if (found.state === 'Absent') return this.#create(hub, text, key);
    if (found.state === 'Deleted')
      await this.#client.send(new RestoreSecretCommand({ SecretId: this.nameOf(hub) })).catch(raise);
    const replaces = found.state === 'Present' ? found.value?.version : undefined;
    if ((await this.#store.write(this.nameOf(hub), text, replaces)) === 'changed') throw changed(hub);
  }

  /** `now`: without a recovery window. A repeated call does nothing. */
  async delete(hub: string, { now }: { readonly now: boolean }): Promise<void> {
    const command = new DeleteSecretCommand({
      SecretId: this.nameOf(hub),
      ...(now ? { ForceDeleteWithoutRecovery: true } : { RecoveryWindowInDays: RECOVERY_DAYS }),
    });
    await this.#client.send(command).catch((thrown: unknown) => {
      if (!(thrown instanceof ResourceNotFoundException || thrown instanceof InvalidRequestException)) raise(thrown);
    });
  }

  /** All with the tags of the deployment's hubs, by hub. */
  async list(): Promise<readonly TaggedSecret[]> {
    const secrets = await this.#store.list(this.#deployment);
    // An ARN ends with the name, a dash and six random characters.
    return secrets.map(({ hub, arn }) => ({ hub, arn, isNamed: arn.slice(0, -7).endsWith(`:${this.nameOf(hub)}`) }));
  }

  /** Undefined if it has no value. */
  async textOf(arn: string): Promise<string | undefined> {
    return (await this.#store.read(arn))?.text;
  }

  async describe(secret: string): Promise<{ readonly arn: string; readonly key: string | undefined }> {
    const { ARN = '', KmsKeyId } = await this.#client
      .send(new DescribeSecretCommand({ SecretId: secret }))
      .catch(raise);
    return { arn: ARN, key: KmsKeyId };
  }

  async #create(hub: string, text: string, key = keyAlias(this.#deployment)): Promise<void> {
    const command = new CreateSecretCommand({
      Name: this.nameOf(hub),
      Description: `Evenkeel: the connection of hub ${hub} of deployment ${this.#deployment}`,
      SecretString: text,
      KmsKeyId: key,
      Tags: [
        { Key: hubTag.deployment, Value: this.#deployment },
        { Key: hubTag.hub, Value: hub },
      ],
    });
    await this.#client.send(command).catch((thrown: unknown) => {
      throw thrown instanceof ResourceExistsException ? changed(hub) : awsFault('SecretsManager', thrown);
    });
  }
}

function changed(hub: string): Fault {
  return new Fault('terminal', `the secret of hub ${hub} was changed concurrently; run the command again`, {
    reason: 'Conflict',
  });
}

function raise(thrown: unknown): never {
  throw awsFault('SecretsManager', thrown);
}
