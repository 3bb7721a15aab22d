/** The kind RebalancePolicy on a real API server: setup and columns, and the accounts that may write waves of a policy. The hub API contract tests valid and invalid specs. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { task as reviewAdmission } from '../../../../functions/cluster-hook/review-admission.lambda.ts';
import { type HookServer, startHookServer } from '../../../../local/hook-server.ts';
import { LocalHubs } from '../../../../local/local-hubs.ts';
import { REAL_HUB } from '../../../../local/run.ts';
import { parseSettings } from '../../../../shared/core/settings.ts';
import { connectHub } from '../../../../shared/kubernetes/client/connect-hub.ts';
import { connectionFromKubeconfig } from '../../../../shared/kubernetes/client/kubeconfig.ts';
import { resourcePath } from '../../../../shared/kubernetes/resource.ts';
import { rebalancePolicies } from '../../../../shared/rebalance-policy/rebalance-policy.ts';
import { onHttp } from '../../../../shared/runtime/http-task.ts';
import { type Answer, HubClient } from '../../../contracts/hub-api/client.ts';
import { recording } from '../../../fakes/telemetry.ts';
import { invalidLimits } from '../../../shared/move-budget/budget-cases.ts';
import { policyOf } from '../../../shared/rebalance-policy/policy-cases.ts';
import { OTHER_USER, OURS, type WaveWrite, waveWrites } from '../../../shared/rebalance-policy/wave-cases.ts';
import { stopEvenkeel } from '../../parts/evenkeel.ts';
import { type Hub, startHub } from '../../parts/hub.ts';
import { REBALANCERS, until } from '../hub-client.ts';
import { rigOfSuite } from '../rig-of-suite.ts';

const POLICIES = resourcePath(rebalancePolicies);
const EXAMPLES = 'examples/rebalance-policy.yaml';
const dependencies = { settings: parseSettings({}), telemetry: recording([]) };
const rig = rigOfSuite();
let hub: Hub;
let client: HubClient;

beforeAll(async () => {
  hub = await startHub(rig);
  client = await asUser();
});

/** A client of the administrator, or of another user with the same permissions. */
async function asUser(name?: string): Promise<HubClient> {
  const connection = await connectionFromKubeconfig(hub.adminKubeconfig);
  const headers = { 'impersonate-user': name ?? '', 'impersonate-group': 'system:masters' };
  const idle = async () => {};
  return new HubClient({ connection, ...(name !== undefined && { headers }), forget: idle, stop: idle });
}

describe('the kind RebalancePolicy', () => {
  it('is established, and unchanged if it is applied again', async () => {
    const printed = await hub.kubectl.typed(await hub.manifests('crd'));
    const unchanged = ['rebalancepolicies', 'clusterdrains', 'movebudgets'].map(
      (plural) => `customresourcedefinition.apiextensions.k8s.io/${plural}.evenkeel.dev unchanged\n`,
    );
    expect(printed).toBe(unchanged.join(''));
    const { status } = await hub.kubectl.get<{ status: { conditions: { type: string; status: string }[] } }>(
      'crd',
      'rebalancepolicies.evenkeel.dev',
    );
    expect(status.conditions.map(({ type, status: is }) => [type, is])).toEqual([
      ['NamesAccepted', 'True'],
      ['Established', 'True'],
    ]);
  });

  it('is shown with columns by kubectl', async () => {
    const name = client.name('shown');
    const suspended = policyOf(name, { suspend: true, triggers: { capacityFreed: {} } });
    expect((await client.send('POST', POLICIES, suspended)).code).toBe(201);
    const columns = async (...how: readonly string[]) => {
      const [heads = ''] = (await hub.kubectl.run('get', 'rebp', name, ...how)).split('\n');
      return heads.split(/ {2,}/).join(' ');
    };
    expect(await columns()).toBe('NAME STATE LAST-RUN WAVES DONE MOVED SUSPEND NEXT AGE');
    expect(await columns('-o', 'wide')).toBe(
      'NAME STATE LAST-RUN WAVES DONE MOVED SUSPEND DRY-RUN SKIPPED MESSAGE NEXT AGE',
    );
    expect(await hub.kubectl.run('get', 'evenkeel', '-o', 'name')).toContain(`rebalancepolicy.evenkeel.dev/${name}`);
    await client.send('DELETE', `${POLICIES}/${name}`);
  });

  it('accepts the examples with strict validation', async () => {
    const examples = parseAllDocuments(readFileSync(EXAMPLES, 'utf8')).map((document) => document.toJS() as object);
    for (const example of examples) {
      const { code, body } = await client.send('POST', `${POLICIES}?fieldValidation=Strict&dryRun=All`, example);
      expect([code, body.message]).toEqual([201, undefined]);
    }
  });
});

describe('the kind MoveBudget', () => {
  const path = '/apis/evenkeel.dev/v1alpha1/movebudgets?fieldValidation=Strict&dryRun=All';

  it('accepts the example with strict validation', async () => {
    const { code, body } = await client.send(
      'POST',
      path,
      parse(readFileSync('examples/move-budget.yaml', 'utf8')) as object,
    );
    expect([code, body.message]).toEqual([201, undefined]);
  });

  it.each(invalidLimits)('rejects the limit %j as the practice hub does', async (limit, message) => {
    const object = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'MoveBudget', metadata: { name: 'invalid' } };
    const { code, body } = await client.send('POST', path, { ...object, spec: { limits: [limit] } });
    expect([code, body.message]).toEqual([422, expect.stringContaining(message) as string]);
  });
});

const run = Date.now().toString(36);
const waves = waveWrites.map((write, i) => ({ ...write, name: `wave-${run}-${i}` }));
const WAVES = 'evenkeel-rebalance-waves';
const WEBHOOK = 'evenkeel-workloadrebalancers';

function rebalancer(name: string, { spec, ...metadata }: WaveWrite['after']): object {
  return { apiVersion: 'apps.karmada.io/v1alpha1', kind: 'WorkloadRebalancer', metadata: { ...metadata, name }, spec };
}

/** As a dry run, which passes admission as any other write. */
async function attempt({ name, by, before, after }: (typeof waves)[number]): Promise<Answer> {
  const user = await asUser(by);
  if (before === undefined) return user.send('POST', `${REBALANCERS}?dryRun=All`, rebalancer(name, after));
  for (;;) {
    const { body } = await client.get(`${REBALANCERS}/${name}`);
    const { uid, resourceVersion } = body.metadata;
    const whole = rebalancer(name, { ...after, ...{ uid, resourceVersion } });
    const answer = await user.send('PUT', `${REBALANCERS}/${name}?dryRun=All`, whole);
    // Evenkeel, if it runs, may have written the status in between.
    if (answer.code !== 409) return answer;
  }
}

function expectResult({ code, body }: Answer, { rejection }: WaveWrite, how: string): void {
  const { message = '' } = body;
  if (rejection === undefined) expect([code < 300, message]).toEqual([true, '']);
  else expect([code, body.reason, message.slice(message.indexOf(how))]).toEqual([422, 'Invalid', `${how}${rejection}`]);
}

const forbidden = waves.find(({ description }) => description === 'another user creates a wave') ?? waves[0];

function untilRejected(rejectedNow: boolean): Promise<unknown> {
  return until(`a wave of another user is ${rejectedNow ? 'rejected' : 'admitted'}`, async () => {
    const { code } = await attempt(forbidden as (typeof waves)[number]);
    return code >= 400 === rejectedNow ? true : undefined;
  });
}

/** Serves the hook at the URL that the API server calls, with our account, as for a hub that `evenkeel hub add` connected. */
async function startReviews(): Promise<HookServer> {
  // Another file may have left it running.
  await stopEvenkeel(rig);
  const { port, key, cert, token } = hub.hook;
  const hubs = new LocalHubs(REAL_HUB, [token]);
  hubs.opened(connectHub(REAL_HUB, await connectionFromKubeconfig(hub.kubeconfig), dependencies), { account: OURS });
  const context = () => ({
    ...dependencies,
    now: () => Date.now(),
    newId: () => 'id',
    timeLeft: () => Number.POSITIVE_INFINITY,
  });
  const handler = onHttp(reviewAdmission, { hookAccess: () => hubs }, { context });
  return startHookServer([{ path: '/hubs/{hub}/admission/{key}', handler }], port, { key, cert });
}

describe('a wave of a policy', () => {
  beforeAll(async () => {
    await hub.kubectl.typed(await hub.manifests('admission-policy'));
    await untilRejected(true);
    const ours = await asUser(OURS);
    for (const { name, before } of waves) {
      if (before !== undefined) {
        expect((await ours.send('POST', REBALANCERS, rebalancer(name, before))).code).toBe(201);
      }
    }
  });

  it.each(waves)('admission policy: $description', async (write) => {
    expectResult(await attempt(write), write, 'denied request: ');
  });

  it('can be deleted, and its status written, by any user', async () => {
    const { name = '' } =
      waves.find(({ description }) => description === 'another user removes the label of a wave') ?? {};
    const otherUser = await asUser(OTHER_USER);
    const status = { observedWorkloads: [], observedGeneration: 1 };
    expect((await otherUser.merge(`${REBALANCERS}/${name}/status`, { status })).code).toBe(200);
    expect((await otherUser.send('DELETE', `${REBALANCERS}/${name}?dryRun=All`)).code).toBe(200);
  });

  describe('with the webhook instead of the policy', () => {
    beforeAll(async () => {
      await hub.kubectl.run('delete', 'validatingadmissionpolicybinding', WAVES, WEBHOOK, '--ignore-not-found');
      await untilRejected(false);
      const hook = await startReviews();
      await hub.kubectl.typed(await hub.manifests('admission-webhook'));
      await untilRejected(true);
      return async () => {
        await hub.kubectl.run('delete', 'validatingwebhookconfiguration', WEBHOOK, '--ignore-not-found');
        await hook.close();
        await hub.kubectl.typed(await hub.manifests('admission-policy'));
        await untilRejected(true);
        for (const { name } of waves) await client.send('DELETE', `${REBALANCERS}/${name}`);
      };
    });

    it.each(waves)('$description', async (write) => {
      expectResult(await attempt(write), write, 'denied the request: ');
    });
  });
});
