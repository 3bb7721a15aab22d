/** The deployed operator functions, with IAM enforced: queries, commands, redrive of dead-letter messages, and a pause. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { beforeAll, describe, expect, it } from 'vitest';
import { ConnectionSecrets } from '../../../../shared/aws/secrets-manager/connection-secrets.ts';
import { routes } from '../../../../shared/bus/routes.ts';
import type { OutputOf } from '../../../../shared/console-api/operations.ts';
import { ourRequests } from '../audit-log.ts';
import { deploymentIn, REBALANCERS, type Rebalancer, until } from '../hub-client.ts';
import { Caller, commands, queries } from './caller.ts';
import { type Deployed, HUB, SETTINGS, startDeployed } from './deployed.ts';

const NAME = `console-api-${Date.now()}`;
const CLI = join(import.meta.dirname, '..', '..', '..', '..', 'cli', 'evenkeel.ts');
/** Until every function has reloaded the hub's connection. */
const CONNECTION_RELOAD_MS = (SETTINGS.hubConnectionSeconds + 1) * 1000;

let deployed: Deployed;
let reader: Caller;
let writer: Caller;
let secrets: ConnectionSecrets;

beforeAll(async () => {
  deployed = await startDeployed();
  const { emulator } = deployed.aws;
  reader = await Caller.withAccessTo(emulator, `${NAME}-reader`, [queries]);
  writer = await Caller.withAccessTo(emulator, `${NAME}-writer`, [commands]);
  secrets = new ConnectionSecrets(new SecretsManagerClient(emulator.client()));
  await deployed.client.bindings(NAME, ['api', 'web']);
});

function workloads(...names: readonly string[]) {
  return names.map((name) => deploymentIn(NAME, name));
}

/** Changes the hub's connection as a user with access to the secret would. */
async function changeConnection(change: (held: Record<string, unknown>) => object): Promise<void> {
  const { secretName } = deployed.aws.deployment;
  const value = await secrets.read(secretName);
  const next = change(JSON.parse(value?.text ?? '{}') as Record<string, unknown>);
  expect(await secrets.write(secretName, JSON.stringify(next), value?.version)).toBe('done');
  await wait(CONNECTION_RELOAD_MS);
}

describe('a caller with access to queries only', () => {
  it('gets the hubs, every queue and the fleet', async () => {
    // Compared by the schedule of resync, once a minute.
    const reach = expect.objectContaining({ state: 'Reachable', comparedAt: expect.any(String) as string }) as object;
    await expect
      .poll(() => reader.ask('listHubs', {}), { timeout: 100_000 })
      .toEqual({ hubs: [expect.objectContaining({ name: HUB, state: 'Active', reach })] });
    const { queues } = await reader.ask('getHealth', {});
    expect(queues.map(({ name, function: feeds }) => [name, feeds])).toEqual(
      routes.map(({ name, function: feeds }) => [name, feeds]),
    );
    const { workloads: found } = await reader.ask('getFleet', { hub: HUB });
    expect(found.filter(({ namespace }) => namespace === NAME).map(({ name }) => name)).toEqual(['api', 'web']);
  });

  it('is denied every command by IAM, before the function runs', async () => {
    await expect(reader.command('pauseHub', { hub: HUB })).rejects.toThrow(/not authorized.*lambda:InvokeFunction/);
    expect((await reader.ask('listHubs', {})).hubs[0]).not.toHaveProperty('paused');
  });

  it('cannot send a command to the function for queries', async () => {
    await expect(reader.ask('pauseHub', { hub: HUB })).rejects.toThrow(/^404 UnknownOperation: /);
  });

  it('gets the reason for an invalid query', async () => {
    await expect(reader.ask('listTasks', { hub: 'nowhere' })).resolves.toEqual({ tasks: [] });
    await expect(reader.ask('getFleet', { hub: 'nowhere' })).rejects.toThrow(
      /^404 UnknownHub: there is no hub nowhere in this deployment/,
    );
    await expect(reader.ask('listTasks', { hub: 'No Hub' })).rejects.toThrow(/^400 /);
  });

  it('can use the command line, with the credentials of the shell', async () => {
    const { accessKeyId, secretAccessKey } = reader.credentials;
    const own = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, NO_COLOR: '1' };
    const env = { ...process.env, ...deployed.aws.emulator.environment, ...own };
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, 'get', 'hubs'], { env });
    expect(stdout).toMatch(new RegExp(`^${HUB}\\b`, 'm'));
  });
});

describe('a caller with access to commands only', () => {
  it('can create a rebalancer on the hub with our account, which finishes', async () => {
    const made = await writer.command('createRebalancer', { hub: HUB, workloads: workloads('web') });
    const { status } = await deployed.client.finished(made.name);
    expect(status?.observedWorkloads).toEqual([{ workload: deploymentIn(NAME, 'web'), result: 'Successful' }]);
    const { task, workloads: results } = await until('its task is listed', () => taskCalled(made.name));
    expect(task).toMatchObject({ name: made.name, uid: made.uid, state: 'Finished', successful: 1, failed: 0 });
    expect(results.map(({ workload, result }) => [workload.name, result])).toEqual([['web', 'Successful']]);
  });

  it('causes a rebalancing that the trace of the workload shows, with event ids, from the logs of all functions', async () => {
    const at = { hub: HUB, namespace: NAME, name: 'web-deployment' };
    const traced = await until('the logs contain it', async () => {
      const { history } = await reader.ask('traceBinding', at);
      const found = history.find(({ who }) => who.startsWith('WorkloadRebalancerChanged '));
      return found && { found, whole: (await reader.ask('getHealth', {})).unread === undefined };
    });
    expect(traced.found.text).toMatch(/1 triggered/);
    expect(traced.found.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(traced.whole).toBe(true);
  });

  it('is denied every query', async () => {
    await expect(writer.ask('listHubs', {})).rejects.toThrow(/not authorized.*lambda:InvokeFunction/);
  });

  it('can request a resync of the hub', async () => {
    expect(await writer.command('resyncHub', { hub: HUB })).toEqual({ asked: ['ResyncDue', 'DeschedulingDue'] });
  });
});

describe('events that became dead-letter messages', () => {
  it('are listed with their details and reasons, and a redrive after the fix delivers and removes them', async () => {
    let token: unknown;
    await changeConnection(({ token: held, ...rest }) => {
      token = held;
      return rest;
    });
    const name = `${NAME}-redriven`;
    await deployed.client.rebalancer(name, workloads('api'));
    const deadLetters = await until('its event is a dead-letter message', async () => {
      const { deadLetters } = await reader.ask('listDeadLetters', { queue: 'plan-rebalance' });
      const own = deadLetters.filter(({ detail }) => detail?.name === name);
      return own.length > 0 ? own : undefined;
    });
    expect(deadLetters[0]).toMatchObject({
      event: 'WorkloadRebalancerChanged',
      detail: { hub: HUB, name },
      reason: 'InvalidConnection',
      error: expect.stringContaining('it holds no credential') as string,
    });
    expect((await reader.ask('getHealth', {})).queues.find((queue) => queue.name === 'plan-rebalance')).toMatchObject({
      deadLetters: expect.any(Number) as number,
    });
    await changeConnection((held) => ({ ...held, token }));
    const ids = deadLetters.map(({ id }) => id);
    expect(await writer.command('redriveDeadLetters', { queue: 'plan-rebalance', ids })).toEqual({
      redriven: ids.length,
    });
    await deployed.client.finished(name);
    // Scheduled events of the hub that failed meanwhile.
    await writer.command('redriveDeadLetters', {});
    await until('no dead letter is left', async () =>
      (await deployed.queues.deadLetters()).length === 0 ? true : undefined,
    );
    expect((await reader.ask('listDeadLetters', {})).deadLetters).toEqual([]);
  });

  it('that no function can parse become dead-letter messages again after a redrive, once', async () => {
    await deployed.queues.send('resync', { source: 'evenkeel', 'detail-type': 'ResyncDue', detail: { version: 0 } });
    const deadLetter = () =>
      until('it is a dead-letter message', async () =>
        (await reader.ask('listDeadLetters', { queue: 'resync' })).deadLetters.at(0),
      );
    const first = await deadLetter();
    expect(first).toMatchObject({ event: 'ResyncDue', reason: 'UnreadableEvent' });
    expect(await writer.command('redriveDeadLetters', { queue: 'resync' })).toEqual({ redriven: 1 });
    const again = await deadLetter();
    expect(again.id).not.toBe(first.id);
    expect(await deployed.queues.takeDeadLetter('resync')).toMatchObject({ reason: 'UnreadableEvent' });
  });
});

describe('a hub that is paused', () => {
  const paused = `${NAME}-paused`;

  it('is not written to by any function and remains visible to operators, and its events do not become dead-letter messages', async () => {
    const { paused: pause } = await writer.command('pauseHub', { hub: HUB, reason: 'a rollout of the hub' });
    expect(pause.reason).toBe('a rollout of the hub');
    expect(await pauseShown(true)).toEqual(pause);
    await wait(CONNECTION_RELOAD_MS);
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
    await deployed.queues.areWithoutDeadLetters();
    const { workloads: seen } = await reader.ask('getFleet', { hub: HUB });
    expect(seen.some(({ namespace }) => namespace === NAME)).toBe(true);
  });

  it('accepts no command except resume', async () => {
    const wanted = /^409 HubPaused: hub karmada has been paused since .* \(a rollout of the hub\); resume it first$/;
    await expect(writer.command('createRebalancer', { hub: HUB, workloads: workloads('web') })).rejects.toThrow(wanted);
  });

  it('handles the changes made meanwhile after it is resumed', async () => {
    expect(await writer.command('resumeHub', { hub: HUB })).toEqual({ wasPaused: true });
    await pauseShown(false);
    const finished = await until('the rebalancer is finished', () => finishedCalled(paused));
    expect(finished.status?.observedWorkloads.map(({ result }) => result)).toEqual(['Successful', 'Successful']);
    expect(await writer.command('resumeHub', { hub: HUB })).toEqual({ wasPaused: false });
  });
});

/** The pause as listHubs shows it, within a second. */
async function pauseShown(isPaused: boolean): Promise<OutputOf<'listHubs'>['hubs'][number]['paused']> {
  const hub = await until(`the hub is shown as ${isPaused ? 'paused' : 'resumed'}`, async () => {
    const [shown] = (await reader.ask('listHubs', {})).hubs;
    return (shown?.paused !== undefined) === isPaused ? shown : undefined;
  });
  return hub.paused;
}

async function taskCalled(name: string): Promise<OutputOf<'getTask'> | undefined> {
  try {
    return await reader.ask('getTask', { hub: HUB, name });
  } catch (thrown) {
    // The index is eventually consistent.
    if (/^404 NotFound/.test((thrown as Error).message)) return undefined;
    throw thrown;
  }
}

async function finishedCalled(name: string): Promise<Rebalancer | undefined> {
  const object = await deployed.client.get<Rebalancer>(`${REBALANCERS}/${name}`);
  return object.status?.finishTime === undefined ? undefined : object;
}
