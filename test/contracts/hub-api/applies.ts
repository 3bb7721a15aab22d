/** What the hub API promises of server-side apply: who owns which field, what an apply takes, releases and rejects. */
import { describe, expect, it } from 'vitest';
import { type Answer, type Body, type HubClient, REBALANCERS, rebalancer } from './client.ts';

const APPLY = 'application/apply-patch+yaml';
const WORKLOADS = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'shop' }];

interface Wish {
  readonly by?: string;
  readonly force?: boolean;
  readonly query?: string;
  readonly metadata?: object;
  readonly spec?: object;
}

export function applyContract(client: () => HubClient): void {
  const apply = (name: string, { by = 'one', force = false, query = '', ...object }: Wish): Promise<Answer> => {
    const header = { apiVersion: 'apps.karmada.io/v1alpha1', kind: 'WorkloadRebalancer' };
    const body = {
      ...header,
      metadata: { name, ...object.metadata },
      ...(object.spec && { spec: object.spec }),
    };
    const options = `fieldManager=${by}${force ? '&force=true' : ''}${query}`;
    return client().send('PATCH', `${REBALANCERS}/${name}?${options}`, body, { 'content-type': APPLY });
  };
  const named = (word: string) => client().name(word);
  const spec = (more: object = {}) => ({ workloads: WORKLOADS, ...more });

  describe('server-side apply', () => {
    it('makes what is not there, once', async () => {
      const name = named('made');
      const first = await apply(name, { spec: spec() });
      expect([first.code, first.body.spec]).toEqual([201, { workloads: WORKLOADS }]);
      expect(first.body.metadata.managedFields).toMatchObject([{ manager: 'one', operation: 'Apply' }]);
      const again = await apply(name, { spec: spec() });
      expect([again.code, again.body.metadata.resourceVersion]).toEqual([200, first.body.metadata.resourceVersion]);
    });

    it('reports which fields it owns', async () => {
      const { body } = await apply(named('fields'), {
        metadata: { labels: { a: '1' } },
        spec: spec({ ttlSecondsAfterFinished: 5 }),
      });
      expect(body.metadata.managedFields).toMatchObject([
        {
          fieldsType: 'FieldsV1',
          fieldsV1: {
            'f:metadata': { 'f:labels': { 'f:a': {} } },
            'f:spec': { 'f:ttlSecondsAfterFinished': {}, 'f:workloads': {} },
          },
        },
      ]);
    });

    it('changes what it names, leaves the rest, and counts a generation for spec only', async () => {
      const { name } = (await client().rebalancer('rest', { labels: { theirs: 'x' } })).object.metadata;
      const { code, body } = await apply(name, {
        metadata: { labels: { ours: 'y' } },
        spec: { ttlSecondsAfterFinished: 5 },
      });
      expect(code).toBe(200);
      expect(body.metadata).toMatchObject({ generation: 2, labels: { theirs: 'x', ours: 'y' } });
      expect(body.spec).toEqual({ workloads: WORKLOADS, ttlSecondsAfterFinished: 5 });
      const labelled = await apply(name, { metadata: { labels: { ours: 'z' } }, spec: { ttlSecondsAfterFinished: 5 } });
      expect(labelled.body.metadata.generation).toBe(2);
    });

    it('takes away what it applied before and names no more', async () => {
      const name = named('dropped');
      await apply(name, { metadata: { labels: { a: '1', b: '2' } }, spec: spec({ ttlSecondsAfterFinished: 5 }) });
      const { body } = await apply(name, { metadata: { labels: { b: '2' } }, spec: spec() });
      expect([body.metadata.labels, body.spec]).toEqual([{ b: '2' }, { workloads: WORKLOADS }]);
      expect((await apply(name, { spec: spec() })).body.metadata.labels).toBeUndefined();
    });

    it('keeps a field that it no longer names if another manager owns it too', async () => {
      const name = named('shared');
      await apply(name, { metadata: { labels: { a: '1' } }, spec: spec({ ttlSecondsAfterFinished: 5 }) });
      await apply(name, { by: 'two', metadata: { labels: { a: '1' } }, spec: { ttlSecondsAfterFinished: 5 } });
      const { body } = await apply(name, { spec: spec() });
      expect([body.metadata.labels, body.spec.ttlSecondsAfterFinished]).toEqual([{ a: '1' }, 5]);
      const last = await apply(name, { by: 'two', spec: {} });
      expect([last.body.metadata.labels, last.body.spec.ttlSecondsAfterFinished]).toEqual([undefined, undefined]);
    });

    it('is rejected if another manager has applied another value, and names the manager', async () => {
      const name = named('rejected');
      await apply(name, { by: 'two', spec: spec({ ttlSecondsAfterFinished: 5 }) });
      const { code, body } = await apply(name, { spec: { ttlSecondsAfterFinished: 6 } });
      expect(code).toBe(409);
      expect(body).toMatchObject({
        reason: 'Conflict',
        message: 'Apply failed with 1 conflict: conflict with "two": .spec.ttlSecondsAfterFinished',
        details: {
          causes: [
            { reason: 'FieldManagerConflict', message: 'conflict with "two"', field: '.spec.ttlSecondsAfterFinished' },
          ],
        },
      });
      expect((await apply(name, { spec: { ttlSecondsAfterFinished: 5 } })).code).toBe(200);
    });

    it('is rejected if another manager has written another value without apply', async () => {
      const { path, object } = await client().rebalancer('updated');
      await client().merge(`${path}?fieldManager=editor`, {
        spec: { ttlSecondsAfterFinished: 5 },
        metadata: { labels: { a: '1' } },
      });
      const { body } = await apply(object.metadata.name, {
        metadata: { labels: { a: '2' } },
        spec: { ttlSecondsAfterFinished: 6 },
      });
      const when = / at [-0-9T:]+Z/g;
      expect(body.message?.replaceAll(when, '')).toBe(
        'Apply failed with 2 conflicts: conflicts with "editor" using apps.karmada.io/v1alpha1:\n- .metadata.labels.a\n- .spec.ttlSecondsAfterFinished',
      );
    });

    it('with force takes the field from its previous manager', async () => {
      const { path, object } = await client().rebalancer('forced');
      const { name } = object.metadata;
      await client().merge(`${path}?fieldManager=editor`, { spec: { ttlSecondsAfterFinished: 5 } });
      await apply(name, { by: 'two', spec: { ttlSecondsAfterFinished: 5 } });
      const { code, body } = await apply(name, { force: true, spec: { ttlSecondsAfterFinished: 6 } });
      expect([code, body.spec.ttlSecondsAfterFinished]).toEqual([200, 6]);
      const managers = body.metadata.managedFields.map(({ manager, operation }) => `${manager} ${operation}`);
      expect(managers).toContain('one Apply');
      expect(managers).not.toContain('two Apply');
      expect(managers).not.toContain('editor Update');
    });

    it('covers a field that another manager has written since', async () => {
      const name = named('since');
      await apply(name, { spec: spec({ ttlSecondsAfterFinished: 5 }) });
      await client().merge(`${REBALANCERS}/${name}?fieldManager=editor`, { spec: { ttlSecondsAfterFinished: 7 } });
      const { body } = await apply(name, { spec: spec() });
      expect(body.spec.ttlSecondsAfterFinished).toBe(7);
    });

    it('can be repeated after another manager removed what it applied', async () => {
      const name = named('taken-out');
      await apply(name, { spec: spec({ ttlSecondsAfterFinished: 5 }) });
      await client().merge(`${REBALANCERS}/${name}?fieldManager=editor`, { spec: { ttlSecondsAfterFinished: null } });
      const { code, body } = await apply(name, { spec: spec({ ttlSecondsAfterFinished: 5 }) });
      expect([code, body.spec.ttlSecondsAfterFinished]).toEqual([200, 5]);
    });

    it('adds its finalizer beside those of others, and takes its own away', async () => {
      const { path, object } = await client().rebalancer('finalizers', { finalizers: ['example.com/theirs'] });
      const { name } = object.metadata;
      const { body } = await apply(name, { metadata: { finalizers: ['example.com/ours'] } });
      expect([...(body.metadata.finalizers ?? [])].sort()).toEqual(['example.com/ours', 'example.com/theirs']);
      expect((await apply(name, { metadata: {} })).body.metadata.finalizers).toEqual(['example.com/theirs']);
      await client().merge(path, { metadata: { finalizers: null } });
    });

    it('is for one version of the object where it names that', async () => {
      const name = named('version');
      const { metadata } = (await apply(name, { spec: spec() })).body;
      const { resourceVersion } = metadata;
      const edited = await apply(name, { metadata: { resourceVersion }, spec: spec({ ttlSecondsAfterFinished: 5 }) });
      expect(edited.code).toBe(200);
      for (const more of [{ ttlSecondsAfterFinished: 6 }, { ttlSecondsAfterFinished: 5 }]) {
        const { code, body } = await apply(name, { force: true, metadata: { resourceVersion }, spec: spec(more) });
        expect([code, body.reason]).toEqual([409, 'Conflict']);
      }
    });

    it('is for one object where it names its uid', async () => {
      const name = named('uid');
      const { uid } = (await apply(name, { spec: spec() })).body.metadata;
      expect((await apply(name, { metadata: { uid }, spec: spec() })).code).toBe(200);
      const { code, body } = await apply(name, { metadata: { uid: 'another' }, spec: spec() });
      // A real hub reports it twice.
      const [cause] = body.details?.causes as readonly { readonly field: string }[];
      expect([code, cause?.field]).toEqual([422, 'metadata.uid']);
    });

    it('makes nothing where it is for one object that is not there, but whatever version it names', async () => {
      const byUid = await apply(named('gone'), { metadata: { uid: 'gone' }, spec: spec() });
      expect([byUid.code, byUid.body.reason]).toEqual([409, 'Conflict']);
      expect((await apply(named('gone'), { metadata: { resourceVersion: '1' }, spec: spec() })).code).toBe(201);
    });

    it('leaves status alone, which its own path applies', async () => {
      const name = named('status');
      await apply(name, { spec: spec() });
      const body = JSON.stringify({
        ...rebalancer({ name, labels: { a: '1' } }),
        status: { observedGeneration: 3, observedWorkloads: [] },
      });
      const at = (path: string) =>
        client().send('PATCH', `${REBALANCERS}/${path}&fieldManager=reporter`, body, { 'content-type': APPLY });
      const whole = await at(`${name}?force=true`);
      expect([whole.body.status, whole.body.metadata.labels]).toEqual([undefined, { a: '1' }]);
      const status = await at(`${name}/status?force=true`);
      expect(status.body).toMatchObject({
        metadata: { generation: 1 },
        status: { observedGeneration: 3, observedWorkloads: [] },
      });
      expect(entry(status.body, 'reporter', 'status')).toMatchObject({ operation: 'Apply', subresource: 'status' });
    });

    it('stores nothing in a dry run', async () => {
      const name = named('dry');
      expect((await apply(name, { query: '&dryRun=All', spec: spec() })).code).toBe(201);
      expect((await client().get(`${REBALANCERS}/${name}`)).code).toBe(404);
    });

    it('checks the result', async () => {
      const { code, body } = await apply(named('checked'), { spec: { workloads: [] } });
      expect([code, body.reason]).toEqual([422, 'Invalid']);
    });

    it('needs to know who applies; and nothing else can be forced', async () => {
      const { path, object } = await client().rebalancer('options');
      const bare = await client().send('PATCH', path, JSON.stringify(rebalancer({ name: object.metadata.name })), {
        'content-type': APPLY,
      });
      expect([bare.code, bare.body.message]).toEqual([
        422,
        'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
      ]);
      const forced = await client().merge(`${path}?force=true`, {});
      expect([forced.code, forced.body.message]).toEqual([
        422,
        'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
      ]);
    });

    it.each([
      ['of another kind', { kind: 'Job' }, 400],
      ['of another version', { apiVersion: 'apps.karmada.io/v9' }, 400],
      ['of no kind', { kind: undefined }, 400],
      ['of another name', { metadata: { name: 'another' } }, 400],
      ['with managedFields', { metadata: { managedFields: [] } }, 400],
    ])('rejects a body %s', async (_, part, code) => {
      const name = named('odd');
      const body = JSON.stringify({ ...rebalancer({ name }), ...part });
      const path = `${REBALANCERS}/${name}?fieldManager=one`;
      expect((await client().send('PATCH', path, body, { 'content-type': APPLY })).code).toBe(code);
    });

    it('reads YAML', async () => {
      const name = named('yaml');
      const yaml = `apiVersion: apps.karmada.io/v1alpha1\nkind: WorkloadRebalancer\nmetadata: {name: ${name}}\nspec:\n  workloads: [{apiVersion: v1, kind: Thing, name: one}]\n`;
      const path = `${REBALANCERS}/${name}?fieldManager=one`;
      const { code, body } = await client().send('PATCH', path, yaml, { 'content-type': APPLY });
      expect([code, body.spec]).toEqual([201, { workloads: [{ apiVersion: 'v1', kind: 'Thing', name: 'one' }] }]);
    });
  });
}

function entry({ metadata }: Body, manager: string, subresource: string): object | undefined {
  return metadata.managedFields.find((one) => one.manager === manager && one.subresource === subresource);
}
