/** What the hub API promises of creates and patches. */
import { describe, expect, it } from 'vitest';
import { binding, bindingsIn, type HubClient, JSON_PATCH, REBALANCERS, rebalancer } from './client.ts';

export function createContract(client: () => HubClient): void {
  describe('create', () => {
    it('answers 201 with what the server adds', async () => {
      const name = client().name('added');
      const { code, body } = await client().send('POST', `${REBALANCERS}?fieldManager=tester`, rebalancer({ name }));
      expect(code).toBe(201);
      expect(body.metadata).toMatchObject({ name, generation: 1 });
      expect(body.metadata.uid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(body.metadata.resourceVersion).toMatch(/^\d+$/);
      expect(body.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(body.metadata.managedFields).toMatchObject([{ manager: 'tester', operation: 'Update' }]);
    });

    it('takes no status', async () => {
      const name = client().name('status');
      const object = { ...rebalancer({ name }), status: { observedGeneration: 9 } };
      const { body } = await client().send('POST', REBALANCERS, object);
      expect(body.status).toBeUndefined();
    });

    it("fills in the defaults of the schema of Karmada's bindings, wherever their object is written", async () => {
      const object = binding({ name: client().name('defaults') });
      const spec = {
        ...(object.spec as object),
        placement: { replicaScheduling: {} },
        failover: { application: { decisionConditions: {} }, cluster: {} },
        schedulePriority: {},
      };
      const { code, body } = await client().send('POST', bindingsIn('default'), { ...object, spec });
      expect(code).toBe(201);
      expect(body.spec).toMatchObject({
        conflictResolution: 'Abort',
        placement: { replicaScheduling: { replicaSchedulingType: 'Divided' } },
        failover: {
          application: { decisionConditions: { tolerationSeconds: 300 }, purgeMode: 'Gracefully' },
          cluster: { purgeMode: 'Gracefully' },
        },
        schedulePriority: { priority: 0 },
      });
    });

    it('rejects a name that is taken', async () => {
      const { object } = await client().rebalancer('taken');
      const { name } = object.metadata;
      const { code, body } = await client().send('POST', REBALANCERS, rebalancer({ name }));
      expect(code).toBe(409);
      expect(body).toMatchObject({
        kind: 'Status',
        status: 'Failure',
        reason: 'AlreadyExists',
        message: `workloadrebalancers.apps.karmada.io "${name}" already exists`,
        details: { name, group: 'apps.karmada.io', kind: 'workloadrebalancers' },
        code: 409,
      });
    });

    it('makes a name from generateName', async () => {
      const { body } = await client().send('POST', REBALANCERS, rebalancer({ generateName: 'gen-' }));
      expect(body.metadata.name).toMatch(/^gen-[a-z0-9]{5}$/);
    });

    it('rejects a name that is no DNS subdomain', async () => {
      const { code, body } = await client().send('POST', REBALANCERS, rebalancer({ name: 'Upper' }));
      expect(code).toBe(422);
      expect(body).toMatchObject({ reason: 'Invalid', details: { causes: [{ field: 'metadata.name' }] } });
    });

    it('rejects a list without workloads', async () => {
      const name = client().name('none');
      const { code, body } = await client().send('POST', REBALANCERS, rebalancer({ name }, { workloads: [] }));
      expect(code).toBe(422);
      expect(body.message).toBe(
        `WorkloadRebalancer.apps.karmada.io "${name}" is invalid: spec.workloads: Invalid value: 0: spec.workloads in body should have at least 1 items`,
      );
    });

    it('names every field that is missing or of the wrong type', async () => {
      const spec = { workloads: [{ apiVersion: 'v1', kind: 3 }], ttlSecondsAfterFinished: 'x' };
      const { code, body } = await client().send('POST', REBALANCERS, rebalancer({ name: client().name('bad') }, spec));
      expect(code).toBe(422);
      const causes = body.details?.causes as { field: string; reason: string }[];
      // A real API server names them in any order.
      expect(causes.map(({ field, reason }) => `${field} ${reason}`).sort()).toEqual([
        'spec.ttlSecondsAfterFinished FieldValueTypeInvalid',
        'spec.workloads[0].kind FieldValueTypeInvalid',
        'spec.workloads[0].name FieldValueRequired',
      ]);
    });

    it('rejects, warns of or ignores an unknown field, as requested', async () => {
      const name = client().name('unknown');
      const object = rebalancer({ name }, { zip: 1 });
      const strict = await client().send('POST', `${REBALANCERS}?fieldValidation=Strict`, object);
      expect(strict.code).toBe(400);
      expect(strict.body.message).toContain('strict decoding error: unknown field "spec.zip"');
      const warned = await client().sendBare('POST', `${REBALANCERS}?fieldValidation=Warn&dryRun=All`, object);
      expect(warned.headers.warning).toBe('299 - "unknown field \\"spec.zip\\""');
      const ignored = await client().sendBare('POST', `${REBALANCERS}?fieldValidation=Ignore`, object);
      expect(ignored.headers.warning).toBeUndefined();
      expect(ignored.code).toBe(201);
      expect(ignored.body.spec).not.toHaveProperty('zip');
    });

    it('rejects an object in an unknown namespace', async () => {
      const { code, body } = await client().send('POST', bindingsIn('nowhere'), binding({ name: 'web' }));
      expect(code).toBe(404);
      expect(body.message).toBe('namespaces "nowhere" not found');
    });

    it.each([
      ['of another kind', { ...rebalancer({ name: 'x' }), kind: 'Job' }, 422],
      ['of another version', { ...rebalancer({ name: 'x' }), apiVersion: 'apps.karmada.io/v9' }, 400],
      ['of no kind', { metadata: { name: 'x' } }, 400],
      ['without a name', rebalancer({}), 422],
      ['that does not parse', '{nonsense', 400],
      ['that is empty', '', 400],
    ])('rejects a body %s', async (_, object, code) => {
      expect((await client().send('POST', REBALANCERS, object)).code).toBe(code);
    });

    it('reads YAML', async () => {
      const name = client().name('yaml');
      const yaml = `apiVersion: apps.karmada.io/v1alpha1\nkind: WorkloadRebalancer\nmetadata: {name: ${name}}\nspec:\n  workloads: [{apiVersion: v1, kind: Thing, name: one}]\n`;
      const { code, body } = await client().send('POST', REBALANCERS, yaml, { 'content-type': 'application/yaml' });
      expect(code).toBe(201);
      expect(body.spec).toEqual({ workloads: [{ apiVersion: 'v1', kind: 'Thing', name: 'one' }] });
    });

    it('keeps an Event about a cluster-scoped object in default, under one name once', async () => {
      const { object } = await client().rebalancer('with-event');
      const { name, uid } = object.metadata;
      const involvedObject = { apiVersion: 'apps.karmada.io/v1alpha1', kind: 'WorkloadRebalancer', name, uid };
      const eventText = { type: 'Warning', reason: 'Stopped', message: 'stopped in wave 2', count: 1 };
      const at = { firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:00:00Z' };
      const event = { ...eventText, ...at, involvedObject, source: { component: 'evenkeel' } };
      const events = '/api/v1/namespaces/default/events';
      const whole = {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: `${name}.1`, namespace: 'default' },
        ...event,
      };
      const { code, body } = await client().send('POST', events, whole);
      expect(code).toBe(201);
      expect(body).toMatchObject(event);
      const found = await client().get(`${events}?fieldSelector=involvedObject.uid%3D${uid}`);
      expect(found.body.items.map(({ metadata }) => metadata.name)).toEqual([`${name}.1`]);
      expect((await client().send('POST', events, whole)).body.reason).toBe('AlreadyExists');
    });

    it('stores nothing in a dry run', async () => {
      const name = client().name('dry');
      expect((await client().send('POST', `${REBALANCERS}?dryRun=All`, rebalancer({ name }))).code).toBe(201);
      expect((await client().get(`${REBALANCERS}/${name}`)).code).toBe(404);
    });

    it('rejects what is too large to be stored or sent', async () => {
      const workload = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'w'.repeat(50), namespace: 'n'.repeat(50) };
      const large = (count: number) =>
        rebalancer({ name: client().name('large') }, { workloads: Array.from({ length: count }, () => workload) });
      // About 150 bytes each: 2.1 MB is over etcd's 1.5 MiB, and 4.2 MB over the 3 MiB of a request.
      expect((await client().send('POST', REBALANCERS, large(14_000))).code).toBeGreaterThanOrEqual(413);
      expect((await client().send('POST', REBALANCERS, large(28_000))).code).toBe(413);
    });
  });
}

export function patchContract(client: () => HubClient): void {
  describe('patch', () => {
    it('merges, takes out what is null, and counts a generation for spec only', async () => {
      const { path, object } = await client().rebalancer('merge', { labels: { a: '1', b: '2' } });
      const labelled = await client().merge(path, { metadata: { labels: { a: null, c: '3' } } });
      expect(labelled.body.metadata).toMatchObject({ generation: 1, labels: { b: '2', c: '3' } });
      const changed = await client().merge(path, { spec: { ttlSecondsAfterFinished: 5 } });
      expect(changed.body.metadata.generation).toBe(2);
      expect(changed.body.spec).toEqual({ ...object.spec, ttlSecondsAfterFinished: 5 });
      expect(Number(changed.body.metadata.resourceVersion)).toBeGreaterThan(Number(object.metadata.resourceVersion));
    });

    it('leaves the resourceVersion of an object it does not change', async () => {
      const { path, object } = await client().rebalancer('same', { labels: { a: '1' } });
      const { body } = await client().merge(path, { metadata: { labels: { a: '1' } } });
      expect(body.metadata.resourceVersion).toBe(object.metadata.resourceVersion);
    });

    it('is rejected with an outdated resourceVersion, even if it would change nothing', async () => {
      const { path, object } = await client().rebalancer('stale');
      await client().merge(path, { spec: { ttlSecondsAfterFinished: 1 } });
      const { name, resourceVersion } = object.metadata;
      for (const spec of [{ ttlSecondsAfterFinished: 2 }, {}]) {
        const { code, body } = await client().merge(path, { metadata: { resourceVersion }, spec });
        expect(code).toBe(409);
        expect(body).toMatchObject({
          reason: 'Conflict',
          message: `Operation cannot be fulfilled on workloadrebalancers.apps.karmada.io "${name}": the object has been modified; please apply your changes to the latest version and try again`,
        });
      }
    });

    it('goes through with the resourceVersion of now', async () => {
      const { path, object } = await client().rebalancer('current');
      const { resourceVersion } = object.metadata;
      const patch = { metadata: { resourceVersion }, spec: { ttlSecondsAfterFinished: 2 } };
      expect((await client().merge(path, patch)).code).toBe(200);
    });

    it('cannot change uid or name, and passes over creationTimestamp and generation', async () => {
      const { path, object } = await client().rebalancer('fixed');
      expect((await client().merge(path, { metadata: { uid: 'another' } })).code).toBe(422);
      expect((await client().merge(path, { metadata: { name: 'another' } })).code).toBe(400);
      const metadata = { creationTimestamp: '2020-01-01T00:00:00Z', generation: 77 };
      const { body } = await client().merge(path, { metadata });
      expect(body.metadata).toEqual(object.metadata);
    });

    it('checks the result', async () => {
      const { path } = await client().rebalancer('checked');
      expect((await client().merge(path, { spec: { workloads: [] } })).code).toBe(422);
      expect((await client().merge(path, { spec: null })).code).toBe(422);
      expect((await client().merge(path, { kind: 'Job' })).code).toBe(422);
    });

    it('of the object leaves status alone, and of status everything else', async () => {
      const { path } = await client().rebalancer('apart');
      await client().merge(path, { status: { observedGeneration: 8 }, spec: { ttlSecondsAfterFinished: 6 } });
      const patch = {
        status: { observedGeneration: 3 },
        spec: { ttlSecondsAfterFinished: 7 },
        metadata: { labels: { z: 'w' } },
      };
      const { body } = await client().merge(`${path}/status?fieldManager=reporter`, patch);
      expect(body.status).toEqual({ observedGeneration: 3 });
      expect(body.spec.ttlSecondsAfterFinished).toBe(6);
      expect(body.metadata.labels).toBeUndefined();
      expect(body.metadata.generation).toBe(2);
      expect(body.metadata.managedFields).toContainEqual(
        expect.objectContaining({ manager: 'reporter', subresource: 'status' }),
      );
    });

    it('of status checks times', async () => {
      const { path } = await client().rebalancer('times');
      const { code, body } = await client().merge(`${path}/status`, { status: { finishTime: 'noon' } });
      expect(code).toBe(422);
      expect(body.details?.causes).toMatchObject([{ field: 'status.finishTime' }]);
    });

    it('of JSON patch type goes through whole or not at all', async () => {
      const { path } = await client().rebalancer('json');
      const headers = { 'content-type': JSON_PATCH };
      const add = { op: 'add', path: '/spec/ttlSecondsAfterFinished', value: 5 };
      const test = { op: 'test', path: '/metadata/name', value: 'another' };
      expect((await client().send('PATCH', path, [add, test], headers)).code).toBe(422);
      expect((await client().send('PATCH', path, [{ op: 'remove', path: '/spec/absent' }], headers)).code).toBe(422);
      expect((await client().send('PATCH', path, { op: 'add' }, headers)).code).toBe(400);
      expect((await client().get(path)).body.metadata.generation).toBe(1);
      expect((await client().send('PATCH', path, [add], headers)).body.spec.ttlSecondsAfterFinished).toBe(5);
    });

    it('of JSON patch type is rejected if its copies add up to more than 3 MiB', async () => {
      const { path } = await client().rebalancer('copies');
      const headers = { 'content-type': JSON_PATCH };
      const copy = { op: 'copy', from: '/spec/workloads', path: '/spec/workloads/-' };
      const text = 'x'.repeat(2 ** 20);
      const large = { op: 'add', path: '/metadata/annotations', value: { text } };
      const ofText = { op: 'copy', from: '/metadata/annotations', path: '/spec/copy' };
      expect(
        (
          await client().send(
            'PATCH',
            path,
            Array.from({ length: 40 }, () => copy),
            headers,
          )
        ).code,
      ).toBe(422);
      expect((await client().send('PATCH', path, [large, ofText, ofText, ofText, ofText], headers)).code).toBe(422);
      expect((await client().get(path)).body.metadata.generation).toBe(1);
    });

    it.each(['application/strategic-merge-patch+json', 'application/json'])(
      'of type %s is no patch for a CRD',
      async (type) => {
        const { path } = await client().rebalancer('strategic');
        const { code, body } = await client().send('PATCH', path, {}, { 'content-type': type });
        expect(code).toBe(415);
        expect(body).toMatchObject({
          reason: 'UnsupportedMediaType',
          message:
            'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
        });
      },
    );

    it('of an object that is not there is 404', async () => {
      expect((await client().merge(`${REBALANCERS}/missing`, {})).code).toBe(404);
    });

    it('in a dry run answers and stores nothing', async () => {
      const { path, object } = await client().rebalancer('dry');
      const { body } = await client().merge(`${path}?dryRun=All`, { spec: { ttlSecondsAfterFinished: 5 } });
      expect(body.spec.ttlSecondsAfterFinished).toBe(5);
      expect((await client().get(path)).body.spec).toEqual(object.spec);
    });
  });
}
