/** The deployed hook: authentication, accepted bodies, and operation without it. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { startAws } from '../../parts/aws.ts';
import { stopHookGateway } from '../../parts/hook-gateway.ts';
import { ACCOUNT } from '../../parts/hub.ts';
import { patchesOf } from '../audit-log.ts';
import { deploymentIn, until } from '../hub-client.ts';
import { type Deployed, HUB, SETTINGS, startDeployed } from './deployed.ts';

const NAME = `hook-${Date.now()}`;
/** Many times the latency of an event from the hook to the tap. */
const SILENCE_MS = 3000;

let deployed: Deployed;

beforeAll(async () => {
  deployed = await startDeployed();
});

describe('the deployed hook', () => {
  it('rejects a wrong or missing token and the path of an unknown hub, and publishes no event for such requests', async () => {
    const { token } = deployed.hub.hook;
    expect(await post(eventListAbout(`${NAME}-forged`), { bearer: `${token}x` })).toMatchObject({ status: 401 });
    expect(await post(eventListAbout(`${NAME}-forged`), {})).toMatchObject({ status: 401 });
    expect(await post(eventListAbout(`${NAME}-forged`), { bearer: token, hub: 'stranger' })).toMatchObject({
      status: 401,
    });
    await wait(SILENCE_MS);
    expect(await deployed.tap.about(`${NAME}-forged`)).toEqual([]);
  });

  it('accepts the same body with the right token, and publishes a change of the rebalancer', async () => {
    const answer = await post(eventListAbout(`${NAME}-true`), { bearer: deployed.hub.hook.token });
    expect(answer).toMatchObject({ status: 200, body: { events: 1, admitted: 1, ignored: 0, unreadable: 0 } });
    await until('the bus has it', async () =>
      (await deployed.tap.about(`${NAME}-true`)).length > 0 ? true : undefined,
    );
    expect(await deployed.tap.about(`${NAME}-true`)).toMatchObject([
      { 'detail-type': 'WorkloadRebalancerChanged', detail: { hub: HUB, name: `${NAME}-true` } },
    ]);
  });

  it('accepts a body compressed with gzip', async () => {
    const packed = gzipSync(eventListAbout(`${NAME}-packed`));
    const headers = { 'content-type': 'application/gzip' };
    expect(await post(packed, { bearer: deployed.hub.hook.token, headers })).toMatchObject({
      status: 200,
      body: { events: 1 },
    });
    await until('the bus has it', async () =>
      (await deployed.tap.about(`${NAME}-packed`)).length > 0 ? true : undefined,
    );
  });

  it('does not publish changes made by the functions themselves', async () => {
    const body = eventListAbout(`${NAME}-own`, ACCOUNT);
    const answer = await post(body, { bearer: deployed.hub.hook.token });
    expect(answer).toMatchObject({ status: 200, body: { events: 0, own: 1 } });
  });

  it('rejects a body that is no audit EventList, with the reason', async () => {
    const { token } = deployed.hub.hook;
    expect(await post('{', { bearer: token })).toMatchObject({ status: 400, body: { error: 'the body is not JSON' } });
    const old = eventListAbout(NAME).replace('audit.k8s.io/v1', 'audit.k8s.io/v1beta1');
    expect(await post(old, { bearer: token })).toMatchObject({ status: 400 });
  });

  it('is not required: if no request arrives, the scheduled resync alone completes a rebalancer', async () => {
    const { rig, hub, client } = deployed;
    const name = `${NAME}-missed`;
    await client.bindings(name, ['web']);
    await stopHookGateway(rig);
    try {
      const { metadata } = await client.rebalancer(name, [deploymentIn(name, 'web')]);
      // resyncMinutes is 1.
      await client.finished(name);
      expect(await client.triggers(name)).toEqual(new Map([['web-deployment', metadata.creationTimestamp]]));
    } finally {
      await startAws(rig, hub, SETTINGS);
    }
    expect(patchesOf(hub, name)).toEqual(new Map([['web-deployment', 1]]));
    await deployed.queues.areWithoutDeadLetters();
  });
});

/** As an API server reports the creation of a rebalancer. */
function eventListAbout(name: string, username = 'admin'): string {
  const objectRef = { apiGroup: 'apps.karmada.io', apiVersion: 'v1alpha1', resource: 'workloadrebalancers', name };
  const item = {
    level: 'Metadata',
    stage: 'ResponseComplete',
    verb: 'create',
    user: { username },
    objectRef,
    responseStatus: { code: 201 },
  };
  return JSON.stringify({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1', items: [item] });
}

async function post(
  body: string | Buffer,
  {
    bearer,
    hub = HUB,
    headers: more = {},
  }: { readonly bearer?: string; readonly hub?: string; readonly headers?: object },
): Promise<{ readonly status: number | undefined; readonly body: unknown }> {
  const { url, cert } = deployed.hub.hook;
  const headers = { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }), ...more };
  const request = https.request(`${url}/hubs/${hub}/audit`, { method: 'POST', ca: cert, headers, agent: false });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const text = Buffer.concat((await response.toArray()) as Buffer[]).toString('utf8');
  return { status: response.statusCode, body: JSON.parse(text) as unknown };
}
