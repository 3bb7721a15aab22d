/** What every registry of hubs must do, whatever keeps the records. Run on memory and on DynamoDB's wire protocol. */
import { beforeEach, describe, expect, it } from 'vitest';
import { callersOf } from '../../shared/kubernetes/hook-callers.ts';
import { paused, resumed } from '../../shared/kubernetes/hub-record.ts';
import type { HubRecord, HubRegistry, NewHubRecord } from '../../shared/kubernetes/hub-registry.ts';
import { at } from '../builders.ts';
import { hubRecord } from '../fakes/hub-records.ts';

const whole: NewHubRecord = hubRecord('karmada', {
  pause: { since: at(0), reason: 'a rollout', by: 'iam:me' },
  features: ['policies', 'createRebalancers'],
  account: 'system:serviceaccount:evenkeel:evenkeel',
  callers: callersOf('karmada', { hookTokens: ['a-token-of-some-length'], hookSubjects: ['CN=apiserver'] }),
  auditLogGroup: '/aws/eks/karmada/cluster',
  hasEstimator: false,
});

/** 1.5 KB more for each record, so that 1,000 of them exceed a page of 1 MB. */
const longSubject = `CN=${'x'.repeat(1500)}`;

export function hubRegistryContract(name: string, open: () => Promise<HubRegistry>): void {
  describe(`hub registry: ${name}`, () => {
    let registry: HubRegistry;
    beforeEach(async () => {
      registry = await open();
    });
    const added = async (record: NewHubRecord): Promise<HubRecord> => {
      expect(await registry.write(record, 0)).toBe('done');
      const read = await registry.read(record.name);
      if (read === undefined) throw new Error('the record was not written');
      return read;
    };

    it.each([
      ['with all fields', whole],
      ['with the required fields only', hubRecord('karmada')],
    ])('reads back a record %s, in revision 1', async (_, record) => {
      expect(await added(record)).toEqual({ ...record, revision: 1 });
    });

    it('returns nothing for an unknown hub', async () => {
      expect(await registry.read('unknown')).toBe(undefined);
      expect(await registry.list()).toEqual([]);
    });

    it('adds a hub once, if two clients add it at the same time', async () => {
      const servers = ['https://one.example', 'https://two.example'];
      const results = await Promise.all(servers.map((server) => registry.write(hubRecord('karmada', { server }), 0)));
      expect([...results].sort()).toEqual(['changed', 'done']);
      expect(await registry.read('karmada')).toMatchObject({ server: servers[results.indexOf('done')], revision: 1 });
    });

    it('keeps one of two changes of one revision, and reports the other', async () => {
      const record = await added(hubRecord('karmada'));
      const changes = [paused(record, { since: at(0), reason: 'a' }), { ...record, state: 'Removing' as const }];
      const results = await Promise.all(changes.map((change) => registry.write(change, record.revision)));
      expect([...results].sort()).toEqual(['changed', 'done']);
      expect(await registry.read('karmada')).toEqual({ ...changes[results.indexOf('done')], revision: 2 });
    });

    it.each([[0], [1], [3]])('writes nothing over revision %i of a record in revision 2', async (revision) => {
      const { revision: first, ...record } = await added(hubRecord('karmada'));
      expect(await registry.write({ ...record, account: 'us' }, first)).toBe('done');
      expect(await registry.write({ ...record, account: 'others' }, revision)).toBe('changed');
      expect(await registry.read('karmada')).toEqual({ ...record, account: 'us', revision: 2 });
    });

    it('forgets a field that the new record does not have', async () => {
      const record = await added(whole);
      expect(await registry.write(resumed(record), record.revision)).toBe('done');
      expect(await registry.read('karmada')).toEqual({ ...resumed(record), revision: 2 });
    });

    it('does not add a hub by a change of a record that was deleted', async () => {
      const record = await added(hubRecord('karmada'));
      expect(await registry.delete('karmada', record.revision)).toBe('done');
      expect(await registry.write(record, record.revision)).toBe('changed');
      expect(await registry.read('karmada')).toBe(undefined);
    });

    it('keeps a record that was changed since the deleting client read it', async () => {
      const record = await added(hubRecord('karmada'));
      await registry.write({ ...record, account: 'us' }, record.revision);
      expect(await registry.delete('karmada', record.revision)).toBe('changed');
      expect(await registry.read('karmada')).toMatchObject({ account: 'us', revision: 2 });
    });

    it('reports the deletion of a deleted record as changed', async () => {
      const { revision } = await added(hubRecord('karmada'));
      await registry.delete('karmada', revision);
      expect(await registry.delete('karmada', revision)).toBe('changed');
    });

    it('either removes a hub or changes it, if two clients do both at the same time', async () => {
      const record = await added(hubRecord('karmada'));
      const [removal, change] = await Promise.all([
        registry.delete('karmada', record.revision),
        registry.write({ ...record, account: 'us' }, record.revision),
      ]);
      expect([removal, change].sort()).toEqual(['changed', 'done']);
      const expected = removal === 'done' ? undefined : { ...record, account: 'us', revision: 2 };
      expect(await registry.read('karmada')).toEqual(expected);
    });

    it('does not delete a hub that was added again with the removal of the first', async () => {
      const first = await added(hubRecord('karmada'));
      await registry.write({ ...first, state: 'Removing' }, first.revision);
      await registry.delete('karmada', 2);
      const second = await added(hubRecord('karmada', { account: 'another' }));
      expect(await registry.delete('karmada', 2)).toBe('changed');
      expect(await registry.read('karmada')).toEqual(second);
    });

    it('lists 1,000 hubs by name, those that are being removed too', async () => {
      const names = Array.from({ length: 1000 }, (_, i) => `hub-${String(i).padStart(3, '0')}`);
      const records = names.map((hub, i) =>
        hubRecord(hub, {
          state: i % 2 === 0 ? 'Active' : 'Removing',
          callers: callersOf(hub, { hookTokens: [], hookSubjects: [longSubject] }),
        }),
      );
      for (let i = 0; i < records.length; i += 50)
        await Promise.all(
          records
            .slice(i, i + 50)
            .toReversed()
            .map((record) => registry.write(record, 0)),
        );
      expect(await registry.list()).toEqual(records.map((record) => ({ ...record, revision: 1 })));
    });

    it('moves the time until which events are published only from the time that was read', async () => {
      expect(await registry.publishedUntil()).toBe(undefined);
      expect(await registry.markPublished(undefined, at(60))).toBe('done');
      expect(await registry.markPublished(undefined, at(90))).toBe('changed');
      expect(await registry.publishedUntil()).toBe(at(60));
      const results = await Promise.all([at(120), at(180)].map((until) => registry.markPublished(at(60), until)));
      expect([...results].sort()).toEqual(['changed', 'done']);
      expect(await registry.publishedUntil()).toBe(results[0] === 'done' ? at(120) : at(180));
    });

    it('does not list the time until which events are published', async () => {
      await registry.markPublished(undefined, at(60));
      expect(await registry.list()).toEqual([]);
    });
  });
}
