/** The function that renews tokens, on secrets and on a hub over the wire. */
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { task } from '../../../functions/hub-connection/renew-token.lambda.ts';
import { ConnectionSecrets } from '../../../shared/aws/secrets-manager/connection-secrets.ts';
import { SecretConnections } from '../../../shared/aws/secrets-manager/secret-connections.ts';
import type { Outcome } from '../../../shared/core/invocation.ts';
import { parseSettings } from '../../../shared/core/settings.ts';
import { accountToken, at } from '../../builders.ts';
import { type FakeSecrets, startFakeSecrets } from '../../fakes/secrets-manager.ts';
import { recording } from '../../fakes/telemetry.ts';
import { startTokenHub, type TokenHub } from '../../fakes/token-hub.ts';

const OLD = accountToken();
const DUE = at(25 * 3600);
let secrets: FakeSecrets;
let hub: TokenHub;
let other: TokenHub;

beforeEach(async () => {
  secrets = await startFakeSecrets();
  hub = await startTokenHub(OLD);
  other = await startTokenHub('the-token-of-the-other');
  secrets.make('arn:karmada');
  secrets.make('arn:edge');
  secrets.set('arn:karmada', JSON.stringify({ server: hub.url, token: OLD, hookTokens: ['a'.repeat(16)], future: 1 }));
  secrets.set('arn:edge', JSON.stringify({ server: other.url, token: 'the-token-of-the-other' }));
});

afterEach(async () => {
  await Promise.all([secrets.endpoint.close(), hub.close(), other.close()]);
});

function connectionsIn(): SecretConnections {
  const store = new ConnectionSecrets(new SecretsManagerClient(secrets.endpoint.config));
  return new SecretConnections({ secrets: { karmada: 'arn:karmada', edge: 'arn:edge' }, store, timeoutMs: 1000 });
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

function held(arn = 'arn:karmada'): Record<string, unknown> {
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
    expect(held('arn:edge').token).toBe('the-token-of-the-other');
  });

  it('is discarded if another user has written the connection in the meantime', async () => {
    secrets.onCall = ({ operation }) => {
      if (operation !== 'PutSecretValue') return;
      secrets.onCall = undefined;
      secrets.set('arn:karmada', JSON.stringify({ server: hub.url, token: 'theirs' }));
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

/** Writes once as another user, between our read and our write. */
function meanwhile(change: () => void): void {
  secrets.onCall = ({ operation }) => {
    if (operation !== 'PutSecretValue') return;
    secrets.onCall = undefined;
    change();
  };
}

describe('a pause', () => {
  const pause = { since: at(0), reason: 'a rollout' };
  const kept = { since: '2026-11-21T10:00:00Z', reason: 'a rollout' };

  it('is kept in the connection beside all else, and taken out of it again', async () => {
    const before = held();
    expect(await connectionsIn().pause('karmada', pause)).toEqual(pause);
    expect(held()).toEqual({ ...before, paused: kept });
    expect(await connectionsIn().pause('karmada', { since: at(9), reason: 'another' })).toEqual(pause);
    expect(await connectionsIn().resume('karmada')).toEqual(pause);
    expect(held()).toEqual(before);
    expect(await connectionsIn().resume('karmada')).toBeUndefined();
    expect(hub.seen).toEqual([]);
  });

  it('does not keep the token from being renewed', async () => {
    await connectionsIn().pause('karmada', pause);
    expect((await run('karmada')).reason).toMatch(/renewed for 48 h$/);
    expect(held().paused).toEqual(kept);
    expect(held().token).not.toBe(OLD);
  });

  it('that comes while a token is being renewed stays, and so does the token', async () => {
    meanwhile(() => secrets.set('arn:karmada', JSON.stringify({ ...held(), paused: kept })));
    expect((await run('karmada')).reason).toMatch(/renewed for 48 h$/);
    expect(held().paused).toEqual(kept);
    expect(hub.valid.has(String(held().token)) && held().token !== OLD).toBe(true);
  });

  it('is written beside a token that comes while it is', async () => {
    meanwhile(() => secrets.set('arn:karmada', JSON.stringify({ ...held(), token: 'a-new-one' })));
    await connectionsIn().pause('karmada', pause);
    expect(held()).toMatchObject({ token: 'a-new-one', paused: kept });
  });

  it('stops after repeated concurrent writes, and reports it', async () => {
    let writes = 0;
    secrets.onCall = ({ operation }) => {
      if (operation === 'PutSecretValue') secrets.set('arn:karmada', JSON.stringify({ ...held(), write: ++writes }));
    };
    await expect(connectionsIn().pause('karmada', pause)).rejects.toMatchObject({ reason: 'Conflict' });
    expect(held()).not.toHaveProperty('paused');
  });

  it('rejects renewal for an unknown hub', async () => {
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

  it('fails for a hub whose secret is empty', async () => {
    secrets.make('arn:edge');
    await expect(run('edge')).rejects.toMatchObject({ retryClass: 'terminal', reason: 'InvalidConnection' });
  });
});
