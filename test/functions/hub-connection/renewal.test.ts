/** The function that renews tokens, on secrets and on a hub over the wire. */
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { task } from '../../../functions/hub-connection/renew-token.lambda.ts';
import { ConnectionSecrets } from '../../../shared/aws/secrets-manager/connection-secrets.ts';
import { SecretConnections } from '../../../shared/aws/secrets-manager/secret-connections.ts';
import { connectionSecretName } from '../../../shared/core/environment.ts';
import type { Outcome } from '../../../shared/core/invocation.ts';
import { parseSettings } from '../../../shared/core/settings.ts';
import type { NewHubRecord } from '../../../shared/kubernetes/hub-registry.ts';
import { accountToken, at } from '../../builders.ts';
import { hubRecord } from '../../fakes/hub-records.ts';
import { type FakeSecrets, startFakeSecrets } from '../../fakes/secrets-manager.ts';
import { MemoryHubRegistry } from '../../fakes/stores/memory-hub-registry.ts';
import { recording } from '../../fakes/telemetry.ts';
import { startTokenHub, type TokenHub } from '../../fakes/token-hub.ts';

const KARMADA = connectionSecretName('evenkeel', 'karmada');
const EDGE = connectionSecretName('evenkeel', 'edge');
const OLD = accountToken();
const DUE = at(25 * 3600);
let secrets: FakeSecrets;
let registry: MemoryHubRegistry;
let hub: TokenHub;
let other: TokenHub;

beforeEach(async () => {
  secrets = await startFakeSecrets();
  registry = new MemoryHubRegistry(hubRecord('karmada'), hubRecord('edge'));
  hub = await startTokenHub(OLD);
  other = await startTokenHub('the-token-of-the-other');
  secrets.make(KARMADA);
  secrets.make(EDGE);
  secrets.set(KARMADA, JSON.stringify({ server: hub.url, token: OLD, hookTokens: ['a'.repeat(16)], future: 1 }));
  secrets.set(EDGE, JSON.stringify({ server: other.url, token: 'the-token-of-the-other' }));
});

afterEach(async () => {
  await Promise.all([secrets.endpoint.close(), hub.close(), other.close()]);
});

/** Runs before a write of a record, as another client's change would. */
let beforeWrite: (() => Promise<void>) | undefined;

function connectionsIn(): SecretConnections {
  const read = (name: string) => registry.read(name);
  const write = async (record: NewHubRecord, revision: number) => {
    await beforeWrite?.();
    return registry.write(record, revision);
  };
  const store = new ConnectionSecrets(new SecretsManagerClient(secrets.endpoint.config));
  return new SecretConnections({ deployment: 'evenkeel', registry: { read, write }, store, timeoutMs: 1000 });
}

async function run(name: string, now = DUE): Promise<Outcome> {
  const context = {
    settings: parseSettings({}),
    telemetry: recording([]),
    now: () => now,
    newId: () => 'id',
    timeLeft: () => Number.POSITIVE_INFINITY,
  };
  return task.run({ hub: name }, { ...context, connections: connectionsIn() }, new Set());
}

function held(arn = KARMADA): Record<string, unknown> {
  return JSON.parse(secrets.get(arn) ?? '{}') as Record<string, unknown>;
}

describe('a token at half its life', () => {
  it('is replaced by one that the hub made for tokenHours, and all else stays in the connection', async () => {
    expect(await run('karmada')).toEqual({ reason: 'its token is valid for another 23 h of 48 h; renewed for 48 h' });
    expect(hub.asked).toEqual([48 * 3600]);
    const [, renewed] = [...hub.valid];
    expect(held()).toEqual({ server: hub.url, token: renewed, hookTokens: ['a'.repeat(16)], future: 1 });
  });

  it('is requested with the current token, and sent to no other hub', async () => {
    await run('karmada');
    expect(hub.seen).toEqual([`POST /api/v1/namespaces/evenkeel/serviceaccounts/evenkeel/token ${OLD}`]);
    expect(other.seen).toEqual([]);
    expect(held(EDGE).token).toBe('the-token-of-the-other');
  });

  it('is discarded if another user has written the connection in the meantime', async () => {
    secrets.onCall = ({ operation }) => {
      if (operation !== 'PutSecretValue') return;
      secrets.onCall = undefined;
      secrets.set(KARMADA, JSON.stringify({ server: hub.url, token: 'theirs' }));
    };
    expect((await run('karmada')).reason).toMatch(/another client changed the connection concurrently$/);
    expect(held().token).toBe('theirs');
  });

  it('is left where another run has replaced it while the hub made ours', async () => {
    const [first, second] = await Promise.all([run('karmada'), run('karmada')]);
    const reasons = [first.reason, second.reason].map((reason) => reason.split('; ')[1]);
    expect(reasons.filter((reason) => reason === 'renewed for 48 h')).toHaveLength(1);
    expect(hub.valid.has(String(held().token))).toBe(true);
  });

  it('is saved in the connection though the hub made it too short, and an alarm reports it', async () => {
    hub.capHours = 1;
    await expect(run('karmada')).rejects.toMatchObject({ retryClass: 'terminal', reason: 'TokenTooShort' });
    expect(hub.valid.has(String(held().token))).toBe(true);
    expect(held().token).not.toBe(OLD);
  });
});

/** Changes the record as another client would. */
async function change(over: Partial<NewHubRecord>): Promise<void> {
  const record = await registry.read('karmada');
  if (record) await registry.write({ ...record, ...over }, record.revision);
}

describe('a pause', () => {
  const pause = { since: at(0), reason: 'a rollout' };
  const recorded = async () => (await registry.read('karmada'))?.pause;

  beforeEach(() => {
    beforeWrite = undefined;
  });

  it('is written to the record beside all else and ended again, and leaves the connection unchanged', async () => {
    const [before, connection] = [await registry.read('karmada'), held()];
    expect(await connectionsIn().pause('karmada', pause)).toEqual(pause);
    expect(await registry.read('karmada')).toEqual({ ...before, pause, revision: 2 });
    expect(await connectionsIn().pause('karmada', { since: at(9), reason: 'another' })).toEqual(pause);
    expect(await connectionsIn().resume('karmada')).toEqual(pause);
    expect(await registry.read('karmada')).toEqual({ ...before, revision: 3 });
    expect(await connectionsIn().resume('karmada')).toBeUndefined();
    expect([held(), hub.seen]).toEqual([connection, []]);
  });

  it('does not prevent the renewal of the token', async () => {
    await connectionsIn().pause('karmada', pause);
    expect((await run('karmada')).reason).toMatch(/renewed for 48 h$/);
    expect(await recorded()).toEqual(pause);
    expect(held().token).not.toBe(OLD);
  });

  it('is written over a concurrent change of another field, which is kept', async () => {
    beforeWrite = async () => {
      beforeWrite = undefined;
      await change({ account: 'us' });
    };
    await connectionsIn().pause('karmada', pause);
    expect(await registry.read('karmada')).toMatchObject({ account: 'us', pause });
  });

  it('of another user is kept if both pause at the same time', async () => {
    const theirs = { since: at(1), reason: 'theirs' };
    beforeWrite = async () => {
      beforeWrite = undefined;
      await change({ pause: theirs });
    };
    expect(await connectionsIn().pause('karmada', pause)).toEqual(theirs);
    expect(await recorded()).toEqual(theirs);
  });

  it('stops after five concurrent writes, and reports them', async () => {
    let writes = 0;
    beforeWrite = () => change({ account: `writer-${++writes}` });
    await expect(connectionsIn().pause('karmada', pause)).rejects.toMatchObject({
      retryClass: 'retryable',
      reason: 'Conflict',
    });
    expect([writes, await recorded()]).toEqual([5, undefined]);
  });

  it('is rejected for a hub that is being removed, and for one that is removed meanwhile', async () => {
    beforeWrite = () => change({ state: 'Removing' });
    await expect(connectionsIn().pause('karmada', pause)).rejects.toMatchObject({ reason: 'UnknownHub' });
    expect(await recorded()).toBe(undefined);
  });

  it('is rejected for an unknown hub', async () => {
    await expect(connectionsIn().pause('x', pause)).rejects.toMatchObject({ reason: 'UnknownHub' });
  });
});

describe('nothing is written', () => {
  it('while the token is in the first half of its life', async () => {
    expect((await run('karmada', at(3600))).reason).toBe('its token is valid for another 47 h of 48 h');
    expect(held().token).toBe(OLD);
    expect(hub.seen).toEqual([]);
  });

  it('where the credential is another: no hub is asked', async () => {
    expect((await run('edge')).reason).toBe('its credential is not the token of a ServiceAccount');
    expect(other.seen).toEqual([]);
  });

  it('fails if the hub rejects the expired token: the event is redelivered, and then an alarm reports it', async () => {
    hub.valid.clear();
    const fault = await run('karmada', at(49 * 3600)).catch((thrown: unknown) => thrown as Error);
    expect(fault).toMatchObject({ retryClass: 'retryable', reason: 'Unauthorized' });
    expect((fault as Error).message).not.toContain(OLD);
    expect(held().token).toBe(OLD);
  });

  it.each([
    ['unknown', 'UnknownHub'],
    ['constructor', 'UnknownHub'],
  ])('for the hub %s: it is not in this deployment', async (name, reason) => {
    await expect(run(name)).rejects.toMatchObject({ retryClass: 'terminal', reason });
  });

  it.each([
    ['empty', () => secrets.make(EDGE), `its secret ${EDGE} is empty`],
    ['missing', () => secrets.drop(EDGE), `its secret ${EDGE} does not exist`],
  ])('fails for a hub whose secret is %s', async (_, prepare, message) => {
    prepare();
    await expect(run('edge')).rejects.toMatchObject({
      retryClass: 'terminal',
      reason: 'InvalidConnection',
      message: expect.stringContaining(message) as string,
    });
  });
});
