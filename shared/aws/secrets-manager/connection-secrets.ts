/** The secrets of hubs' connections: found by their tags, read, and written only over the version that was read. */
import {
  GetSecretValueCommand,
  InvalidParameterException,
  ListSecretsCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretListEntry,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { hubTag } from '../../core/environment.ts';
import { Fault } from '../../core/fault.ts';
import { awsFault } from '../aws-fault.ts';

/** The value of a secret, and its version. */
export interface SecretValue {
  readonly text: string;
  readonly version: string;
}

export interface HubSecret {
  readonly hub: string;
  readonly arn: string;
  readonly changed: Date | undefined;
}

/** Staging label of a version that is not yet current. */
const NEXT = 'EVENKEEL_NEXT';
const CURRENT = 'AWSCURRENT';

/** In the account and region of the environment. */
export function secretsOfAccount(): ConnectionSecrets {
  return new ConnectionSecrets(new SecretsManagerClient({}));
}

export class ConnectionSecrets {
  readonly #client: SecretsManagerClient;

  constructor(client: SecretsManagerClient) {
    this.#client = client;
  }

  /** The secrets of a deployment's hubs, sorted by hub. */
  async list(deployment: string): Promise<readonly HubSecret[]> {
    const found: HubSecret[] = [];
    for (let token: string | undefined; ; ) {
      const command = new ListSecretsCommand({
        Filters: [{ Key: 'tag-key', Values: [hubTag.hub] }],
        ...(token !== undefined && { NextToken: token }),
      });
      const { SecretList = [], NextToken } = await this.#client.send(command).catch(raise);
      found.push(...SecretList.flatMap((entry) => hubSecretOf(entry, deployment)));
      if (NextToken === undefined) return found.sort((a, b) => (a.hub < b.hub ? -1 : 1));
      token = NextToken;
    }
  }

  /** Undefined if it has no value yet. A terminal Fault if the secret does not exist. */
  async read(secret: string): Promise<SecretValue | undefined> {
    try {
      const { SecretString = '', VersionId = '' } = await this.#client.send(
        new GetSecretValueCommand({ SecretId: secret }),
      );
      return { text: SecretString, version: VersionId };
    } catch (thrown) {
      // A secret without a value also returns ResourceNotFoundException; only the message differs.
      if (thrown instanceof ResourceNotFoundException) {
        if (/secret value|staging label/i.test(thrown.message)) return undefined;
        throw new Fault('terminal', `there is no secret ${secret} in this account and region`, {
          reason: 'UnknownSecret',
          cause: thrown,
        });
      }
      throw awsFault('SecretsManager', thrown);
    }
  }

  /**
   * Replaces only the version `replaces`: PutSecretValue alone overwrites any value. So the new version is created
   * next to the current one, and the staging label is moved from the version that was read.
   */
  async write(secret: string, text: string, replaces: string | undefined): Promise<'done' | 'changed'> {
    const put = new PutSecretValueCommand({
      SecretId: secret,
      SecretString: text,
      ...(replaces !== undefined && { VersionStages: [NEXT] }),
    });
    const { VersionId } = await this.#client.send(put).catch(raise);
    if (replaces === undefined) return 'done';
    const move = new UpdateSecretVersionStageCommand({
      SecretId: secret,
      VersionStage: CURRENT,
      MoveToVersionId: VersionId,
      RemoveFromVersionId: replaces,
    });
    try {
      await this.#client.send(move);
      return 'done';
    } catch (thrown) {
      if (thrown instanceof InvalidParameterException) return 'changed';
      throw awsFault('SecretsManager', thrown);
    }
  }
}

function hubSecretOf({ ARN, Tags = [], LastChangedDate }: SecretListEntry, deployment: string): readonly HubSecret[] {
  const tags = new Map(Tags.map(({ Key, Value }) => [Key, Value]));
  const hub = tags.get(hubTag.hub);
  if (hub === undefined || ARN === undefined || tags.get(hubTag.deployment) !== deployment) return [];
  return [{ hub, arn: ARN, changed: LastChangedDate }];
}

function raise(thrown: unknown): never {
  throw awsFault('SecretsManager', thrown);
}
