/** What the hub API promises of ElasticWorkload: a CRD in two groups, with defaults, rules in CEL, a status and a scale. */
import { afterAll, describe, expect, it } from 'vitest';
import { ELASTIC_GROUPS, elasticOf, plain, rejected, taken } from '../../shared/elastic-workload/elastic-cases.ts';
import { causesOf, columnsOf, type Table } from './answers.ts';
import { type Body, type HubClient, TABLE } from './client.ts';

const collection = (group: string) => `/apis/${group}/v1/namespaces/default/elasticworkloads`;
const WORKLOADS = collection(ELASTIC_GROUPS[0]);

export function elasticWorkloadContract(client: () => HubClient): void {
  /** As a dry run, which is validated and defaulted like any other write. */
  const tryOut = (spec: object, name = client().name('elastic'), group: string = ELASTIC_GROUPS[0]) =>
    client().send('POST', `${collection(group)}?fieldValidation=Strict&dryRun=All`, elasticOf(name, spec, group));

  const made: string[] = [];

  async function create(): Promise<{ path: string; object: Body }> {
    const name = client().name('elastic');
    const { code, body } = await client().send('POST', WORKLOADS, elasticOf(name, plain));
    expect(code).toBe(201);
    const path = `${WORKLOADS}/${name}`;
    made.push(path);
    return { path, object: body };
  }

  describe('an ElasticWorkload', () => {
    afterAll(async () => {
      for (const path of made) await client().send('DELETE', path);
    });

    it.each(taken)('is accepted with $description, in both groups', async ({ spec, stored }) => {
      for (const group of ELASTIC_GROUPS) {
        const { code, body } = await tryOut(spec, undefined, group);
        expect([code, body.spec]).toEqual([201, stored]);
      }
    });

    it.each(rejected)('is rejected with $description, each field named', async ({ spec, causes }) => {
      const { code, body } = await tryOut(spec);
      expect([code, causesOf(body)]).toEqual([422, causes]);
    });

    it.each(['x'.repeat(64), 'web.shop'])('is rejected with the name %s', async (name) => {
      const { code, body } = await tryOut(plain, name);
      expect([code, causesOf(body)]).toEqual([
        422,
        [
          `metadata.name: Invalid value: metadata.name is ${name}; use at most 63 lower case alphanumeric characters and hyphens, because the names of its ManifestWorks contain it`,
        ],
      ]);
    });

    it('is rejected with an unknown field outside its manifest', async () => {
      const { code, body } = await tryOut({ ...plain, balanceStrategy: { timeout: 3 } });
      expect(code).toBe(400);
      expect(body.message).toContain('strict decoding error: unknown field "spec.balanceStrategy.timeout"');
    });

    const immutable =
      'field is immutable; create another ElasticWorkload for the other object, and delete this one once that one is ready';

    it.each([
      ['namespace on the managed clusters', { spokeNamespace: 'shop' }, 'spec.spokeNamespace'],
      ['name', { target: { inline: { metadata: { name: 'other' } } } }, 'spec.target'],
      ['kind', { target: { inline: { kind: 'StatefulSet' } } }, 'spec.target'],
      ['group', { target: { inline: { apiVersion: 'example.com/v1' } } }, 'spec.target'],
      [
        'name, by import',
        { target: { type: 'Import', inline: null, import: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'b' } } },
        'spec.target',
      ],
    ])('keeps the %s of its target', async (_, spec, field) => {
      const { path } = await create();
      const { code, body } = await client().merge(path, { spec });
      expect(code).toBe(422);
      expect(causesOf(body)).toEqual([expect.stringMatching(new RegExp(`^${field}: Invalid value: .*${immutable}$`))]);
    });

    it.each([
      ['of another version', { target: { inline: { apiVersion: 'apps/v2' } } }],
      [
        'that is imported from now on',
        {
          target: { type: 'Import', inline: null, import: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
        },
      ],
      ['with another template', { target: { inline: { spec: { paused: true } } } }],
    ])('takes the same target %s', async (_, spec) => {
      const { path } = await create();
      expect((await client().merge(path, { spec })).code).toBe(200);
    });

    it('has its total read and written by its scale', async () => {
      const { path, object } = await create();
      const { name } = object.metadata;
      await client().merge(`${path}/status`, { status: { replicas: 7, selector: 'a=b' } });
      const scale = await client().get(`${path}/scale`);
      expect(scale.body).toMatchObject({
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name, namespace: 'default' },
        spec: { replicas: 10 },
        status: { replicas: 7, selector: 'a=b' },
      });
      const { code, body } = await client().merge(`${path}/scale`, { spec: { replicas: 12 } });
      expect([code, body.spec]).toEqual([200, { replicas: 12 }]);
      expect((await client().get(path)).body).toMatchObject({
        metadata: { generation: 2 },
        spec: { distributionStrategy: { totalReplicas: 12, type: 'Even' } },
      });
    });

    it('has a status that only its own path writes, and columns that show it', async () => {
      const { path, object } = await create();
      const balanced = { type: 'Balanced', status: 'False', reason: 'Borrowing', message: 'eu-1 lacks 2' };
      const status = {
        observedGeneration: 1,
        replicas: 10,
        readyReplicas: 8,
        desiredReplicas: 10,
        numberOfClusters: 3,
        clusters: [{ name: 'eu-1', share: 4, replicas: 2, observedReplicas: 2, readyReplicas: 2, reason: 'Capped' }],
        manifestWorks: [{ namespace: 'eu-1', name: `elasticworkload.default.${object.metadata.name}` }],
        conditions: [{ ...balanced, lastTransitionTime: '2026-01-01T00:00:00Z', observedGeneration: 1 }],
      };
      await client().merge(path, { status });
      expect((await client().get(path)).body.status).toBeUndefined();
      const written = await client().merge(`${path}/status`, { status, spec: { spokeNamespace: 'shop' } });
      expect(written.body).toMatchObject({ metadata: { generation: 1 }, spec: { spokeNamespace: 'default' }, status });
      const { columnDefinitions, rows } = (await client().get(path, TABLE)).body as unknown as Table;
      expect(columnsOf(columnDefinitions)).toBe('Name TOTAL READY CLUSTERS BALANCED (PLACEMENT) (TYPE) (MESSAGE) AGE');
      const shown = [object.metadata.name, 10, 8, 3, 'False', 'all', 'Even', 'eu-1 lacks 2'];
      expect(rows[0]?.cells.slice(0, -1)).toEqual(shown);
    });
  });
}
