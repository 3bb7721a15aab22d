/** Orders that register, change and remove a hub: what they decide, and the functions themselves on a registry in memory. */
import { describe, expect, it, vi } from 'vitest';
import {
  assertMayRegister,
  assertOwnLogGroup,
  changed,
  registered,
  removal,
  removing,
} from '../../../functions/console-api/hub-commands.ts';
import { Fault } from '../../../shared/core/fault.ts';
import type { PositionKey } from '../../../shared/karmada/resync-position.ts';
import type { HubRecord, NewHubRecord } from '../../../shared/kubernetes/hub-registry.ts';
import { at, deployment, storedHub } from '../../builders.ts';
import { asking } from '../../fakes/ask.ts';
import { MemoryHubRegistry } from '../../fakes/stores/memory-hub-registry.ts';
import { World } from '../../fakes/world.ts';

const server = 'https://new.example:5443';
const callers = { tokenDigests: ['c'.repeat(64)], reviewKeyDigests: ['d'.repeat(64)], subjects: ['CN=x'] };
const pause = { since: at(0), reason: 'upgrade', by: 'claimed:bob' };
const none = { tokenDigests: [], reviewKeyDigests: [], subjects: [] };

function unrevised({ revision: _, ...record }: HubRecord): NewHubRecord {
  return record;
}

describe('the registration of a hub', () => {
  it('is a new record without a pause and without features unless the order has them', () => {
    expect(registered({ hub: 'edge', server, callers }, undefined)).toEqual({
      ...{ name: 'edge', state: 'Active', server, callers, features: [] },
      ...{ account: undefined, auditLogGroup: undefined, pause: undefined },
    });
    const given = { hub: 'edge', server, callers, account: 'us', features: ['policies' as const], auditLogGroup: '/a' };
    expect(registered(given, undefined)).toMatchObject({ account: 'us', features: ['policies'], auditLogGroup: '/a' });
  });

  it('keeps the pause, the features and the log group of an existing hub, and replaces server, account and callers', () => {
    const existing = storedHub({ pause, features: ['policies'], auditLogGroup: '/a', revision: 7 });
    expect(registered({ hub: 'karmada', server, callers, account: 'us' }, existing)).toEqual({
      ...{ name: 'karmada', state: 'Active', server, callers, account: 'us', pause },
      ...{ features: ['policies'], auditLogGroup: '/a' },
    });
  });

  it('records whether the hub has an estimator, and keeps that if the order omits it', () => {
    const order = { hub: 'karmada', server, callers };
    const known = storedHub({ hasEstimator: true });
    expect([
      registered({ ...order, hasEstimator: true }, undefined).hasEstimator,
      registered({ ...order, hasEstimator: false }, known).hasEstimator,
      registered(order, known).hasEstimator,
      changed({ hub: 'karmada', hasEstimator: false }, known).hasEstimator,
      changed({ hub: 'karmada' }, known).hasEstimator,
    ]).toEqual([true, false, true, false, true]);
  });

  it('takes a pause for a new hub only: a later order must not pause a hub that was resumed', () => {
    const paused = { since: '2026-11-21T10:00:00Z', reason: 'upgrade', by: 'claimed:bob' };
    expect(registered({ hub: 'karmada', server, callers, paused }, undefined).pause).toEqual(pause);
    expect(registered({ hub: 'karmada', server, callers, paused }, storedHub()).pause).toBeUndefined();
    expect(() => registered({ hub: 'a', server, callers, paused: { since: 'now', reason: '' } }, undefined)).toThrow(
      'paused.since: Invalid value: "now": must be a time in RFC 3339',
    );
  });

  it('makes a hub active again that was being removed', () => {
    expect(registered({ hub: 'karmada', server, callers }, storedHub({ state: 'Removing' })).state).toBe('Active');
  });

  it('rejects a log group of another hub, and accepts its own and none', () => {
    const all = [storedHub({ name: 'a', auditLogGroup: '/a' }), storedHub({ name: 'b' })];
    const own = (name: string, auditLogGroup?: string) => () =>
      assertOwnLogGroup(storedHub({ name, auditLogGroup }), all);
    expect(own('b', '/a')).toThrow('auditLogGroup: Invalid value: "/a": is that of hub a; a log is of one hub');
    expect([own('a', '/a')(), own('b', '/b')(), own('c')()]).toEqual([undefined, undefined, undefined]);
  });

  it('is rejected for users of a deployed console', () => {
    expect(() => assertMayRegister('console:alice')).toThrow(
      'use evenkeel hub add, set or remove, with AWS credentials',
    );
    expect([assertMayRegister('claimed:alice'), assertMayRegister('local:user')]).toEqual([undefined, undefined]);
  });
});

describe('a change of a hub', () => {
  it('replaces the fields of the order, removes a log group by null, and keeps the rest', () => {
    const existing = storedHub({ pause, features: ['policies'], auditLogGroup: '/a', revision: 7 });
    expect(changed({ hub: 'karmada' }, existing)).toEqual(unrevised(existing));
    expect(changed({ hub: 'karmada', features: [], auditLogGroup: null }, existing)).toEqual({
      ...unrevised(existing),
      features: [],
      auditLogGroup: undefined,
    });
    expect(changed({ hub: 'karmada', server, callers, account: 'us' }, existing)).toMatchObject({
      ...{ server, callers, account: 'us', pause, features: ['policies'] },
    });
  });

  it('is rejected with the remedy for an unknown hub, and for one that is being removed', () => {
    expect(() => changed({ hub: 'x' }, undefined)).toThrow(
      'there is no hub x in this deployment; evenkeel hub list shows its hubs',
    );
    expect(() => changed({ hub: 'karmada' }, storedHub({ state: 'Removing' }))).toThrow(
      'hub karmada is being removed; evenkeel hub remove karmada --yes completes that',
    );
  });
});

describe('the removal of a hub', () => {
  it('begins with a record that accepts no caller, and writes it once', () => {
    const existing = storedHub({ pause, auditLogGroup: '/a' });
    expect(removing(existing)).toEqual({ ...unrevised(existing), state: 'Removing', callers: none });
    expect([removing(storedHub({ state: 'Removing' })), removing(undefined)]).toEqual([undefined, undefined]);
  });

  it('lists what was deleted, and what is left', () => {
    expect(removal(storedHub(), ['demo'])).toMatchObject({
      wasRegistered: true,
      deleted: [
        'its record, with its pause and the digests of the callers of its hook',
        'the open task of WorkloadRebalancer demo, which is Abandoned now',
      ],
      left: [expect.stringContaining('one-time schedules'), expect.stringContaining('TTL')] as unknown,
    });
    expect(removal(undefined, [])).toMatchObject({ wasRegistered: false, deleted: [] });
  });
});

describe('a rejected command', () => {
  const rejections: readonly (readonly [string, () => unknown, string, string])[] = [
    [
      'of a user of a deployed console',
      () => assertMayRegister('console:alice'),
      'Forbidden',
      'hubs are not registered in the console; use evenkeel hub add, set or remove, with AWS credentials',
    ],
    [
      'that changes a hub that is being removed',
      () => changed({ hub: 'karmada' }, storedHub({ state: 'Removing' })),
      'Conflict',
      'hub karmada is being removed; evenkeel hub remove karmada --yes completes that, evenkeel hub add karmada registers it again',
    ],
    [
      'with the log group of another hub',
      () =>
        assertOwnLogGroup(storedHub({ name: 'b', auditLogGroup: '/a' }), [
          storedHub({ name: 'a', auditLogGroup: '/a' }),
        ]),
      'InvalidInput',
      'auditLogGroup: Invalid value: "/a": is that of hub a; a log is of one hub',
    ],
    [
      'with a time that is none, of which it shows 80 characters',
      () => registered({ hub: 'a', server, callers, paused: { since: 'x'.repeat(81), reason: '' } }, undefined),
      'InvalidInput',
      `paused.since: Invalid value: "${'x'.repeat(80)}": must be a time in RFC 3339`,
    ],
  ];

  it.each(rejections)('%s is a terminal fault', (_, command, reason, message) => {
    expect(command).toThrow(expect.objectContaining({ retryClass: 'terminal', reason, message }) as Error);
  });
});

describe('the order', () => {
  const a = deployment('a');

  function scene(...records: readonly HubRecord[]) {
    const world = new World();
    const registry = new MemoryHubRegistry(...records);
    world.registry = registry;
    return { world, registry, ask: asking(world.answerers) };
  }

  const published = (world: World) => world.reasons.length;

  it('registerHub writes the record, and has the hub compared at once', async () => {
    const { world, registry, ask } = scene();
    expect(await ask('registerHub', { hub: 'karmada', server, callers })).toEqual({ revision: 1, created: true });
    expect(await registry.read('karmada')).toMatchObject({ state: 'Active', server, revision: 1 });
    await world.pass(10);
    expect(await world.tasks.comparedAt('karmada')).toBe(Date.parse('2026-11-21T10:00:00Z'));
    expect(published(world)).toBeGreaterThanOrEqual(3);
  });

  it('registerHub keeps the pause of a registered hub, and reports it', async () => {
    const { registry, ask } = scene(storedHub({ pause }));
    expect(await ask('registerHub', { hub: 'karmada', server, callers })).toMatchObject({
      ...{ revision: 2, created: false },
      paused: { since: '2026-11-21T10:00:00Z', reason: 'upgrade', by: 'claimed:bob' },
    });
    expect(await registry.read('karmada')).toMatchObject({ pause, server, revision: 2 });
  });

  it('registerHub replaces an invalid record, and setHub rejects it with the remedy', async () => {
    const { registry, ask } = scene();
    registry.read = async () => {
      throw new Fault('terminal', 'the record of hub karmada cannot be used', { reason: 'InvalidHubRecord' });
    };
    expect(await ask('registerHub', { hub: 'karmada', server, callers })).toMatchObject({ created: true });
    expect(await registry.list()).toMatchObject([{ name: 'karmada', server }]);
    await expect(ask('setHub', { hub: 'karmada' })).rejects.toMatchObject({ reason: 'InvalidHubRecord' });
  });

  it('registerHub writes nothing if the record cannot be read', async () => {
    const { registry, ask } = scene();
    registry.read = async () => {
      throw new Fault('retryable', 'DynamoDB: InternalServerError', { reason: 'InternalServerError' });
    };
    await expect(ask('registerHub', { hub: 'karmada', server, callers })).rejects.toMatchObject({
      retryClass: 'retryable',
      reason: 'InternalServerError',
    });
    expect(await registry.list()).toEqual([]);
  });

  it.each([
    ['resyncHub', ['ResyncDue', 'DeschedulingDue']],
    ['resumeHub', ['ResyncDue', 'DeschedulingDue']],
    ['setHub', ['ResyncDue', 'DeschedulingDue']],
    ['registerHub', ['ResyncDue', 'DeschedulingDue', 'HubTokenCheckDue']],
  ] as const)('%s publishes the events that make the functions serve the hub', async (order, types) => {
    const { world, ask } = scene(storedHub());
    const publish = vi.spyOn(world.bus, 'publish');
    await ask(order, { hub: 'karmada', server, callers });
    const events = publish.mock.calls.flatMap(([each]) => each).map(({ type, detail }) => [type, detail.hub]);
    expect(events).toEqual(types.map((type) => [type, 'karmada']));
  });

  it('setHub keeps a write of another client, and gives up after five of them', async () => {
    const { registry, ask } = scene(storedHub());
    const write = registry.write.bind(registry);
    let others = 1;
    registry.write = async (record, revision) => {
      if (others-- > 0) await write(unrevised(storedHub({ pause, revision })), revision);
      return write(record, revision);
    };
    expect(await ask('setHub', { hub: 'karmada', features: ['policies'] })).toEqual({ revision: 3 });
    expect(await registry.read('karmada')).toMatchObject({ pause, features: ['policies'] });
    others = 5;
    await expect(ask('setHub', { hub: 'karmada', features: [] })).rejects.toMatchObject({ reason: 'Conflict' });
  });

  it('rejects digests, features and log groups that are none, and names the field', async () => {
    const { registry, ask } = scene();
    const order = { hub: 'karmada', server, callers };
    const wrong = [
      { ...order, callers: { ...callers, tokenDigests: ['hunter2'] } },
      { ...order, features: ['speed' as never] },
      { ...order, auditLogGroup: '/aws/*' },
      { ...order, server: 'https://me:secret@hub.example' },
    ];
    const errors = await Promise.all(wrong.map((each) => ask('registerHub', each).catch(String)));
    expect(errors).toEqual([
      expect.stringContaining('callers.tokenDigests.0: is not a SHA-256 digest in hex'),
      expect.stringContaining('features.0: '),
      expect.stringContaining('auditLogGroup: is not the name of a log group'),
      expect.stringContaining('server: is not the URL of an API server'),
    ]);
    expect(await registry.list()).toEqual([]);
  });

  it('removeHub deletes the record and abandons open tasks; repeated, it finds nothing left to do', async () => {
    const { world, registry, ask } = scene(storedHub());
    world.scheduler = false;
    world.bind([a]);
    world.hub.interference.before = ({ verb, plural }) => {
      if (verb === 'patch' && plural.endsWith('bindings')) throw new Error('the hub rejects triggers');
    };
    world.create('demo', [a]);
    await world.pass(10);
    expect(await world.task('demo')).toMatchObject({ state: 'Running' });
    expect((await ask('removeHub', { hub: 'karmada' })).deleted.at(-1)).toContain('WorkloadRebalancer demo');
    expect([await registry.read('karmada'), (await world.task('demo'))?.state]).toEqual([undefined, 'Abandoned']);
    expect(await ask('removeHub', { hub: 'karmada' })).toMatchObject({ wasRegistered: false, deleted: [] });
  });

  it('removeHub stops the functions before it deletes, and a second call completes the first', async () => {
    const { world, registry, ask } = scene(storedHub());
    const { recent } = world.tasks;
    world.tasks.recent = async () => {
      throw new Error('the table does not respond');
    };
    await expect(ask('removeHub', { hub: 'karmada' })).rejects.toThrow('the table does not respond');
    expect(await registry.read('karmada')).toMatchObject({ state: 'Removing', callers: none, revision: 2 });
    expect((await ask('listHubs', {})).hubs).toMatchObject([
      { state: 'Removing', reach: { state: 'Unreachable', message: 'it is being removed' } },
    ]);
    world.tasks.recent = recent.bind(world.tasks);
    expect(await ask('removeHub', { hub: 'karmada' })).toMatchObject({ wasRegistered: true });
    expect(await registry.list()).toEqual([]);
  });

  it('removeHub keeps a hub that was registered again meanwhile', async () => {
    const { world, registry, ask } = scene(storedHub());
    world.tasks.recent = async () => {
      await registry.write(unrevised(storedHub()), 2);
      return [];
    };
    await expect(ask('removeHub', { hub: 'karmada' })).rejects.toMatchObject({ reason: 'Conflict' });
    expect(await registry.read('karmada')).toMatchObject({ state: 'Active', revision: 3 });
  });

  it('forgets how far the hub was compared when it is registered, gets another server, or is removed, and else not', async () => {
    const { world, ask } = scene(storedHub());
    const keys: readonly PositionKey[] = [
      { hub: 'karmada', function: 'find-unscheduled' },
      { hub: 'karmada', function: 'find-reductions' },
    ];
    const position = { versions: { resourcebindings: '9' }, open: [], context: '', listedAt: at(0) };
    const keptBy = async (order: () => Promise<unknown>) => {
      // The resync of the command before it is over.
      await world.pass(1);
      for (const key of keys) await world.positions.save(key, position, await world.positions.read(key));
      await order();
      const rows = await Promise.all(keys.map((key) => world.positions.read(key)));
      return rows.filter((row) => row !== undefined).length;
    };
    expect(await keptBy(() => ask('setHub', { hub: 'karmada', features: ['policies'] }))).toBe(2);
    expect(await keptBy(() => ask('setHub', { hub: 'karmada', server }))).toBe(0);
    expect(await keptBy(() => ask('registerHub', { hub: 'karmada', server, callers }))).toBe(0);
    expect(await keptBy(() => ask('removeHub', { hub: 'karmada' }))).toBe(0);
  });

  it('getHub answers with the record, without a request to the hub, and rejects an unknown hub', async () => {
    const { world, ask } = scene(storedHub({ pause, features: ['policies'], auditLogGroup: '/a' }));
    expect(await ask('getHub', { hub: 'karmada' })).toEqual({
      ...{ name: 'karmada', state: 'Active', server: 'https://karmada.example:6443', features: ['policies'] },
      ...{ auditLogGroup: '/a', revision: 1 },
      paused: { since: '2026-11-21T10:00:00Z', reason: 'upgrade', by: 'claimed:bob' },
    });
    expect(world.hub.calls).toEqual([]);
    await expect(ask('getHub', { hub: 'x' })).rejects.toMatchObject({ reason: 'UnknownHub' });
  });

  it('listHubs asks 1,000 hubs, at most 50 at once, and once within a second', async () => {
    const records = Array.from({ length: 1000 }, (_, i) => storedHub({ name: `hub-${i}` }));
    const { world, ask } = scene(...records);
    let [open, most, opened] = [0, 0, 0];
    world.hubs.open = async () => {
      opened += 1;
      most = Math.max(most, ++open);
      await Promise.resolve();
      open -= 1;
      return world.hub;
    };
    expect((await ask('listHubs', {})).hubs).toHaveLength(1000);
    await ask('listHubs', {});
    expect([opened, most <= 50]).toEqual([1000, true]);
  });

  it('listHubs answers for the hubs whose name contains the text', async () => {
    const { ask } = scene(storedHub({ name: 'prod-eu' }), storedHub({ name: 'prod-us' }), storedHub({ name: 'test' }));
    const names = async (search?: string) => (await ask('listHubs', { search })).hubs.map(({ name }) => name);
    expect([await names('prod'), await names()]).toEqual([
      ['prod-eu', 'prod-us'],
      ['prod-eu', 'prod-us', 'test'],
    ]);
  });
});
