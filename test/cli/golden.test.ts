/** The exact output of commands in a pipe: test/cli/golden. Update: npx vitest run test/cli/golden -u. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { typed } from './plan-scene.ts';
import { type RebalanceScene, startRebalanceScene } from './rebalance-scene.ts';

let scene: RebalanceScene;
beforeAll(async () => {
  scene = await startRebalanceScene(['web', 'api']);
});
afterAll(() => scene.close());

/** Runs the command on the hub of the scene: its stdout, then its stderr, and its exit code. */
async function printed(...args: readonly string[]): Promise<string> {
  vi.stubEnv('KUBECONFIG', scene.kubeconfig);
  return (await typed(...args))
    .replaceAll(/all \d+ things/g, 'all N things')
    .replaceAll(scene.kubeconfig, 'KUBECONFIG')
    .replaceAll(/127\.0\.0\.1:\d+, in \d+ ms/g, '127.0.0.1:PORT, in N ms');
}

const rebalance = ['rebalance', 'deployment/web', 'deployment/api', '-n', 'shop', '--name', 'bring-back'] as const;

describe('evenkeel prints', () => {
  it.each([
    ['plan', ['plan', '-A']],
    ['plan-wide', ['plan', '-n', 'shop', '-o', 'wide']],
    ['plan-name', ['plan', '-A', '-o', 'name']],
    ['rebalance-dry-run', [...rebalance, '--dry-run']],
    ['rebalance-help', ['rebalance', '--help']],
    ['hub-check', ['hub', 'check']],
    ['hub-check-fails', ['hub', 'check', '--graceful-reduction']],
  ])('%s', async (name, args) => {
    await expect(await printed(...args)).toMatchFileSnapshot(`golden/${name}.txt`);
  });

  it('the result of rebalance --wait, and a plan without moves after it', async () => {
    const own = await startRebalanceScene(['web', 'api']);
    const before = scene;
    scene = own;
    const waited = (await printed(...rebalance, '--wait')).replaceAll(/^(?:[01] of 2 .*\n)+/gm, '…\n');
    await expect(waited).toMatchFileSnapshot('golden/rebalance-wait.txt');
    await expect(await printed('plan', '-A')).toMatchFileSnapshot('golden/plan-after.txt');
    scene = before;
    await own.close();
  });
});
