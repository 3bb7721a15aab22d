/** The practice hub's API: the contract that it shares with a real hub, and its own features. */
import http from 'node:http';
import { CustomObjectsApi, KubeConfig } from '@kubernetes/client-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HubServer, type HubServerOptions, startHubServer } from '../../local/practice-hub/hub-server.ts';
import { HubClient, MERGE, REBALANCERS, rebalancer, TABLE } from '../contracts/hub-api/client.ts';
import { hubApiContract } from '../contracts/hub-api.contract.ts';
import { protobufField } from '../fakes/protobuf-field.ts';

hubApiContract('practice hub', async () => {
  let ahead = 0;
  const { url, close } = await startHubServer({ port: 0, now: () => Date.now() + ahead });
  const forget = async () => {
    ahead += 6 * 60_000;
  };
  return { connection: { server: url, hookTokens: [] }, bookmarkedSeconds: 3, forget, stop: close };
});

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const STRATEGIC = 'application/strategic-merge-patch+json';

function deployment(name: string): object {
  const labels = { app: name };
  const template = {
    metadata: { labels },
    spec: { containers: [{ name: 'c', image: 'one:1', ports: [{ containerPort: 80 }] }] },
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { selector: { matchLabels: labels }, template },
  };
}

describe("practice hub's API", () => {
  let now: number;
  let hub: HubServer;
  let client: HubClient;
  const start = async (options: Partial<HubServerOptions> = {}) => {
    hub = await startHubServer({ port: 0, now: () => now, ...options });
    client = new HubClient({
      connection: { server: hub.url, hookTokens: [] },
      forget: async () => {},
      stop: hub.close,
    });
  };
  beforeEach(async () => {
    now = Date.parse('2026-01-01T00:00:00.900Z');
    await start();
  });
  afterEach(async () => {
    await hub.close();
  });

  it('truncates creationTimestamp to seconds', async () => {
    const { object } = await client.rebalancer('second');
    expect(object.metadata.creationTimestamp).toBe('2026-01-01T00:00:00Z');
  });

  it('scales a Deployment by its scale subresource', async () => {
    const created = await client.send('POST', DEPLOYMENTS, deployment('web'));
    expect(created.body.spec.replicas).toBe(1);
    const scaled = await client.merge(`${DEPLOYMENTS}/web/scale`, { spec: { replicas: 5 } });
    expect(scaled.body).toMatchObject({ kind: 'Scale', spec: { replicas: 5 }, status: { selector: 'app=web' } });
    const { body } = await client.get(`${DEPLOYMENTS}/web`);
    expect([body.spec.replicas, body.metadata.generation]).toEqual([5, 2]);
    const { resourceVersion } = created.body.metadata;
    const stale = { metadata: { resourceVersion }, spec: { replicas: 6 } };
    expect((await client.merge(`${DEPLOYMENTS}/web/scale`, stale)).code).toBe(409);
    expect((await client.merge(`${DEPLOYMENTS}/web/scale`, { spec: { replicas: -1 } })).code).toBe(422);
  });

  it('merges containers by name in a strategic merge patch of a built-in kind', async () => {
    await client.send('POST', DEPLOYMENTS, deployment('merge'));
    const containers = [
      { name: 'c', image: 'two:2' },
      { name: 'd', image: 'three:3' },
    ];
    const spec = { '$setElementOrder/containers': [{ name: 'c' }, { name: 'd' }], containers };
    const patch = { spec: { template: { spec } } };
    const { body } = await client.send('PATCH', `${DEPLOYMENTS}/merge`, patch, { 'content-type': STRATEGIC });
    expect(body.spec.template).toMatchObject({
      spec: {
        containers: [
          { name: 'c', image: 'two:2', ports: [{ containerPort: 80 }] },
          { name: 'd', image: 'three:3' },
        ],
      },
    });
    const dropped = { spec: { template: { spec: { containers: [{ name: 'c', $patch: 'delete' }] } } } };
    const after = await client.send('PATCH', `${DEPLOYMENTS}/merge`, dropped, { 'content-type': STRATEGIC });
    expect(after.body.spec.template).toMatchObject({ spec: { containers: [{ name: 'd', image: 'three:3' }] } });
  });

  it('applies containers by name, next to those of other managers', async () => {
    const apply = (by: string, containers: readonly object[]) => {
      const { apiVersion, kind, metadata, spec } = deployment('applied') as Record<string, object>;
      const template = { metadata: { labels: { app: 'applied' } }, spec: { containers } };
      const body = { apiVersion, kind, metadata, spec: { ...spec, template } };
      const headers = { 'content-type': 'application/apply-patch+yaml' };
      return client.send('PATCH', `${DEPLOYMENTS}/applied?fieldManager=${by}`, body, headers);
    };
    await apply('one', [{ name: 'c', image: 'one:1' }]);
    await apply('two', [{ name: 'd', image: 'two:2' }]);
    const { code, body } = await apply('one', [{ name: 'c', image: 'one:2' }]);
    expect([code, body.spec.template]).toMatchObject([
      200,
      {
        spec: {
          containers: [
            { name: 'c', image: 'one:2' },
            { name: 'd', image: 'two:2' },
          ],
        },
      },
    ]);
    const other = await apply('two', [{ name: 'c', image: 'two:2' }]);
    expect([other.code, other.body.message]).toEqual([
      409,
      'Apply failed with 1 conflict: conflict with "one": .spec.template.spec.containers[name="c"].image',
    ]);
  });

  it('has a CustomResourceDefinition of every kind for which a real hub has one, with its scale subresource', async () => {
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const { body } = await client.get(definitions);
    expect(body.items.map(({ metadata }) => metadata.name)).toEqual([
      'addonplacementscores.cluster.open-cluster-management.io',
      'clusterdrains.evenkeel.dev',
      'clusterpropagationpolicies.policy.karmada.io',
      'clusterresourcebindings.work.karmada.io',
      'cronfederatedhpas.autoscaling.karmada.io',
      'elasticworkloads.scheduling.open-cluster-management.io',
      'elasticworkloads.workload.open-cluster-management.io',
      'federatedhpas.autoscaling.karmada.io',
      'managedclusters.cluster.open-cluster-management.io',
      'managedclustersetbindings.cluster.open-cluster-management.io',
      'managedclustersets.cluster.open-cluster-management.io',
      'manifestworks.work.open-cluster-management.io',
      'movebudgets.evenkeel.dev',
      'placementdecisions.cluster.open-cluster-management.io',
      'placements.cluster.open-cluster-management.io',
      'propagationpolicies.policy.karmada.io',
      'rebalancepolicies.evenkeel.dev',
      'resourcebindings.work.karmada.io',
      'workloadrebalancers.apps.karmada.io',
    ]);
    const found = await client.get(`${definitions}/elasticworkloads.scheduling.open-cluster-management.io`);
    expect(found.body.spec).toMatchObject({
      versions: [{ subresources: { scale: { specReplicasPath: '.spec.distributionStrategy.totalReplicas' } } }],
    });
  });

  it('decodes the protobuf of kubectl create namespace, and ignores unknown fields', async () => {
    const body = (metadata: Buffer) => {
      const header = Buffer.concat([protobufField(1, 'v1'), protobufField(2, 'Namespace')]);
      return Buffer.concat([
        Buffer.from('k8s\0'),
        protobufField(1, header),
        protobufField(2, protobufField(1, metadata)),
      ]);
    };
    const post = (metadata: Buffer) =>
      fetch(`${hub.url}/api/v1/namespaces`, {
        method: 'POST',
        headers: { 'content-type': 'application/vnd.kubernetes.protobuf' },
        body: body(metadata),
      });
    const created = await post(Buffer.concat([protobufField(1, 'shop'), protobufField(3, ''), protobufField(8, '')]));
    expect(created.status).toBe(201);
    expect(await created.json()).toMatchObject({ metadata: { name: 'shop' }, status: { phase: 'Active' } });
    expect((await post(Buffer.concat([protobufField(1, 'other'), protobufField(13, 'x')]))).status).toBe(415);
  });

  it('decodes the protobuf of kubectl create secret, whose data is bytes', async () => {
    const entry = Buffer.concat([protobufField(1, 'password'), protobufField(2, 'hush')]);
    const secret = Buffer.concat([protobufField(1, protobufField(1, 'kept')), protobufField(2, entry)]);
    const header = Buffer.concat([protobufField(1, 'v1'), protobufField(2, 'Secret')]);
    const created = await fetch(`${hub.url}/api/v1/namespaces/default/secrets`, {
      method: 'POST',
      headers: { 'content-type': 'application/vnd.kubernetes.protobuf' },
      body: Buffer.concat([Buffer.from('k8s\0'), protobufField(1, header), protobufField(2, secret)]),
    });
    expect(created.status).toBe(201);
    expect(await created.json()).toMatchObject({ type: 'Opaque', data: { password: 'aHVzaA==' } });
  });

  it('deletes the content of a namespace with it, and waits for the last finalizer', async () => {
    await client.namespace('shop');
    const path = '/apis/policy.karmada.io/v1alpha1/namespaces/shop/propagationpolicies';
    const policy = (name: string, finalizers: string[]) => ({
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'PropagationPolicy',
      metadata: { name, finalizers },
      spec: { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }] },
    });
    await client.send('POST', path, policy('free', []));
    await client.send('POST', path, policy('held', ['example.com/hold']));
    const deleted = await client.send('DELETE', '/api/v1/namespaces/shop');
    expect(deleted.body.status).toEqual({ phase: 'Terminating' });
    expect((await client.get(`${path}/free`)).code).toBe(404);
    expect((await client.send('POST', path, policy('late', []))).code).toBe(403);
    await client.merge(`${path}/held`, { metadata: { finalizers: [] } });
    expect((await client.get('/api/v1/namespaces/shop')).code).toBe(404);
  });

  it('answers 410 Expired for an expired continue token', async () => {
    for (const word of ['a', 'b', 'c']) await client.rebalancer(word);
    const first = await client.get(`${REBALANCERS}?limit=1`);
    const next = `${REBALANCERS}?limit=1&continue=${first.body.metadata.continue}`;
    expect((await client.get(next)).code).toBe(200);
    now += 6 * 60_000;
    const late = await client.get(next);
    expect([late.code, late.body.reason]).toEqual([410, 'Expired']);
    const again = await client.get(`${REBALANCERS}?limit=1`);
    for (let list = 0; list < 64; list += 1) await client.get(`${REBALANCERS}?limit=1`);
    const displaced = await client.get(`${REBALANCERS}?limit=1&continue=${again.body.metadata.continue}`);
    expect([displaced.code, displaced.body.reason]).toEqual([410, 'Expired']);
  });

  it('ends a watch at its timeout, with a bookmark if requested', async () => {
    const { resourceVersion } = (await client.get(REBALANCERS)).body.metadata;
    const query = `watch=true&timeoutSeconds=1&allowWatchBookmarks=true&resourceVersion=${resourceVersion}`;
    const { text } = await client.get(`${REBALANCERS}?${query}`);
    expect(JSON.parse(text)).toMatchObject({
      type: 'BOOKMARK',
      object: { kind: 'WorkloadRebalancer', metadata: { resourceVersion } },
    });
  });

  it('rejects streaming lists, like a server without that feature', async () => {
    const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    expect((await client.get(`${REBALANCERS}?${query}`)).code).toBe(422);
  });

  it('rejects a list at a future resource version', async () => {
    const { code, body } = await client.get(`${REBALANCERS}?resourceVersion=999999`);
    expect([code, body.reason]).toEqual([504, 'Timeout']);
  });

  it('answers 405 to unsupported methods', async () => {
    expect((await client.send('DELETE', REBALANCERS)).code).toBe(405);
    expect((await client.send('POST', '/version', {})).code).toBe(405);
    expect((await client.send('GET', '//')).code).toBe(404);
  });

  it('rejects an unknown Host header', async () => {
    const status = await new Promise((resolve) => {
      http.get(`${hub.url}/version`, { headers: { host: 'hub.example.com' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
    });
    expect(status).toBe(403);
  });

  it('rejects a POST without a content type, which a web page can send without a CORS preflight', async () => {
    const post = (origin: string) =>
      fetch(`${hub.url}${REBALANCERS}`, { method: 'POST', headers: { origin }, body: new Blob([JSON.stringify({})]) });
    expect((await post('https://evil.example')).status).toBe(403);
    expect((await post('null')).status).toBe(403);
    expect((await post(new URL(hub.url).origin)).status).not.toBe(403);
  });

  it('requires a token if one is configured, and maps tokens to users', async () => {
    await hub.close();
    await start({ token: 'secret', users: { ours: 'system:serviceaccount:evenkeel:evenkeel' } });
    expect((await client.get(REBALANCERS)).code).toBe(401);
    for (const token of ['secret', 'ours']) {
      const { code } = await client.send('GET', REBALANCERS, undefined, { authorization: `Bearer ${token}` });
      expect(code).toBe(200);
    }
    expect(hub.kubeconfig()).toContain('token: secret');
  });

  it('describes its kinds for kubectl apply and explain', async () => {
    const root = (await client.get('/openapi/v3')).body as unknown as {
      paths: Record<string, { serverRelativeURL: string }>;
    };
    const url = root.paths['apis/apps.karmada.io/v1alpha1']?.serverRelativeURL ?? '';
    const document = (await client.get(url)).body as unknown as {
      paths: Record<string, { patch: { parameters: { name: string }[] } }>;
      components: { schemas: Record<string, { required?: string[]; properties: object }> };
    };
    const item = document.paths[`${REBALANCERS}/{name}`];
    expect(item?.patch.parameters.map(({ name }) => name)).toContain('fieldValidation');
    expect(document.components.schemas['io.karmada.apps.v1alpha1.WorkloadRebalancer']).toMatchObject({
      required: ['spec'],
      properties: {
        spec: { properties: { workloads: { minItems: 1, items: { required: ['apiVersion', 'kind', 'name'] } } } },
      },
      'x-kubernetes-group-version-kind': [
        { group: 'apps.karmada.io', version: 'v1alpha1', kind: 'WorkloadRebalancer' },
      ],
    });
    expect((await client.get('/openapi/v3/apis/apps/v1', 'application/vnd.kubernetes.protobuf')).code).toBe(406);
  });

  it('serves an OpenAPI v2 document without definitions in protobuf, which kubectl asks for to apply a List', async () => {
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    const type = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
    const response = await fetch(`${hub.url}/openapi/v2`, { headers: { accept } });
    const info = Buffer.concat([protobufField(1, 'Evenkeel practice hub'), protobufField(2, 'v1')]);
    const document = Buffer.concat([protobufField(1, '2.0'), protobufField(2, info), protobufField(8, '')]);
    expect({ code: response.status, type: response.headers.get('content-type') }).toEqual({ code: 200, type });
    expect(Buffer.from(await response.arrayBuffer()).toString('hex')).toBe(document.toString('hex'));
  });

  it('finds the events of an object, with the query of kubectl describe', async () => {
    const events = '/api/v1/namespaces/default/events';
    for (const name of ['one', 'two']) {
      const involvedObject = { kind: 'Deployment', name, namespace: 'default' };
      await client.send('POST', events, {
        metadata: { name },
        involvedObject,
        type: 'Normal',
        reason: 'Moved',
        message: 'm',
      });
    }
    const { body } = await client.get(
      `${events}?fieldSelector=involvedObject.name%3Dtwo,involvedObject.kind%3DDeployment`,
      TABLE,
    );
    expect(body).toMatchObject({ rows: [{ cells: ['0s', 'Normal', 'Moved', 'deployment/two', 'm', 'two'] }] });
  });

  it('works with the official client', async () => {
    const config = new KubeConfig();
    config.loadFromString(hub.kubeconfig());
    const api = config.makeApiClient(CustomObjectsApi);
    const coordinates = { group: 'apps.karmada.io', version: 'v1alpha1', plural: 'workloadrebalancers' };
    await api.createClusterCustomObject({ ...coordinates, body: rebalancer({ name: 'official' }) });
    const listed = (await api.listClusterCustomObject(coordinates)) as { items: { metadata: { name: string } }[] };
    expect(listed.items.map(({ metadata }) => metadata.name)).toEqual(['official']);
    const missing = api.getClusterCustomObject({ ...coordinates, name: 'unknown' });
    await expect(missing).rejects.toMatchObject({ code: 404 });
  });

  it('accepts patches whose content type has parameters', async () => {
    const { path } = await client.rebalancer('typed');
    const patch = { metadata: { labels: { a: '1' } } };
    expect((await client.send('PATCH', path, patch, { 'content-type': `${MERGE}; charset=utf-8` })).code).toBe(200);
  });
});
