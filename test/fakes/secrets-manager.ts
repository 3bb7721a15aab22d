/** Secrets Manager as far as connections need it, over the wire: values in versions, labels on versions, tags, lists in pages, deletion with recovery. */
import { type AwsAnswer, type AwsCall, type AwsEndpoint, startAwsEndpoint } from './aws-endpoint.ts';

interface Secret {
  readonly arn: string;
  readonly key: string | undefined;
  /** Scheduled for deletion. */
  deleted: boolean;
  readonly tags: Readonly<Record<string, string>>;
  readonly versions: Map<string, string>;
  readonly stages: Map<string, string>;
}

export interface FakeSecrets {
  readonly endpoint: AwsEndpoint;
  make(arn: string, tags?: Readonly<Record<string, string>>, key?: string): void;
  drop(arn: string): void;
  /** Writes it as another user would. */
  set(arn: string, text: string): void;
  get(arn: string): string | undefined;
  /** By ARN: whether each can be read, or is scheduled for deletion. */
  readonly all: ReadonlyMap<string, { readonly key: string | undefined; readonly deleted: boolean }>;
  /** Runs before a call is answered; an answer of its own replaces it. */
  onCall: ((call: AwsCall) => AwsAnswer | undefined | void) | undefined;
}

const PAGE = 2;

/** `others` answers calls of other services. */
export async function startFakeSecrets(
  others: (call: AwsCall) => Promise<AwsAnswer> | undefined = () => undefined,
): Promise<FakeSecrets> {
  const secrets = new Map<string, Secret>();
  let serial = 0;
  const put = (secret: Secret, text: string, stages: readonly string[]): string => {
    const version = `version-${++serial}`;
    secret.versions.set(version, text);
    for (const stage of stages) secret.stages.set(stage, version);
    return version;
  };
  const list = ({ NextToken }: Record<string, unknown>): AwsAnswer => {
    const from = Number(NextToken ?? 0);
    const readable = [...secrets].filter(([, { deleted }]) => !deleted);
    const all = readable.map(([ARN, { tags }]) => ({
      ARN,
      LastChangedDate: 1_795_000_000,
      Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
    }));
    const rest = from + PAGE < all.length ? { NextToken: String(from + PAGE) } : {};
    return { body: { SecretList: all.slice(from, from + PAGE), ...rest } };
  };
  /** As in AWS, the last seven characters of the ARN are not part of the name. */
  const found = (id: string): Secret | undefined =>
    secrets.get(id) ?? [...secrets.values()].find(({ arn }) => arn.slice(0, -7).endsWith(`:${id}`));
  const create = ({ Name, SecretString, KmsKeyId, Tags }: Record<string, unknown>): AwsAnswer => {
    if (found(String(Name)) !== undefined) return { error: 'ResourceExistsException' };
    const arn = `arn:aws:secretsmanager:eu-west-1:123456789012:secret:${String(Name)}-a1B2c3`;
    const tags = (Tags as readonly { Key: string; Value: string }[]).map(({ Key, Value }) => [Key, Value]);
    fake.make(arn, Object.fromEntries(tags) as Record<string, string>, String(KmsKeyId));
    fake.set(arn, String(SecretString));
    return { body: { ARN: arn } };
  };
  const end = (secret: Secret, { ForceDeleteWithoutRecovery }: Record<string, unknown>): AwsAnswer => {
    if (ForceDeleteWithoutRecovery === true) secrets.delete(secret.arn);
    else if (secret.deleted) return { error: 'InvalidRequestException' };
    secret.deleted = true;
    return { body: {} };
  };
  const answer = (call: AwsCall): AwsAnswer | Promise<AwsAnswer> => {
    const failure = fake.onCall?.(call);
    if (failure) return failure;
    const { operation, input } = call;
    const elsewhere = others(call);
    if (elsewhere !== undefined) return elsewhere;
    if (operation === 'ListSecrets') return list(input);
    if (operation === 'CreateSecret') return create(input);
    const secret = found(String(input.SecretId));
    if (secret === undefined) return notFound("Secrets Manager can't find the specified secret.");
    if (operation === 'DeleteSecret') return end(secret, input);
    if (operation === 'DescribeSecret') return { body: { ARN: secret.arn, KmsKeyId: secret.key } };
    if (operation === 'RestoreSecret') {
      secret.deleted = false;
      return { body: {} };
    }
    if (secret.deleted) return { error: 'InvalidRequestException', message: 'it was marked for deletion' };
    const current = secret.stages.get('AWSCURRENT');
    if (operation === 'GetSecretValue') {
      if (current === undefined)
        return notFound("Secrets Manager can't find the specified secret value for staging label: AWSCURRENT");
      return { body: { SecretString: secret.versions.get(current), VersionId: current } };
    }
    if (operation === 'PutSecretValue') {
      const stages = (input.VersionStages as readonly string[] | undefined) ?? ['AWSCURRENT'];
      return { body: { VersionId: put(secret, String(input.SecretString), stages) } };
    }
    if (operation !== 'UpdateSecretVersionStage') return { error: 'InvalidActionException' };
    if (secret.stages.get(String(input.VersionStage)) !== input.RemoveFromVersionId)
      return { error: 'InvalidParameterException' };
    secret.stages.set(String(input.VersionStage), String(input.MoveToVersionId));
    return { body: {} };
  };
  const endpoint = await startAwsEndpoint(answer);
  const made = (id: string): Secret => {
    const secret = found(id);
    if (secret === undefined) throw new Error(`there is no secret ${id}`);
    return secret;
  };
  const fake: FakeSecrets = {
    endpoint,
    onCall: undefined,
    all: secrets,
    make: (arn, tags = {}, key) =>
      void secrets.set(arn, { arn, key, deleted: false, tags, versions: new Map(), stages: new Map() }),
    drop: (arn) => void secrets.delete(arn),
    set: (arn, text) => void put(made(arn), text, ['AWSCURRENT']),
    get: (arn) => {
      const { stages, versions } = made(arn);
      return versions.get(stages.get('AWSCURRENT') ?? '');
    },
  };
  return fake;
}

function notFound(message: string): AwsAnswer {
  return { error: 'ResourceNotFoundException', message };
}
