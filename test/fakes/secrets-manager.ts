/** Secrets Manager as far as connections need it, over the wire: values in versions, labels on versions, tags, lists in pages. */
import { type AwsAnswer, type AwsCall, type AwsEndpoint, startAwsEndpoint } from './aws-endpoint.ts';

interface Secret {
  readonly tags: Readonly<Record<string, string>>;
  readonly versions: Map<string, string>;
  readonly stages: Map<string, string>;
}

export interface FakeSecrets {
  readonly endpoint: AwsEndpoint;
  make(arn: string, tags?: Readonly<Record<string, string>>): void;
  drop(arn: string): void;
  /** Writes it as another user would. */
  set(arn: string, text: string): void;
  get(arn: string): string | undefined;
  /** Runs before a call is answered. */
  onCall: ((call: AwsCall) => void) | undefined;
}

const PAGE = 2;

export async function startFakeSecrets(): Promise<FakeSecrets> {
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
    const all = [...secrets].map(([ARN, { tags }]) => ({
      ARN,
      LastChangedDate: 1_795_000_000,
      Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
    }));
    const rest = from + PAGE < all.length ? { NextToken: String(from + PAGE) } : {};
    return { body: { SecretList: all.slice(from, from + PAGE), ...rest } };
  };
  const answer = (call: AwsCall): AwsAnswer => {
    fake.onCall?.(call);
    const { operation, input } = call;
    if (operation === 'ListSecrets') return list(input);
    const secret = secrets.get(String(input.SecretId));
    if (secret === undefined) return notFound("Secrets Manager can't find the specified secret.");
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
  const found = (arn: string): Secret => {
    const secret = secrets.get(arn);
    if (secret === undefined) throw new Error(`the test made no secret ${arn}`);
    return secret;
  };
  const fake: FakeSecrets = {
    endpoint,
    onCall: undefined,
    make: (arn, tags = {}) => void secrets.set(arn, { tags, versions: new Map(), stages: new Map() }),
    drop: (arn) => void secrets.delete(arn),
    set: (arn, text) => void put(found(arn), text, ['AWSCURRENT']),
    get: (arn) => {
      const { stages, versions } = found(arn);
      return versions.get(stages.get('AWSCURRENT') ?? '');
    },
  };
  return fake;
}

function notFound(message: string): AwsAnswer {
  return { error: 'ResourceNotFoundException', message };
}
