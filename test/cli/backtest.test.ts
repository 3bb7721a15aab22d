/** `evenkeel record` on a practice hub over HTTP, and `evenkeel backtest` on recordings. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { BacktestResult } from '../../local/backtest/backtest.ts';
import { failingHub, writeRecording } from '../fakes/recorded-hub.ts';
import { evenkeel, type Ran } from './plan-scene.ts';
import { startRebalanceScene } from './rebalance-scene.ts';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-backtest-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, ...specs: readonly object[]): string {
  const path = join(folder, name);
  const header = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'RebalancePolicy' };
  const objects = specs.map((spec, i) => ({ ...header, metadata: { name: i === 0 ? 'home' : `home-${i}` }, spec }));
  writeFileSync(path, objects.map((object) => JSON.stringify(object)).join('\n'));
  return path;
}

const recovered = { triggers: { clusterRecovered: {} } };
const policy = file('home.json', recovered);
const hub = failingHub({ clusters: 3, workloads: 2, days: 2, seed: 3 });
const recording = join(folder, 'recording');
writeRecording(hub.objects, hub.changes, { folder: recording });
const backtest = (...args: readonly string[]): Promise<Ran> => evenkeel('backtest', '--from', recording, ...args);

describe('evenkeel record', () => {
  it('records until Ctrl-C, and evenkeel backtest plays a policy over the recording', async () => {
    const scene = await startRebalanceScene(['web']);
    const into = join(folder, 'hub');
    // Left by a recorder that was killed.
    mkdirSync(into);
    writeFileSync(join(into, 'lock'), `${spawnSync(process.execPath, ['--version']).pid}\n`);
    const before = process.listeners('SIGINT');
    const ended = evenkeel('record', '--kubeconfig', scene.kubeconfig, into);
    const day = new Date().toISOString().slice(0, 10);
    const isRecorded = () => existsSync(join(into, `${day}.jsonl`)) && process.listenerCount('SIGINT') > before.length;
    while (!isRecorded()) await new Promise((resolve) => setImmediate(resolve));
    const interrupt = process.listeners('SIGINT').find((listener) => !before.includes(listener));
    interrupt?.('SIGINT');
    const { code, out, errors } = await ended;
    await scene.close();
    expect([code, errors]).toEqual([0, [`recording to ${into}; Ctrl-C ends it`]]);
    expect(out).toBe(
      `The recording is in ${into}; evenkeel backtest -f policy.yaml --from ${into} plays a policy over it.\n`,
    );
    expect(readdirSync(into)).toEqual([`${day}.jsonl`]);
    expect(readFileSync(join(into, `${day}.jsonl`), 'utf8')).toMatch(/"event":"Stopped"\}\n$/);
    const played = await evenkeel('backtest', '-f', policy, '--from', into);
    expect([played.code, played.errors]).toEqual([0, []]);
    expect(played.out).toContain('The policy started no run.');
  });

  it('rejects a folder that another process records to, and leaves its files alone', async () => {
    const scene = await startRebalanceScene(['web']);
    const into = join(folder, 'taken');
    mkdirSync(into);
    writeFileSync(join(into, 'lock'), `${process.ppid}\n`);
    const ran = await evenkeel('record', '--kubeconfig', scene.kubeconfig, into);
    await scene.close();
    const message = `${into} cannot be recorded to: process ${process.ppid} is using it; end that one, or name another folder`;
    expect(ran).toEqual({ code: 2, out: '', errors: [message] });
    expect(readdirSync(into)).toEqual(['lock']);
    expect(readFileSync(join(into, 'lock'), 'utf8')).toBe(`${process.ppid}\n`);
  });
});

describe('evenkeel backtest', () => {
  it('prints runs, moves and unready minutes with the policy and without it', async () => {
    const { code, out } = await backtest('-f', policy);
    expect(code).toBe(0);
    expect(out).toContain('replicas moved by the policy                        4        0');
    // The example of its page.
    expect(readFileSync('docs/guides/backtest.md', 'utf8')).toContain(`\`\`\`text\n${out}\`\`\`\n`);
  });

  it('prints the same as JSON and as YAML', async () => {
    const [json, yaml] = [await backtest('-f', policy, '-o', 'json'), await backtest('-f', policy, '-o', 'yaml')];
    const result = JSON.parse(json.out) as BacktestResult;
    expect(parse(yaml.out)).toEqual(result);
    expect([result.policy, result.days, result.runs.length]).toEqual(['home', 2, 2]);
  });

  it('takes twice as long for replicas that start twice as long', async () => {
    const played = await backtest('-f', policy, '--ready-after', '2m', '-o', 'json');
    const { withoutPolicy } = JSON.parse(played.out) as BacktestResult;
    expect(withoutPolicy.unreadyMinutes).toBe(2 * withoutPolicy.byScheduler);
  });

  it('chooses one of several policies by its name', async () => {
    const several = file('several.json', recovered, { triggers: { schedule: { cron: '0 3 * * *' } } });
    const chosen = await backtest('-f', several, '--policy', 'home-1', '-o', 'json');
    expect((JSON.parse(chosen.out) as BacktestResult).policy).toBe('home-1');
    const { code, errors } = await backtest('-f', several);
    expect([code, errors]).toEqual([
      2,
      [`-f ${several}: it has 2 RebalancePolicies; choose one with --policy: home, home-1`],
    ]);
    const unknown = await backtest('-f', several, '--policy', 'x');
    expect(unknown.errors).toEqual([`--policy x: ${several} has no RebalancePolicy of that name; it has home, home-1`]);
  });

  it('reports a policy that is not valid in the words of evenkeel plan', async () => {
    const wrong = file('wrong.json', { triggers: { schedule: { cron: 'daily' } } });
    const { code, errors } = await backtest('-f', wrong);
    const planned = await evenkeel('plan', '-f', wrong, '--policy', 'home');
    expect([code, errors]).toEqual([2, planned.errors]);
    expect(errors[0]).toContain('spec.triggers.schedule.cron');
  });

  it.each([
    ['--days', '0', '--days 0: Invalid value: must be a number greater than 0, for example 30'],
    ['--ready-after', 'soon', '--ready-after "soon" is not a time; write seconds (300), or one like 90s, 5m or 1h30m'],
  ])('rejects %s %s', async (option, value, message) => {
    expect(await backtest('-f', policy, option, value)).toEqual({ code: 2, out: '', errors: [message] });
  });
});
