/** What the hub API promises of PUT and DELETE. */
import { describe, expect, it } from 'vitest';
import { type HubClient, REBALANCERS, rebalancer } from './client.ts';

export function replaceContract(client: () => HubClient): void {
  describe('replace', () => {
    it('takes out what is no longer there', async () => {
      const { path, object } = await client().rebalancer('whole', { labels: { a: '1' } });
      const { labels: _, ...metadata } = object.metadata;
      const { body } = await client().send('PUT', path, { ...object, metadata });
      expect(body.metadata.labels).toBeUndefined();
    });

    it('needs the resourceVersion of now', async () => {
      const { path, object } = await client().rebalancer('put');
      const { resourceVersion, ...unversioned } = object.metadata;
      await client().merge(path, { metadata: { labels: { a: '1' } } });
      const stale = { ...object, metadata: { ...unversioned, resourceVersion } };
      expect((await client().send('PUT', path, stale)).code).toBe(409);
      expect((await client().send('PUT', path, { ...object, metadata: unversioned })).code).toBe(422);
    });

    it('is for the object of its path', async () => {
      const { path, object } = await client().rebalancer('named');
      expect((await client().send('PUT', `${REBALANCERS}/another`, object)).code).toBe(400);
      const uid = '00000000-0000-0000-0000-000000000000';
      expect((await client().send('PUT', path, { ...object, metadata: { ...object.metadata, uid } })).code).toBe(409);
      const name = client().name('absent');
      expect((await client().send('PUT', `${REBALANCERS}/${name}`, rebalancer({ name }))).code).toBe(404);
    });

    it('of status changes only status', async () => {
      const { path, object } = await client().rebalancer('status');
      const { body } = await client().send('PUT', `${path}/status`, {
        ...object,
        spec: { ...object.spec, ttlSecondsAfterFinished: 9 },
        status: { observedGeneration: 8 },
      });
      expect(body.status).toEqual({ observedGeneration: 8 });
      expect(body.spec).toEqual(object.spec);
    });
  });
}

export function deleteContract(client: () => HubClient): void {
  describe('delete', () => {
    it('answers a Status with the uid of what is gone', async () => {
      const { path, object } = await client().rebalancer('gone');
      const { code, body } = await client().send('DELETE', path);
      expect(code).toBe(200);
      const { name, uid } = object.metadata;
      const details = { name, group: 'apps.karmada.io', kind: 'workloadrebalancers', uid };
      expect(body).toMatchObject({ kind: 'Status', status: 'Success', details });
      expect((await client().send('DELETE', path)).code).toBe(404);
    });

    it('is rejected for another uid', async () => {
      const { path, object } = await client().rebalancer('uid');
      const { code, body } = await client().send('DELETE', path, { preconditions: { uid: 'another' } });
      expect(code).toBe(409);
      const { name, uid } = object.metadata;
      expect(body.message).toBe(
        `Operation cannot be fulfilled on WorkloadRebalancer.apps.karmada.io "${name}": the UID in the precondition (another) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
      );
    });

    it('is rejected for another resourceVersion, and succeeds for the current uid and resourceVersion', async () => {
      const { path, object } = await client().rebalancer('version');
      const { body } = await client().merge(path, { metadata: { labels: { a: '1' } } });
      const { uid } = object.metadata;
      const stale = { uid, resourceVersion: object.metadata.resourceVersion };
      const rejected = await client().send('DELETE', path, { preconditions: stale });
      expect(rejected.code).toBe(409);
      expect(rejected.body.reason).toBe('Conflict');
      const current = { uid, resourceVersion: body.metadata.resourceVersion };
      expect((await client().send('DELETE', path, { preconditions: current })).code).toBe(200);
    });

    it('in a dry run deletes nothing', async () => {
      const { path } = await client().rebalancer('dry');
      expect((await client().send('DELETE', `${path}?dryRun=All`)).code).toBe(200);
      expect((await client().send('DELETE', path, { dryRun: ['All'] })).code).toBe(200);
      expect((await client().get(path)).code).toBe(200);
    });

    it('waits for finalizers, and takes no new ones meanwhile', async () => {
      const { path, object } = await client().rebalancer('held', { finalizers: ['example.com/hold'] });
      const { code, body } = await client().send('DELETE', path);
      expect(code).toBe(200);
      expect(body.metadata).toMatchObject({ uid: object.metadata.uid, generation: 2 });
      expect(body.metadata.deletionTimestamp).toMatch(/^\d{4}-.*Z$/);
      const more = { metadata: { finalizers: ['example.com/hold', 'example.com/more'] } };
      expect((await client().merge(path, more)).code).toBe(422);
      expect((await client().merge(path, { metadata: { finalizers: null } })).code).toBe(200);
      expect((await client().get(path)).code).toBe(404);
    });
  });
}
