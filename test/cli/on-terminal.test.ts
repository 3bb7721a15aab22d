/** Commands in a terminal of a fixed width, with colours and with Ctrl-C. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { binding, cluster } from './plan-scene.ts';
import { type RebalanceScene, startRebalanceScene } from './rebalance-scene.ts';
import { asRead, CTRL_C, onTerminal } from './terminal-session.ts';

const ESCAPE = '\u001B[';

/** Each command is a process of its own, on a machine that may be busy. */
const timeout = 60_000;

describe('evenkeel rebalance --wait in a terminal', { timeout }, () => {
  let scene: RebalanceScene;
  beforeEach(async () => {
    scene = await startRebalanceScene(['web', 'api', 'db']);
    scene.fleet.pauseScheduler();
  });
  afterEach(() => scene.close());
  const wait = (columns?: number) =>
    onTerminal(
      ['rebalance', '--kubeconfig', scene.kubeconfig, '--all-on', 'member2', '--wait', '--name', 'mine'],
      columns === undefined ? {} : { columns },
    );

  it('shows a progress bar that fits the terminal, and the result at the end', async () => {
    const session = wait();
    await session.until('3 triggered');
    expect(asRead(session.seen()).at(-1)).toMatch(/^▒{32} {2}0 of 3 rescheduled, 3 triggered {2}\d+ s$/);
    scene.fleet.resumeScheduler();
    expect(await session.ended).toBe(0);
    const lines = asRead(session.seen()).filter((line) => line !== '');
    expect(lines).toEqual([
      'workloadrebalancer.apps.karmada.io/mine created for 3 workloads',
      expect.stringMatching(/^3 of 3 rescheduled in \d+ s$/),
    ]);
  });

  it('shows no bar in a terminal that is too narrow', async () => {
    const session = wait(44);
    await session.until('3 triggered');
    expect(asRead(session.seen()).at(-1)).toMatch(/^0 of 3 rescheduled, 3 triggered {2}\d+ s$/);
    session.press(CTRL_C);
    await session.ended;
  });

  it('stops at Ctrl-C, prints how to check the rebalance, and leaves it running', async () => {
    const session = wait();
    await session.until('3 triggered');
    session.press(CTRL_C);
    expect(await session.ended).toBe(130);
    expect(asRead(session.seen()).join('')).toContain(
      'evenkeel: stopped waiting, the rebalance continues; check with: evenkeel get task mine, or kubectl get workloadrebalancer mine -o yaml',
    );
    expect(scene.rebalancers().map(({ metadata }) => metadata.name)).toEqual(['mine']);
  });
});

describe('a table in a terminal', { timeout }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-terminal-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'fleet.json');
  const names = ['member1', 'member2', 'member3', 'member4'];
  const long = binding('checkout-service', { now: { member2: 6, member3: 6 } });
  writeFileSync(file, JSON.stringify({ kind: 'List', items: [...names.map((name) => cluster(name)), long] }));

  it('is truncated to 80 columns, but never within a name', async () => {
    const session = onTerminal(['plan', '-f', file]);
    expect(await session.ended).toBe(3);
    const [head = '', row = ''] = asRead(session.seen());
    expect([head.length <= 80, row.length <= 80]).toEqual([true, true]);
    expect(row).toMatch(/^shop +checkout-service-deployment +\d+ .*…$/);
  });

  it('is complete in a wide terminal', async () => {
    const session = onTerminal(['plan', '-f', file], { columns: 200 });
    expect(await session.ended).toBe(3);
    const [, row = ''] = asRead(session.seen());
    expect(row).toMatch(/^shop +checkout-service-deployment +\d+ .*[^…]$/);
    expect(row.length).toBeGreaterThan(80);
  });

  it.each([
    ['with colours', {}, true],
    ['without colours, if NO_COLOR is set', { NO_COLOR: '1' }, false],
    ['without colours, in a dumb terminal', { TERM: 'dumb' }, false],
  ])('is shown %s', async (_, env, coloured) => {
    const session = onTerminal(['plan', '-f', file], { env });
    expect(await session.ended).toBe(3);
    expect(session.seen()).toContain('checkout-service-deployment');
    expect(session.seen().includes(ESCAPE)).toBe(coloured);
  });
});
