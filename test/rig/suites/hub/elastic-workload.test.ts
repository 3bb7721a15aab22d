/** The kind ElasticWorkload on a real API server: setup, scaling and columns. The hub API contract tests valid and invalid specs. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { connectionFromKubeconfig } from '../../../../shared/kubernetes/client/kubeconfig.ts';
import { HubClient } from '../../../contracts/hub-api/client.ts';
import { deployment, ELASTIC_GROUPS, elasticOf, plain } from '../../../shared/elastic-workload/elastic-cases.ts';
import { type Hub, startHub } from '../../parts/hub.ts';
import { rigOfSuite } from '../rig-of-suite.ts';

const EXAMPLES = 'examples/elastic-workload.yaml';
const rig = rigOfSuite();
let hub: Hub;
let client: HubClient;

beforeAll(async () => {
  hub = await startHub(rig);
  const connection = await connectionFromKubeconfig(hub.adminKubeconfig);
  const idle = async () => {};
  client = new HubClient({ connection, forget: idle, stop: idle });
});

describe('the kind ElasticWorkload', () => {
  it('is unchanged if it is applied again, in both groups', async () => {
    const printed = await hub.kubectl.typed(await hub.manifests('elastic-crds'));
    expect(printed).toBe(
      ELASTIC_GROUPS.map(
        (group) => `customresourcedefinition.apiextensions.k8s.io/elasticworkloads.${group} unchanged\n`,
      ).join(''),
    );
  });

  it('is scaled and shown by kubectl, by a short name for each group', async () => {
    const name = client.name('shown');
    await hub.kubectl.apply(ELASTIC_GROUPS.map((group) => elasticOf(name, plain, group)));
    expect(await hub.kubectl.run('scale', 'ew', name, '--replicas', '12')).toBe(
      `elasticworkload.workload.open-cluster-management.io/${name} scaled\n`,
    );
    const rows = async (...what: readonly string[]) =>
      (await hub.kubectl.run('get', ...what)).split('\n').map((line) => line.split(/ {2,}/).slice(0, -1).join(' '));
    expect(await rows('ew', name)).toEqual(['NAME TOTAL READY CLUSTERS BALANCED', `${name} 12`, '']);
    expect(await rows('ews', name, '-o', 'wide')).toEqual([
      'NAME TOTAL READY CLUSTERS BALANCED PLACEMENT TYPE MESSAGE',
      `${name} 10 all Even`,
      '',
    ]);
    const all = await hub.kubectl.run('get', 'evenkeel', '-o', 'name');
    expect(ELASTIC_GROUPS.map((group) => all.includes(`elasticworkload.${group}/${name}`))).toEqual([true, true]);
    for (const short of ['ew', 'ews']) await hub.kubectl.run('delete', short, name);
  });

  it('accepts the examples with strict validation', async () => {
    const examples = parseAllDocuments(readFileSync(EXAMPLES, 'utf8')).map(
      (document) => document.toJS() as { apiVersion: string; kind: string },
    );
    for (const example of examples.filter(({ kind }) => kind === 'ElasticWorkload')) {
      const path = `/apis/${example.apiVersion}/namespaces/default/elasticworkloads`;
      const { code, body } = await client.send('POST', `${path}?fieldValidation=Strict&dryRun=All`, example);
      expect([code, body.message]).toEqual([201, undefined]);
    }
  });

  // With one value for each list of alternatives and for each `…` of the proposal; every field is where the proposal has it.
  it.each([
    { type: 'LimitRange', limitRange: { min: 2, max: 5 } },
    { type: 'Classful', classful: { assured: 1, softLimit: 3, hardLimit: 5 } },
  ])('accepts the example of the proposal: $type', async (balanceStrategy) => {
    const spec = {
      spokeNamespace: 'default',
      target: { type: 'Inline', inline: deployment },
      placementRef: { name: 'all' },
      distributionStrategy: { totalReplicas: 10, type: 'Even' },
      balanceStrategy,
    };
    const object = elasticOf(client.name('seed'), spec, 'scheduling.open-cluster-management.io');
    const path = '/apis/scheduling.open-cluster-management.io/v1/namespaces/default/elasticworkloads';
    const { code, body } = await client.send('POST', `${path}?fieldValidation=Strict&dryRun=All`, object);
    expect([code, body.spec]).toMatchObject([201, spec]);
  });
});
