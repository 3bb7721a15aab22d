/** An invalid WorkloadRebalancer is refused with our message, by policy and by webhook alike; and a hub whose receiver is down works as if we were not there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { ApiResponse } from '../../../../shared/adapters/kubernetes/transport.ts';
import { type Write, workloads, writes } from '../../../shared/model/admission/rebalancer-cases.ts';
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
/** Stood there, as invalid, before our rules came. */
const old = `old-${run}`;

const POLICY = 'evenkeel-workloadrebalancers';

interface Status {
  readonly message?: string;
  readonly reason?: string;
}

beforeAll(async () => {
  hub = await startHub(rig);
  client = await HubClient.of(hub.adminKubeconfig);
  // What stood there before our rules came.
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

/** One that the functions may delete for its ttl, and that stays all the same. */
function kept(name: string, spec: object): object {
  return { ...rebalancer(name, spec), metadata: { name, finalizers: ['example.org/kept'] } };
}

/** As a dry run, which is judged as any other write and leaves nothing behind. */
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

/** An API server hears of its policies and webhooks a moment after they were written. */
function untilRejected(rejected: boolean): Promise<unknown> {
  return until(`an invalid rebalancer is ${rejected ? 'refused' : 'let through'}`, async () => {
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
    const said = (await hub.kubectl.typed(manifests)).trimEnd().split('\n');
    expect(said.filter((line) => !line.endsWith(' unchanged'))).toEqual([]);
    expect(said).toHaveLength(before.length);
    expect(await versions()).toEqual(before);
  });

  it('gives our account its own seats', async () => {
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

  it('tells a person at kubectl apply what to do', async () => {
    const applied = hub.kubectl.typed(JSON.stringify(rebalancer(`apply-${run}`, invalid.spec)));
    await expect(applied).rejects.toThrow('spec.ttlSecondsAfterFinished is -1; write the seconds to keep');
  });

  it('lets the largest list through, and its worst status has room', async () => {
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

  it('stands in the way of no finalizer and no delete of what is invalid', async () => {
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
    const said = await hub.kubectl.typed(await hub.manifests('admission-webhook'));
    expect(said).toBe(`validatingwebhookconfiguration.admissionregistration.k8s.io/${POLICY} unchanged\n`);
  });

  it('answers as well where the API server presents a token, and the path has no key', async () => {
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

  it('lets through what comes with neither, and says so in its log', async () => {
    await withoutWebhook();
    const before = rejections();
    const bare = (await hub.manifests('admission-webhook')).replace(/(\/admission)\/[\w-]+/, '$1');
    await hub.kubectl.typed(bare);
    await until('the hook has refused to review', async () => {
      expect((await attempt(invalid)).status).toBeLessThan(300);
      return rejections() > before ? true : undefined;
    });
  });

  it('with our receiver down, lets every write through', async () => {
    await stopEvenkeel(rig);
    for (const write of [...named.filter(({ rejection }) => rejection === undefined), invalid]) {
      expect((await attempt(write)).status).toBeLessThan(300);
    }
    await withoutWebhook();
    await withPolicy();
  });
});

/** Calls that the local run's hook has refused. */
function rejections(): number {
  return readFileSync(join(hub.hook.folder, 'evenkeel.log'), 'utf8').split('EK101').length - 1;
}

/** As kubectl get takes them. */
function namesIn(manifests: string): readonly string[] {
  const objects = parseAllDocuments(manifests).map((document) => document.toJS() as Named);
  return ['-n', 'evenkeel', ...objects.map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`)];
}

interface Named {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}
