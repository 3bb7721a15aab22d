/** `evenkeel undo` beside a whole deployment in virtual time: the run is read from its API, and the hub over HTTP. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ConsoleServer, startConsoleServer } from '../../local/console-server.ts';
import { apiHandler } from '../../local/practice-hub/api/server.ts';
import { kubeconfigText } from '../../local/practice-hub/hub-server.ts';
import { PolicyWorld } from '../functions/rebalance-policy/scene.ts';
import { evenkeel, type Ran } from './plan-scene.ts';

const MINUTE = 60;
const folder = mkdtempSync(join(tmpdir(), 'evenkeel-undo-'));
const kubeconfig = join(folder, 'kubeconfig');
let world: PolicyWorld;
let hub: http.Server;
let api: ConsoleServer;
let run: string;

const undo = (...args: readonly string[]): Promise<Ran> =>
  evenkeel('undo', ...args, '--kubeconfig', kubeconfig, '--api', api.url);

/** member1 recovers, and a policy has brought the replicas of two workloads back to it. */
beforeEach(async () => {
  world = new PolicyWorld();
  world.run('cart', 6);
  world.run('web', 12);
  await world.pass(10);
  world.policy('home', { triggers: { clusterRecovered: { stableFor: '1m' } }, strategy: { coolDown: '0s' } });
  await world.pass(10);
  world.fleet.fail('member1');
  await world.pass(MINUTE);
  world.fleet.recover('member1');
  await world.pass(3 * MINUTE);
  expect([world.assigned('cart'), world.assigned('web')]).toEqual([
    { member1: 2, member2: 2, member3: 2 },
    { member1: 4, member2: 4, member3: 4 },
  ]);
  run = (await world.runs('home')).at(-1)?.run ?? '';
  api = await startConsoleServer({ port: 0, answerers: world.answerers, folder });
  hub = http.createServer(
    apiHandler({ store: world.store, now: () => world.clock.now(), users: new Map(), requireToken: false }),
  );
  await new Promise<void>((resolve) => {
    hub.listen(0, '127.0.0.1', resolve);
  });
  writeFileSync(kubeconfig, kubeconfigText(`http://127.0.0.1:${(hub.address() as AddressInfo).port}`, undefined));
});
afterEach(async () => {
  await api.close();
  await new Promise((resolve) => {
    hub.close(resolve);
    hub.closeAllConnections();
  });
});
afterEach(() => rmSync(kubeconfig));

const suspended = () => world.store.get('rebalancepolicies', { namespace: '', name: 'home' })?.spec?.suspend;
const rebalancers = () =>
  world.store.list('workloadrebalancers').filter(({ metadata }) => metadata.name.startsWith('undo-'));

describe('evenkeel undo', () => {
  it('shows the plan first, and changes nothing', async () => {
    const { code, out } = await undo(run);
    expect(code).toBe(3);
    expect(out.split('\n')).toEqual([
      'WORKLOAD              MOVES  ASSIGNMENT',
      'Deployment shop/web       4  member1 4→0, member2 4→6, member3 4→6',
      'Deployment shop/cart      2  member1 2→0, member2 2→3, member3 2→3',
      '',
      '6 replicas would move back in 2 of 2 workloads that the run moved.',
      '',
      `Nothing was changed; evenkeel undo ${run} --yes does it.`,
      '',
    ]);
    expect([suspended(), rebalancers()]).toEqual([false, []]);
  });

  it('moves the replicas back with --yes, and suspends the policy, so that they stay', async () => {
    const { code, out } = await undo(run, '--yes');
    expect(code).toBe(0);
    expect(out).toContain('rebalancepolicy.evenkeel.dev/home is suspended; resume it with: kubectl patch');
    expect(out).toMatch(/workloadrebalancer.apps.karmada.io\/undo-\w{5} created for 2 workloads\n$/);
    await world.passResyncing(15);
    expect([world.assigned('cart'), world.assigned('web')]).toEqual([
      { member2: 3, member3: 3 },
      { member2: 6, member3: 6 },
    ]);
    expect([suspended(), world.deadLetters]).toEqual([true, []]);
    const again = await undo(run);
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('0 replicas would move back in 0 of 2')]);
  });

  it('leaves what was scaled since', async () => {
    world.store.patch(
      'deployments',
      { namespace: 'shop', name: 'web' },
      { type: 'merge', body: { spec: { replicas: 15 } } },
      { username: 'a-user', manager: 'kubectl' },
    );
    await world.pass(10);
    const { out } = await undo(run, '--yes');
    expect(out).toContain('Deployment shop/web stays: it was assigned otherwise since the run\n');
    await world.pass(20);
    expect(world.assigned('cart')).toEqual({ member2: 3, member3: 3 });
  });

  it.each([
    [['2026-11-21T10:00:00Z-none'], /no run/],
    [['--wait'], /--wait goes with --yes/],
  ])('rejects %j', async (args, message) => {
    const { code, errors } = await undo(...(args[0]?.startsWith('--') ? [run, ...args] : args));
    expect([code, errors.join()]).toEqual([2, expect.stringMatching(message)]);
  });
});
