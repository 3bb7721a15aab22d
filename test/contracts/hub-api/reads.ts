/** What the hub API promises of get, list, pages and representations. */
import { describe, expect, it } from 'vitest';
import { type Body, binding, bindingsIn, type HubClient, REBALANCERS, TABLE } from './client.ts';

interface Table {
  readonly kind: string;
  readonly columnDefinitions: readonly { name: string; type: string; priority: number }[];
  readonly rows: readonly { cells: readonly unknown[]; object: { kind: string; metadata: { name: string } } }[];
}

const ALL_BINDINGS = '/apis/work.karmada.io/v1alpha2/resourcebindings';

function names(body: Body): readonly string[] {
  return body.items.map(({ metadata }) => metadata.name);
}

export function readContract(client: () => HubClient): void {
  describe('get', () => {
    it('of what is not there is a Status that names it', async () => {
      const { code, body } = await client().get(`${REBALANCERS}/missing`);
      expect(code).toBe(404);
      expect(body).toMatchObject({
        kind: 'Status',
        reason: 'NotFound',
        message: 'workloadrebalancers.apps.karmada.io "missing" not found',
        details: { name: 'missing', group: 'apps.karmada.io', kind: 'workloadrebalancers' },
      });
    });

    it.each(['/apis/example.com/v1', '/apis/apps.karmada.io/v1alpha1/things', `${ALL_BINDINGS}/web`])(
      'of %s, where nothing is served, is 404',
      async (path) => {
        expect((await client().get(path)).code).toBe(404);
      },
    );

    it('can be of metadata only', async () => {
      const { path, object } = await client().rebalancer('meta');
      const { body } = await client().get(path, 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io');
      expect(body).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { uid: object.metadata.uid } });
      expect(body).not.toHaveProperty('spec');
    });

    it('rejects a request for HTML', async () => {
      const { path } = await client().rebalancer('html');
      expect((await client().get(path, 'text/html')).code).toBe(406);
    });
  });

  describe('list', () => {
    it('is in the order of "namespace/name", where a hyphen comes before the slash', async () => {
      const namespace = client().name('order');
      for (const one of [namespace, `${namespace}-b`]) await client().namespace(one);
      for (const [where, name] of [
        [namespace, 'b'],
        [namespace, 'a'],
        [`${namespace}-b`, 'c'],
      ] as const) {
        const labels = { order: namespace };
        expect((await client().send('POST', bindingsIn(where), binding({ name, labels }))).code).toBe(201);
      }
      const all = await client().get(`${ALL_BINDINGS}?labelSelector=order%3D${namespace}`);
      expect(names(all.body)).toEqual(['c', 'a', 'b']);
      expect(names((await client().get(bindingsIn(namespace))).body)).toEqual(['a', 'b']);
      expect(all.body.kind).toBe('ResourceBindingList');
    });

    it('selects by name and by label', async () => {
      const pick = client().name('pick');
      const { object } = await client().rebalancer('chosen', { labels: { pick } });
      await client().rebalancer('other', { labels: { pick: 'not' } });
      const { name } = object.metadata;
      const byName = await client().get(`${REBALANCERS}?fieldSelector=metadata.name%3D${name}`);
      expect(names(byName.body)).toEqual([name]);
      expect(names((await client().get(`${REBALANCERS}?labelSelector=pick%3D${pick}`)).body)).toEqual([name]);
      expect((await client().get(`${REBALANCERS}?fieldSelector=spec.zip%3D1`)).code).toBe(400);
    });

    it('selects the objects of one name in all namespaces, page by page', async () => {
      const name = client().name('same');
      const namespaces = ['a', 'b', 'c'].map((suffix) => `${name}-${suffix}`);
      for (const namespace of namespaces) {
        await client().namespace(namespace);
        for (const one of [name, `${name}-other`])
          expect((await client().send('POST', bindingsIn(namespace), binding({ name: one }))).code).toBe(201);
      }
      const found: (string | undefined)[] = [];
      for (let token: string | undefined = ''; token !== undefined; ) {
        const next: string = token === '' ? '' : `&continue=${encodeURIComponent(token)}`;
        const selected = `fieldSelector=metadata.name%3D${name}`;
        const { body } = await client().get(`${ALL_BINDINGS}?limit=2&${selected}${next}`);
        found.push(...(body.items ?? []).map(({ metadata }) => metadata.namespace));
        token = body.metadata.continue || undefined;
      }
      expect(found).toEqual(namespaces);
    });

    it('of a namespace that is not there is empty', async () => {
      const { code, body } = await client().get(bindingsIn('nowhere'));
      expect([code, body.items]).toEqual([200, []]);
    });

    it('in pages shows one moment, whatever is written meanwhile', async () => {
      const namespace = client().name('pages');
      await client().namespace(namespace);
      const path = bindingsIn(namespace);
      for (const name of ['a', 'b', 'c', 'd', 'e']) await client().send('POST', path, binding({ name }));
      const first = await client().get(`${path}?limit=2`);
      expect(names(first.body)).toEqual(['a', 'b']);
      expect(first.body.metadata.remainingItemCount).toBe(3);
      await client().send('POST', path, binding({ name: 'bb' }));
      await client().send('DELETE', `${path}/d`);
      const second = await client().get(`${path}?limit=2&continue=${first.body.metadata.continue}`);
      expect(names(second.body)).toEqual(['c', 'd']);
      const third = await client().get(`${path}?limit=2&continue=${second.body.metadata.continue}`);
      expect(names(third.body)).toEqual(['e']);
      expect(third.body.metadata.continue ?? '').toBe('');
      const versions = [first, second, third].map(({ body }) => body.metadata.resourceVersion);
      expect(new Set(versions).size).toBe(1);
    });

    it('rejects an invalid continue token', async () => {
      expect((await client().get(`${REBALANCERS}?limit=2&continue=nonsense`)).code).toBe(400);
    });

    it('shows rebalancers as a table of name and age', async () => {
      const { object } = await client().rebalancer('table');
      const { name } = object.metadata;
      const path = `${REBALANCERS}?fieldSelector=metadata.name%3D${name}`;
      const table = (await client().get(path, `${TABLE},application/json`)).body as unknown as Table;
      expect(table.kind).toBe('Table');
      expect(table.columnDefinitions.map((column) => column.name)).toEqual(['Name', 'Age']);
      expect(table.rows).toMatchObject([
        {
          cells: [name, expect.stringMatching(/^\d+s$/)],
          object: { kind: 'PartialObjectMetadata', metadata: { name } },
        },
      ]);
    });

    it("shows bindings with Karmada's columns", async () => {
      const namespace = client().name('columns');
      await client().namespace(namespace);
      await client().send('POST', bindingsIn(namespace), binding({ name: 'web' }));
      const condition = {
        type: 'Scheduled',
        status: 'True',
        reason: 'Success',
        message: '',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      };
      await client().merge(`${bindingsIn(namespace)}/web/status`, { status: { conditions: [condition] } });
      const table = (await client().get(bindingsIn(namespace), TABLE)).body as unknown as Table;
      expect(table.columnDefinitions.map((column) => column.name)).toEqual([
        'Name',
        'SCHEDULED',
        'FULLYAPPLIED',
        'AGE',
      ]);
      expect(table.rows[0]?.cells.slice(0, 3)).toEqual(['web', 'True', null]);
    });
  });

  describe('discovery', () => {
    it('lists what is served', async () => {
      expect((await client().sendBare('GET', '/readyz')).text).toBe('ok');
      expect((await client().get('/version')).body).toMatchObject({ major: '1' });
      const { body } = await client().get('/apis/apps.karmada.io/v1alpha1');
      expect(body).toMatchObject({
        kind: 'APIResourceList',
        resources: [
          { name: 'workloadrebalancers', namespaced: false, kind: 'WorkloadRebalancer' },
          { name: 'workloadrebalancers/status', verbs: ['get', 'patch', 'update'] },
        ],
      });
    });
  });
}
