/** The deployed functions that people call, with IAM enforced: questions, orders, dead letters once more, and a pause. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { beforeAll, describe, expect, it } from 'vitest';
import { ConnectionSecrets } from '../../../../shared/adapters/secrets-manager/connection-secrets.ts';
import { routes } from '../../../../shared/events/routes.ts';
import type { OutputOf } from '../../../../shared/operator/operations.ts';
import { ourRequests } from '../audit-log.ts';
import { deploymentIn, REBALANCERS, type Rebalancer, until } from '../hub-client.ts';
import { Caller, orders, questions } from './caller.ts';
import { type Deployed, HUB, SETTINGS, startDeployed } from './deployed.ts';

const NAME = `people-${Date.now()}`;
const CLI = join(import.meta.dirname, '..', '..', '..', '..', 'cli', 'evenkeel.ts');
/** Until every function has read the hub's connection anew. */
const READ_ANEW_MS = (SETTINGS.hubConnectionSeconds + 1) * 1000;

let deployed: Deployed;
let asker: Caller;
let orderer: Caller;
let secrets: ConnectionSecrets;

beforeAll(async () => {
  deployed = await startDeployed();
  const { emulator } = deployed.aws;
  asker = await Caller.who(emulator, `${NAME}-asker`, [questions]);
  orderer = await Caller.who(emulator, `${NAME}-orderer`, [orders]);
  secrets = new ConnectionSecrets(new SecretsManagerClient(emulator.client()));
  await deployed.client.bindings(NAME, ['api', 'web']);
});

function workloads(...names: readonly string[]) {
  return names.map((name) => deploymentIn(NAME, name));
}

/** Changes the hub's connection as somebody with the right to the secret would. */
async function changeConnection(change: (held: Record<string, unknown>) => object): Promise<void> {
  const { secretArn } = deployed.aws.deployment;
  const value = await secrets.read(secretArn);
  const next = change(JSON.parse(value?.text ?? '{}') as Record<string, unknown>);
  expect(await secrets.write(secretArn, JSON.stringify(next), value?.version)).toBe('done');
  await wait(READ_ANEW_MS);
}

describe('whoever may only ask', () => {
  it('is told what there is: hubs, every queue, the fleet', async () => {
    // Compared by the schedule of resync, once a minute.
    const reach = { state: 'Reachable', comparedAt: expect.any(String) as string };
    await expect.poll(() => asker.ask('listHubs', {}), { timeout: 100_000 }).toEqual({ hubs: [{ name: HUB, reach }] });
    const { queues } = await asker.ask('getHealth', {});
    expect(queues.map(({ name, function: feeds }) => [name, feeds])).toEqual(
      routes.map(({ name, function: feeds }) => [name, feeds]),
    );
    const { workloads: found } = await asker.ask('getFleet', { hub: HUB });
    expect(found.filter(({ namespace }) => namespace === NAME).map(({ name }) => name)).toEqual(['api', 'web']);
  });

  it('is refused every order by IAM, before our code hears of it', async () => {
    await expect(asker.order('pauseHub', { hub: HUB })).rejects.toThrow(/not authorized.*lambda:InvokeFunction/);
    expect((await asker.ask('listHubs', {})).hubs[0]).not.toHaveProperty('paused');
  });

  it('gets no order carried out by the function for questions', async () => {
    await expect(asker.ask('pauseHub', { hub: HUB })).rejects.toThrow(/^404 UnknownOperation: /);
  });

  it('is told what is wrong with a question, and which hubs there are', async () => {
    await expect(asker.ask('listTasks', { hub: 'nowhere' })).resolves.toEqual({ tasks: [] });
    await expect(asker.ask('getFleet', { hub: 'nowhere' })).rejects.toThrow(/^404 UnknownHub: .*there are: karmada/);
    await expect(asker.ask('listTasks', { hub: 'No Hub' })).rejects.toThrow(/^400 /);
  });

  it('asks by the command line as well, with the credentials of the shell', async () => {
    const { accessKeyId, secretAccessKey } = asker.credentials;
    const own = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, NO_COLOR: '1' };
    const env = { ...process.env, ...deployed.aws.emulator.environment, ...own };
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, 'get', 'hubs'], { env });
    expect(stdout).toMatch(new RegExp(`^${HUB}\\b`, 'm'));
  });
});

describe('whoever may order', () => {
  it('gets a rebalancer created on the hub by our account, and carried out', async () => {
    const made = await orderer.order('createRebalancer', { hub: HUB, workloads: workloads('web') });
    const { status } = await deployed.client.finished(made.name);
    expect(status?.observedWorkloads).toEqual([{ workload: deploymentIn(NAME, 'web'), result: 'Successful' }]);
    const { task, workloads: results } = await until('its task is listed', () => taskCalled(made.name));
    expect(task).toMatchObject({ name: made.name, uid: made.uid, state: 'Finished', successful: 1, failed: 0 });
    expect(results.map(({ workload, result }) => [workload.name, result])).toEqual([['web', 'Successful']]);
  });

  it('is told from the logs of all functions how a workload came to be as it is, with the ids of events', async () => {
    const at = { hub: HUB, namespace: NAME, name: 'web-deployment' };
    const told = await until('the logs tell of it', async () => {
      const { history } = await asker.ask('traceBinding', at);
      const found = history.find(({ who }) => who.startsWith('RebalanceChunkPlanned '));
      return found && { found, whole: (await asker.ask('getHealth', {})).unread === undefined };
    });
    expect(told.found.text).toMatch(/^1 triggered/);
    expect(told.found.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(told.whole).toBe(true);
  });

  it('may not ask by that alone', async () => {
    await expect(orderer.ask('listHubs', {})).rejects.toThrow(/not authorized.*lambda:InvokeFunction/);
  });

  it('has the hub compared now', async () => {
    expect(await orderer.order('resyncHub', { hub: HUB })).toEqual({ asked: ['ResyncDue', 'DeschedulingDue'] });
  });
});

describe('events that were given up', () => {
  it('are shown with what they were about and why, delivered again when the cause is mended, and gone', async () => {
    let token: unknown;
    await changeConnection(({ token: held, ...rest }) => {
      token = held;
      return rest;
    });
    const name = `${NAME}-redriven`;
    await deployed.client.rebalancer(name, workloads('api'));
    const deadLetters = await until('its event is among the dead letters', async () => {
      const { deadLetters } = await asker.ask('listDeadLetters', { queue: 'plan-rebalance' });
      const own = deadLetters.filter(({ detail }) => detail?.name === name);
      return own.length > 0 ? own : undefined;
    });
    expect(deadLetters[0]).toMatchObject({
      event: 'WorkloadRebalancerChanged',
      detail: { hub: HUB, name },
      reason: 'InvalidConnection',
      error: expect.stringContaining('it holds no credential') as string,
    });
    expect((await asker.ask('getHealth', {})).queues.find((queue) => queue.name === 'plan-rebalance')).toMatchObject({
      deadLetters: expect.any(Number) as number,
    });
    await changeConnection((held) => ({ ...held, token }));
    const ids = deadLetters.map(({ id }) => id);
    expect(await orderer.order('redriveDeadLetters', { queue: 'plan-rebalance', ids })).toEqual({
      redriven: ids.length,
    });
    await deployed.client.finished(name);
    // What the clocks said of the hub meanwhile.
    await orderer.order('redriveDeadLetters', {});
    await until('no dead letter is left', async () =>
      (await deployed.queues.deadLetters()).size === 0 ? true : undefined,
    );
    expect((await asker.ask('listDeadLetters', {})).deadLetters).toEqual([]);
  });

  it('that no function can read are dead letters again after a redrive, once', async () => {
    await deployed.queues.send('resync', { source: 'evenkeel', 'detail-type': 'ResyncDue', detail: { version: 99 } });
    const lying = () =>
      until('it is among the dead letters', async () =>
        (await asker.ask('listDeadLetters', { queue: 'resync' })).deadLetters.at(0),
      );
    const first = await lying();
    expect(first).toMatchObject({ event: 'ResyncDue', reason: 'UnreadableEvent' });
    expect(await orderer.order('redriveDeadLetters', { queue: 'resync' })).toEqual({ redriven: 1 });
    const again = await lying();
    expect(again.id).not.toBe(first.id);
    expect(await deployed.queues.takeDeadLetter('resync')).toMatchObject({ reason: 'UnreadableEvent' });
  });
});

describe('a hub that is paused', () => {
  const paused = `${NAME}-paused`;

  it('is written on no more by any function, while people still see it; its events become no dead letters', async () => {
    const { paused: pause } = await orderer.order('pauseHub', { hub: HUB, reason: 'a rollout of the hub' });
    expect(pause.reason).toBe('a rollout of the hub');
    expect(await pauseShown(true)).toEqual(pause);
    await wait(READ_ANEW_MS);
    const before = ourRequests(deployed.hub).length;
    await deployed.client.rebalancer(paused, workloads('api', 'web'));
    const due = (type: string) => ({ source: 'evenkeel', 'detail-type': type, detail: { hub: HUB, version: 1 } });
    await deployed.tap.publish([due('ResyncDue'), due('DeschedulingDue'), due('HubTokenCheckDue')]);
    await until('its event is handled', async () =>
      (await deployed.tap.typesAbout(paused)).length > 0 && (await deployed.queues.depth('plan-rebalance')) === 0
        ? true
        : undefined,
    );
    await wait(3000);
    expect(ourRequests(deployed.hub).slice(before)).toEqual([]);
    expect(await deployed.queues.deadLetters()).toEqual(new Map());
    const { workloads: seen } = await asker.ask('getFleet', { hub: HUB });
    expect(seen.some(({ namespace }) => namespace === NAME)).toBe(true);
  });

  it('takes no order for it but to be resumed', async () => {
    const wanted = /^409 HubPaused: hub karmada has been paused since .* \(a rollout of the hub\); resume it first$/;
    await expect(orderer.order('createRebalancer', { hub: HUB, workloads: workloads('web') })).rejects.toThrow(wanted);
  });

  it('is caught up with when it is resumed', async () => {
    expect(await orderer.order('resumeHub', { hub: HUB })).toEqual({ wasPaused: true });
    await pauseShown(false);
    const finished = await until('the rebalancer is finished', () => finishedCalled(paused));
    expect(finished.status?.observedWorkloads.map(({ result }) => result)).toEqual(['Successful', 'Successful']);
    expect(await orderer.order('resumeHub', { hub: HUB })).toEqual({ wasPaused: false });
  });
});

/** Told within a second. */
async function pauseShown(isPaused: boolean): Promise<OutputOf<'listHubs'>['hubs'][number]['paused']> {
  const hub = await until(`the hub is shown as ${isPaused ? 'paused' : 'resumed'}`, async () => {
    const [shown] = (await asker.ask('listHubs', {})).hubs;
    return (shown?.paused !== undefined) === isPaused ? shown : undefined;
  });
  return hub.paused;
}

async function taskCalled(name: string): Promise<OutputOf<'getTask'> | undefined> {
  try {
    return await asker.ask('getTask', { hub: HUB, name });
  } catch (thrown) {
    // The index is a moment behind.
    if (/^404 NotFound/.test((thrown as Error).message)) return undefined;
    throw thrown;
  }
}

async function finishedCalled(name: string): Promise<Rebalancer | undefined> {
  const object = await deployed.client.get<Rebalancer>(`${REBALANCERS}/${name}`);
  return object.status?.finishTime === undefined ? undefined : object;
}
