/** Completion: names of a deployment and of a hub, and the scripts in the shells that are installed. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { namesFor } from '../../../cli/completion/names.ts';
import { shellScript, shells } from '../../../cli/completion/shell-scripts.ts';
import { type HubServer, startHubServer } from '../../../local/practice-hub/hub-server.ts';
import { deployment, user } from '../../fakes/practice-fleet.ts';
import { PolicyWorld } from '../../functions/rebalance-policy/scene.ts';
import { commandOnWorld } from '../operator/command-on-world.ts';
import { binding, cluster, evenkeel as run } from '../plan-scene.ts';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-completion-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The words of the answer, without descriptions. */
function wordsOf(out: string): readonly string[] {
  expect(out.endsWith('\n:4\n') || out === ':4\n').toBe(true);
  return out
    .split('\n')
    .slice(0, -2)
    .map((line) => line.split('\t')[0] ?? '');
}

describe('evenkeel complete with a deployment', () => {
  const evenkeel = commandOnWorld(async () => {
    const world = new PolicyWorld([
      { name: 'member1', capacity: 60, readyDelayMs: 5000 },
      { name: 'member2', capacity: 60, readyDelayMs: 5000 },
    ]);
    world.run('web', 6);
    await world.pass(60);
    world.store.create(
      'rebalancepolicies',
      {
        ...{ apiVersion: 'evenkeel.dev/v1alpha1', kind: 'RebalancePolicy', metadata: { name: 'home' } },
        spec: { suspend: true, triggers: { clusterRecovered: { stableFor: '60s' } } },
      },
      user,
    );
    return world;
  });

  it.each([
    ['get', 'po', ['policies']],
    ['get policies', '', ['home']],
    ['get policy', 'h', ['home']],
    ['get clusters', 'member', ['member1', 'member2']],
    ['get workloads -n shop', '', ['deployment/web']],
    ['get workloads', '', []],
    ['get workloads -A', '', ['deployment/web']],
    ['get runs --policy', '', ['home']],
    ['history workload -n shop', 'deploy/', ['deploy/web']],
    ['history cluster', '', ['member1', 'member2']],
    ['explain -n', '', ['shop']],
    ['resync', '', ['karmada']],
    ['hub set', '', ['karmada']],
    ['diff', '', []],
    ['approve', '', []],
    ['hub add', '', []],
  ])('completes `%s %s`', async (before, typed, expected) => {
    const words = wordsOf(await evenkeel('complete', '--', ...before.split(' '), typed));
    expect(words.filter((word) => !word.startsWith('-'))).toEqual(expected);
  });
});

describe('evenkeel complete with a kubeconfig', () => {
  let hub: HubServer;
  const kubeconfig = join(folder, 'kubeconfig');
  const complete = async (...typed: readonly string[]) => wordsOf((await run('complete', '--', ...typed)).out);

  beforeEach(async () => {
    hub = await startHubServer({ port: 0 });
    writeFileSync(kubeconfig, hub.kubeconfig());
    vi.stubEnv('KUBECONFIG', kubeconfig);
    hub.store.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }, user);
    for (const name of ['member1', 'member2', 'other']) hub.store.create('clusters', cluster(name), user);
    hub.store.create('deployments', deployment('web', { replicas: 3 }), user);
    hub.store.create('resourcebindings', binding('web'), user);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await hub.close();
  });

  it.each([
    ['drain', 'mem', ['member1', 'member2']],
    ['uncordon', 'o', ['other']],
    ['rebalance --all-on', 'm', ['member1', 'member2']],
    ['plan -n shop', '', ['deployment/web']],
    ['plan -A', 'deploy/w', ['deploy/web']],
    ['rebalance -n shop', 'deployment/', ['deployment/web']],
    ['run', '', []],
    ['plan --context', '', ['evenkeel-practice']],
  ])('completes `%s %s`', async (before, typed, expected) => {
    expect(await complete(...before.split(' '), typed)).toEqual(expected);
  });

  it('completes nothing from a kubeconfig that is not there', async () => {
    vi.stubEnv('KUBECONFIG', join(folder, 'missing'));
    expect(await complete('drain', '')).toEqual([]);
  });
});

it('completes no name if the hub does not answer in two seconds', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => silent.once('listening', done));
  const address = silent.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  try {
    const options = { api: `http://127.0.0.1:${port}`, deployment: 'evenkeel' };
    const names = namesFor({ placeholder: 'hub', operands: [], options });
    expect(await names).toEqual([]);
  } finally {
    silent.close();
  }
});

/** A command that prints its arguments to a file, and answers as evenkeel does. */
const answer = `printf '%s\\n' "$@" >'${join(folder, 'asked')}'; printf '%s\\n' 'check\tchecks it: now' 'add' ':4'`;
const asked = () => readFileSync(join(folder, 'asked'), 'utf8').split('\n').slice(0, -1);

describe('the script for bash', () => {
  const bash = (...words: readonly string[]) => {
    const list = words.map((word) => `'${word}'`).join(' ');
    const ask = `COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _evenkeel; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const script = `evenkeel() { ${answer}; }\n${shellScript('bash')}\n${ask}`;
    return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n');
  };

  it('asks evenkeel for the words before the cursor, and offers its words', () => {
    expect(bash('evenkeel', 'hub', '')).toEqual(['check', 'add']);
    expect(asked()).toEqual(['complete', '--', 'hub', '']);
  });

  it('evaluates nothing that is typed', () => {
    bash('evenkeel', `$(touch ${join(folder, 'evaluated')})`, '');
    expect(existsSync(join(folder, 'evaluated'))).toBe(false);
    expect(asked()[2]).toBe(`$(touch ${join(folder, 'evaluated')})`);
  });

  it('is registered with file names for what evenkeel does not complete', () => {
    const out = execFileSync('bash', ['-c', `${shellScript('bash')}\ncomplete -p evenkeel`], { encoding: 'utf8' });
    expect(out).toBe('complete -o default -F _evenkeel evenkeel\n');
  });
});

describe.each(shells)('the script for %s', (shell) => {
  it('asks for the words with `evenkeel complete`, whose errors are not shown', () => {
    expect(shellScript(shell)).toMatch(/evenkeel complete -- .* 2>\/dev\/null/);
  });
});
