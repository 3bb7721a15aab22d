import { describe, expect, it } from 'vitest';
import { auditEventOf, eventList, type HookCall, hookScene } from '../../fakes/hook-scene.ts';

/** Each hub has a token, a certificate's subject and an account; what is true of one is tried on the other. */
const hubs = {
  karmada: { hookTokens: ['the-token-of-karmada'], hookSubjects: ['CN=karmada'], account: 'system:karmada-evenkeel' },
  edge: { hookTokens: ['the-token-of-edge-1'], hookSubjects: ['CN=edge'], account: 'system:edge-evenkeel' },
} as const;
type Name = keyof typeof hubs;
const crossed: readonly (readonly [Name, Name])[] = [
  ['karmada', 'edge'],
  ['edge', 'karmada'],
];

const tokenOf = (hub: Name) => hubs[hub].hookTokens[0];
const batch = (...items: object[]) => eventList(items);

describe.each(crossed)('with what belongs to %s', (own, other) => {
  it.each<readonly [string, Partial<HookCall>]>([
    ['its token', { bearer: tokenOf(own) }],
    ['its certificate', { subject: hubs[own].hookSubjects[0] }],
    ['its token and its certificate', { bearer: tokenOf(own), subject: hubs[own].hookSubjects[0] }],
    ['its subject as a token', { bearer: hubs[own].hookSubjects[0] }],
    ["the other's token as a subject", { subject: tokenOf(other) }],
    ['both tokens in one header', { bearer: `${tokenOf(own)},${tokenOf(other)}` }],
  ])(`publishes nothing for ${other}: %s`, async (_, call) => {
    const s = hookScene({ hubs });
    expect((await s.post({ hub: other, body: batch(auditEventOf('a')), ...call })).status).toBe(401);
    expect(s.published).toEqual([]);
  });

  it.each([
    `${other}/../${own}`,
    `${own}/../${other}`,
    `${own}%2f..%2f${other}`,
    `${own}%00${other}`,
    other.toUpperCase(),
    ` ${other}`,
    `${other}.`,
  ])('no path leads to the other: /hubs/%s', async (path) => {
    const s = hookScene({ hubs });
    await s.post({ hub: path, body: batch(auditEventOf('a')), bearer: tokenOf(own) });
    expect(s.published.filter(({ detail }) => detail.hub !== own)).toEqual([]);
  });

  it('a body that names the other hub is about its own', async () => {
    const s = hookScene({ hubs });
    const item = {
      ...auditEventOf('a'),
      hub: other,
      detail: { hub: other },
      cluster: other,
      annotations: { hub: other },
    };
    const list = JSON.parse(batch(item)) as object;
    const body = JSON.stringify({ hub: other, detail: { hub: other }, ...list, metadata: { name: other, hub: other } });
    const headers = { 'x-hub': other, 'x-forwarded-path': `/hubs/${other}/audit`, host: other };
    expect((await s.post({ hub: own, body, bearer: tokenOf(own), headers })).status).toBe(200);
    expect(s.published.map(({ detail }) => detail)).toEqual([{ hub: own, name: 'a', version: 1 }]);
  });

  it('an id that it sent first does not hide an event of the other', async () => {
    const s = hookScene({ hubs });
    const body = batch(auditEventOf('a', { id: 'the-same' }));
    await s.post({ hub: own, body, bearer: tokenOf(own) });
    expect((await s.post({ hub: other, body, bearer: tokenOf(other) })).answer).toMatchObject({
      events: 1,
      repeated: 0,
    });
    expect(s.published.map(({ detail }) => detail.hub)).toEqual([own, other]);
  });

  it('its account has no special role on the other hub', async () => {
    const s = hookScene({ hubs });
    const body = batch(auditEventOf('a', { username: hubs[own].account }));
    expect((await s.post({ hub: own, body, bearer: tokenOf(own) })).answer).toMatchObject({ own: 1, events: 0 });
    expect((await s.post({ hub: other, body, bearer: tokenOf(other) })).answer).toMatchObject({ own: 0, events: 1 });
  });

  it('its storm takes nothing of what the other may raise', async () => {
    const s = hookScene({ hubs, settings: { hubEventsPerSecond: 1 } });
    const storm = batch(...Array.from({ length: 500 }, (_, i) => auditEventOf(`r-${i}`)));
    await s.post({ hub: own, body: storm, bearer: tokenOf(own) });
    const more = await s.post({ hub: own, body: batch(auditEventOf('b')), bearer: tokenOf(own) });
    const others = await s.post({ hub: other, body: batch(auditEventOf('b')), bearer: tokenOf(other) });
    expect([more.status, others.status]).toEqual([429, 200]);
  });
});
