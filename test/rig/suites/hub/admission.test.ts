/** The admission policy and the webhook reject an invalid WorkloadRebalancer with the same message; if the webhook's receiver is down, the hub admits every write. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { ApiResponse } from '../../../../shared/kubernetes/client/transport.ts';
import { type Write, workloads, writes } from '../../../shared/workload-rebalancer/rebalancer-cases.ts';
import { startEvenkeel, stopEvenkeel } from '../../parts/evenkeel.ts';
import { type Hub, startHub } from '../../parts/hub.ts';
import { HubClient, REBALANCERS, until } from '../hub-client.ts';
import { rigOfSuite } from '../rig-of-suite.ts';

const rig = rigOfSuite();
let hub: Hub;
let client: HubClient;

/** A name of this run, so that a rig which stays up can be used again. */
const run = Date.now().toString(36);

const named = writes.map((write, i) => ({ ...write, name: `admission-${run}-${i}` }));
const updates = named.filter(({ before }) => before !== undefined);

const invalid = {
  ...writes[0],
  description: 'invalid',
  name: `probe-${run}`,
  spec: { workloads: workloads(1), ttlSecondsAfterFinished: -1 },
};
/** An invalid object that was created before the rules. */
const old = `old-${run}`;

const POLICY = 'evenkeel-workloadrebalancers';

interface Status {
  readonly message?: string;
  readonly reason?: string;
}

beforeAll(async () => {
  hub = await startHub(rig);
  client = await HubClient.of(hub.adminKubeconfig);
  // Objects that were created before the rules.
  await withoutPolicy();
  for (const { name, before } of updates) await client.create(REBALANCERS, kept(name, before ?? {}));
  await client.create(REBALANCERS, kept(old, invalid.spec));
});

afterAll(async () => {
  for (const { name } of updates) {
    await client.merge(`${REBALANCERS}/${name}`, { metadata: { finalizers: null } });
    await client.send({ method: 'DELETE', path: `${REBALANCERS}/${name}` });
  }
});

function rebalancer(name: string, spec: object, annotations: object = {}): object {
  return { apiVersion: 'apps.karmada.io/v1alpha1', kind: 'WorkloadRebalancer', metadata: { name, annotations }, spec };
}

/** With a finalizer: it stays if the functions delete it at its TTL. */
function kept(name: string, spec: object): object {
  return { ...rebalancer(name, spec), metadata: { name, finalizers: ['example.org/kept'] } };
}

/** As a dry run, which passes admission as any other write and stores nothing. */
function attempt({ name, spec, annotations = {}, before }: Write & { readonly name: string }): Promise<ApiResponse> {
  if (before === undefined) {
    const body = rebalancer(name, spec, annotations);
    return client.send({ method: 'POST', path: `${REBALANCERS}?dryRun=All`, body });
  }
  return client.send({
    method: 'PATCH',
    path: `${REBALANCERS}/${name}?dryRun=All`,
    body: { metadata: { annotations }, spec },
    contentType: 'application/merge-patch+json',
  });
}

/** An API server applies changed policies and webhooks with a short delay. */
function untilRejected(rejected: boolean): Promise<unknown> {
  return until(`an invalid rebalancer is ${rejected ? 'rejected' : 'admitted'}`, async () => {
    const { status } = await attempt(invalid);
    return status >= 400 === rejected ? true : undefined;
  });
}

async function withoutPolicy(): Promise<void> {
  await hub.kubectl.run('delete', 'validatingadmissionpolicybinding', POLICY, '--ignore-not-found');
  await untilRejected(false);
}

async function withPolicy(): Promise<void> {
  await hub.kubectl.typed(await hub.manifests('admission-policy'));
  await untilRejected(true);
}

async function withoutWebhook(): Promise<void> {
  await hub.kubectl.run('delete', 'validatingwebhookconfiguration', POLICY, '--ignore-not-found');
  await untilRejected(false);
}

function expectResult({ status, body }: ApiResponse, { rejection, rejectedBySchema }: Write, how: string): void {
  const { message = '', reason } = body as Status;
  if (rejection === undefined) expect([status < 300, message]).toEqual([true, '']);
  else if (rejectedBySchema) expect([status, reason]).toEqual([422, 'Invalid']);
  else {
    expect([status, reason, message.slice(message.indexOf(how))]).toEqual([422, 'Invalid', `${how}${rejection}`]);
  }
}

describe('evenkeel hub manifests', () => {
  it('changes nothing when it is applied again', async () => {
    const manifests = await hub.manifests();
    await hub.kubectl.typed(manifests);
    const versions = async () => {
      const { items } = JSON.parse(await hub.kubectl.run('get', '-o', 'json', ...namesIn(manifests))) as {
        items: readonly { metadata: { name: string; resourceVersion: string } }[];
      };
      return items.map(({ metadata }) => metadata.resourceVersion);
    };
    const before = await versions();
    const printed = (await hub.kubectl.typed(manifests)).trimEnd().split('\n');
    expect(printed.filter((line) => !line.endsWith(' unchanged'))).toEqual([]);
    expect(printed).toHaveLength(before.length);
    expect(await versions()).toEqual(before);
  });

  it('gives our account its own priority level', async () => {
    const ours = await HubClient.of(hub.kubeconfig);
    await ours.get(`${REBALANCERS}?limit=1`);
    const metrics = await hub.kubectl.run('get', '--raw', '/metrics');
    expect(metrics).toMatch(
      /^apiserver_flowcontrol_dispatched_requests_total\{flow_schema="evenkeel",priority_level="evenkeel"\} [1-9]/m,
    );
  });
});

describe('the policy', () => {
  beforeAll(withPolicy);

  it.each(named)('$description', async (write) => {
    expectResult(await attempt(write), write, 'denied request: ');
  });

  it('shows the fix in the error of kubectl apply', async () => {
    const applied = hub.kubectl.typed(JSON.stringify(rebalancer(`apply-${run}`, invalid.spec)));
    await expect(applied).rejects.toThrow('spec.ttlSecondsAfterFinished is -1; write the seconds to keep');
  });

  it('admits the largest list, whose largest status can be stored', async () => {
    const name = `largest-${run}`;
    const list = workloads(5923);
    await client.create(REBALANCERS, rebalancer(name, { workloads: list }));
    const observedWorkloads = list.map((workload) => ({
      workload,
      result: 'Failed',
      reason: 'ReferencedBindingNotFound',
    }));
    await client.merge(`${REBALANCERS}/${name}/status`, {
      status: { observedWorkloads, observedGeneration: 1, finishTime: new Date().toISOString() },
    });
    await hub.kubectl.run('delete', 'workloadrebalancer', name);
  });

  it('does not block the removal of finalizers or the deletion of an invalid object', async () => {
    await client.merge(`${REBALANCERS}/${old}`, { metadata: { labels: { seen: 'yes' } } });
    await client.send({ method: 'DELETE', path: `${REBALANCERS}/${old}` });
    await client.merge(`${REBALANCERS}/${old}`, { metadata: { finalizers: null } });
    expect((await client.send({ method: 'GET', path: `${REBALANCERS}/${old}` })).status).toBe(404);
  });
});

describe('the webhook', () => {
  beforeAll(async () => {
    await withoutPolicy();
    await startEvenkeel(rig, hub);
    await hub.kubectl.typed(await hub.manifests('admission-webhook'));
    await untilRejected(true);
  });

  it.each(named)('$description', async (write) => {
    expectResult(await attempt(write), write, 'denied the request: ');
  });

  it('changes nothing when it is applied again', async () => {
    const printed = await hub.kubectl.typed(await hub.manifests('admission-webhook'));
    // One for each feature whose writes are reviewed.
    const names = [POLICY, 'evenkeel-reduction-strategies'];
    const lines = names.map(
      (name) => `validatingwebhookconfiguration.admissionregistration.k8s.io/${name} unchanged\n`,
    );
    expect(printed).toBe(lines.join(''));
  });

  it('also accepts the token of the API server without a key in the path', async () => {
    await withoutWebhook();
    const withKey = await hub.manifests('admission-webhook');
    const withToken = withKey.replace(
      /https:\/\/127\.0\.0\.1(:\d+\/hubs\/[^/]+\/admission)\/[\w-]+/,
      'https://localhost$1',
    );
    expect(withToken).toMatch(/https:\/\/localhost:\d+\/hubs\/karmada\/admission$/m);
    await hub.kubectl.typed(withToken);
    await untilRejected(true);
  });

  it('admits writes if the request has neither token nor key, and logs the rejected request', async () => {
    await withoutWebhook();
    const before = rejections();
    const bare = (await hub.manifests('admission-webhook')).replace(/(\/admission)\/[\w-]+/, '$1');
    await hub.kubectl.typed(bare);
    await until('the hook has rejected the request', async () => {
      expect((await attempt(invalid)).status).toBeLessThan(300);
      return rejections() > before ? true : undefined;
    });
  });

  it('admits every write if the receiver is down', async () => {
    await stopEvenkeel(rig);
    for (const write of [...named.filter(({ rejection }) => rejection === undefined), invalid]) {
      expect((await attempt(write)).status).toBeLessThan(300);
    }
    await withoutWebhook();
    await withPolicy();
  });
});

/** The number of requests that the local run's hook has rejected. */
function rejections(): number {
  return readFileSync(join(hub.hook.folder, 'evenkeel.log'), 'utf8').split('EK101').length - 1;
}

/** The arguments of kubectl get for these objects. */
function namesIn(manifests: string): readonly string[] {
  const objects = parseAllDocuments(manifests).map((document) => document.toJS() as Named);
  return ['-n', 'evenkeel', ...objects.map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`)];
}

interface Named {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}
