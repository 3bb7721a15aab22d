/** The input of `evenkeel plan`, and its errors for invalid input. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os, { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { stringify } from 'yaml';
import { binding, cluster, plan, rebalancer, recovered, reference, web } from './plan-scene.ts';

let folder: string;
const folders: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-input-'));
  folders.push(folder);
});
afterAll(() => folders.forEach((each) => rmSync(each, { recursive: true })));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const json = (...objects: readonly object[]) => objects.map((object) => JSON.stringify(object, undefined, 2));
const yaml = (...objects: readonly object[]) => objects.map((object) => stringify(object)).join('---\n');
const namesIn = (out: string) => (JSON.parse(out) as { bindings: { name: string }[] }).bindings.map(({ name }) => name);

/** The errors on stderr without the path of the folder; asserts exit code 2 and an empty stdout. */
async function rejected(...args: readonly string[]): Promise<string> {
  const { code, out, errors } = await plan(...args);
  expect([code, out]).toEqual([2, '']);
  return errors.join('\n').replaceAll(`${folder}/`, '');
}

/** `os.homedir()` reads the environment of the process, which a test in a worker thread cannot stub. */
function standInForHome(home: string): void {
  const spy = vi.spyOn(os, 'homedir').mockReturnValue(home);
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
}

describe('the input of a plan', () => {
  const whole = { api: binding('api', { now: { member1: 12 } }), web };

  it.each([
    ['YAML documents', 'fleet.yaml', () => yaml(...recovered, whole.api, whole.web)],
    [
      'YAML documents with a mark before the first and nothing after the last',
      'fleet.yaml',
      () => `---\n${yaml(...recovered, whole.api, whole.web)}---\n`,
    ],
    ['JSON objects one after the other', 'fleet.json', () => json(...recovered, whole.api, whole.web).join('\n')],
    [
      'JSON objects with braces in their texts',
      'fleet.json',
      () =>
        JSON.stringify({ kind: 'Note', apiVersion: 'v1', text: '}{"\\' }) +
        json(...recovered, whole.api, whole.web).join(''),
    ],
    ['JSON objects between YAML marks', 'fleet.yaml', () => json(...recovered, whole.api, whole.web).join('\n---\n')],
    [
      'a List',
      'fleet.yaml',
      () => yaml({ apiVersion: 'v1', kind: 'List', items: [...recovered, whole.api, whole.web] }),
    ],
    [
      'a list in a List',
      'fleet.json',
      () =>
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'List',
          items: [{ kind: 'List', items: recovered }, whole.api, whole.web],
        }),
    ],
  ])('may be %s', async (_, name, text) => {
    const { out, code } = await plan('-f', file(name, text()), '-o', 'json');
    expect([code, namesIn(out)]).toEqual([3, ['api-deployment', 'web-deployment']]);
  });

  it('may be typed lists, whose items have no apiVersion and kind', async () => {
    const bare = (objects: readonly object[]) =>
      objects.map((object) =>
        Object.fromEntries(Object.entries(object).filter(([key]) => key !== 'kind' && key !== 'apiVersion')),
      );
    const text = yaml(
      { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'ClusterList', items: bare(recovered) },
      { apiVersion: 'work.karmada.io/v1alpha2', kind: 'ResourceBindingList', items: bare([web]) },
      { apiVersion: 'work.karmada.io/v1alpha2', kind: 'ClusterResourceBindingList', items: null },
    );
    const { out } = await plan('-f', file('lists.yaml', text), '-o', 'json');
    expect(namesIn(out)).toEqual(['web-deployment']);
  });

  it('may be a folder, of which only YAML and JSON files are read, and several files', async () => {
    mkdirSync(join(folder, 'fleet', 'deeper'), { recursive: true });
    file('fleet/clusters.yml', yaml(...recovered));
    file('fleet/readme.md', '# not: [read');
    file('fleet/deeper/other.yaml', 'not: [read');
    const { out, errors } = await plan(
      '-f',
      join(folder, 'fleet'),
      '-f',
      file('web.json', json(web).join('')),
      '-o',
      'json',
    );
    expect([errors, namesIn(out)]).toEqual([[], ['web-deployment']]);
  });

  it('may be piped to stdin', async () => {
    const { code, out, errors } = await piped(yaml(...recovered, web), '-f', '-', '-o', 'json');
    expect([code, errors]).toEqual([3, '']);
    expect(namesIn(out)).toEqual(['web-deployment']);
  });

  it('is answered without colours in a pipe', async () => {
    const { out } = await piped(yaml(...recovered, web), '-f', '-');
    expect(out.split('\n')[0]).toMatch(/^NAMESPACE +BINDING +MOVES +FRESH +STEADY$/);
  });

  it('may be answered to a reader that closes the pipe early, like head', async () => {
    const many = Array.from({ length: 3000 }, (_, i) => binding(`w${i}`, { now: { member1: 12 } }));
    const fleet = file('fleet.json', JSON.stringify({ kind: 'List', items: [...recovered, ...many] }));
    const child = spawn(process.execPath, ['cli/evenkeel.ts', 'plan', '-f', fleet]);
    child.stdout.destroy();
    const errors: string[] = [];
    child.stderr.on('data', (part) => errors.push(String(part)));
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect([code, errors]).toEqual([3, []]);
  });

  it('may contain other kinds, which are ignored and counted', async () => {
    const others = [
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } },
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'api' } },
      { apiVersion: 'cluster.x-k8s.io/v1beta1', kind: 'Cluster', metadata: { name: 'of-another-project' } },
    ];
    const { errors, code } = await plan('-f', file('all.yaml', yaml(...others, ...recovered, web)));
    expect([code, errors]).toEqual([3, ['ignored, not part of a plan: 2 Deployment, 1 Cluster']]);
  });

  it('may contain empty documents, and objects without uid, times and namespace', async () => {
    const { metadata: _, ...rest } = web as { metadata: object };
    const text = `---\n# nothing\n---\n${yaml(...recovered, { metadata: { name: 'web-deployment' }, ...rest })}`;
    const { out } = await plan('-f', file('fleet.yaml', text), '-n', 'shop', '-o', 'json');
    expect(namesIn(out)).toEqual(['web-deployment']);
  });

  it('may have no bindings, and then nothing moves', async () => {
    const { code, out } = await plan('-f', file('fleet.yaml', yaml(...recovered)), '-o', 'json');
    expect([code, JSON.parse(out)]).toEqual([0, { bindings: [] }]);
  });
});

describe('invalid input', () => {
  it.each<[string, string, () => string, string]>([
    [
      'a key given twice',
      'a.yaml',
      () => 'kind: Cluster\nkind: Cluster\n',
      'a.yaml, document 1, line 2, column 1: it is not YAML: Map keys must be unique; fix it there',
    ],
    [
      'a text',
      'a.yaml',
      () => 'hello',
      'a.yaml, document 1: it is the string "hello", not an object; for many objects write documents, or kind: List with items',
    ],
    [
      'a bare list',
      'a.json',
      () => '[]',
      'a.json, document 1: it is a list, not an object; for many objects write documents, or kind: List with items',
    ],
    [
      'no kind',
      'a.yaml',
      () => 'metadata: { name: x }\n',
      'a.yaml, document 1, line 1 (x): kind: is missing; every object has a kind and an apiVersion',
    ],
    [
      'no apiVersion',
      'a.yaml',
      () => 'kind: Cluster\nmetadata: { name: x }\n',
      'a.yaml, document 1, line 1 (Cluster x): apiVersion: is missing; every object has a kind and an apiVersion',
    ],
    [
      'an unsupported version',
      'a.yaml',
      () => yaml({ ...web, apiVersion: 'work.karmada.io/v1alpha1' }),
      'a.yaml, document 1, line 1 (ResourceBinding shop/web-deployment): apiVersion: "work.karmada.io/v1alpha1" is not work.karmada.io/v1alpha2; get the object in that version',
    ],
    [
      'a field of another type, by its line',
      'a.yaml',
      () => `${yaml({ apiVersion: 'v1', kind: 'Other' })}---\n${yaml(web).replace('replicas: 12', 'replicas: twelve')}`,
      'a.yaml, document 2, line 15 (ResourceBinding shop/web-deployment): spec.replicas: "twelve" is not a number; write one there',
    ],
    [
      'a field that is missing',
      'a.json',
      () => JSON.stringify({ ...web, spec: { replicas: 3 } }),
      'a.json, document 1 (ResourceBinding shop/web-deployment): spec.resource: is missing; write an object there',
    ],
    [
      'a name that is missing',
      'a.json',
      () => JSON.stringify({ ...web, metadata: {} }),
      'a.json, document 1 (ResourceBinding): metadata.name: is missing; write a text there',
    ],
    [
      'an invalid time',
      'a.json',
      () => JSON.stringify({ ...web, status: { lastScheduledTime: 'yesterday' } }),
      'a.json, document 1 (ResourceBinding shop/web-deployment): status.lastScheduledTime: "yesterday" is not an RFC 3339 time; write one like 2026-11-21T10:00:00Z',
    ],
    [
      'replicas below 0',
      'a.json',
      () => JSON.stringify(binding('web', { replicas: -1 })),
      'a.json, document 1 (ResourceBinding shop/web-deployment): spec.replicas: -1 is not a whole number from 0; write one there',
    ],
    [
      'assigned replicas that are no whole number',
      'a.json',
      () => JSON.stringify(binding('web', { now: { m1: 2, m2: 1.5 } })),
      'a.json, document 1 (ResourceBinding shop/web-deployment): spec.clusters.1.replicas: 1.5 is not a whole number from 0; write one there',
    ],
    [
      'a cluster assigned twice',
      'a.json',
      () => JSON.stringify(binding('web', { spec: { clusters: [{ name: 'm1' }, { name: 'm1' }] } })),
      'a.json, document 1 (ResourceBinding shop/web-deployment): spec.clusters.1.name: "m1" is there twice; leave one out',
    ],
    [
      'an unknown strategy',
      'a.json',
      () => JSON.stringify(binding('web', { replicaScheduling: { replicaSchedulingType: 'Divide' } })),
      'a.json, document 1 (ResourceBinding shop/web-deployment): spec.placement.replicaScheduling.replicaSchedulingType: Unsupported value: "Divide": supported values: "Duplicated", "Divided"',
    ],
    [
      'an invalid quantity',
      'a.json',
      () => JSON.stringify(cluster('m1', { cpu: '12 cores' })),
      'a.json, document 1 (Cluster m1): status.resourceSummary.allocatable.cpu: "12 cores" is no quantity; write one like 500m, 2 or 4Gi',
    ],
    [
      'an item of a list',
      'a.json',
      () => JSON.stringify({ kind: 'List', items: [cluster('m1'), 7] }),
      'a.json, document 1, item 2: it is not an object; write the object there, or take the item out',
    ],
    [
      'a list without items',
      'a.json',
      () => JSON.stringify({ kind: 'ClusterList', apiVersion: 'cluster.karmada.io/v1alpha1', items: {} }),
      'a.json, document 1: items of ClusterList is no list; write the objects under items',
    ],
    [
      'an object twice',
      'a.yaml',
      () => yaml(cluster('m1'), web, web),
      'a.yaml, document 3: ResourceBinding shop/web-deployment was in a.yaml, document 2 already; leave one of them out',
    ],
    [
      'a rebalancer without workloads',
      'a.yaml',
      () => yaml({ ...rebalancer('x'), spec: {} }),
      'a.yaml, document 1, line 5 (WorkloadRebalancer x): spec.workloads: is missing; write a list there',
    ],
    [
      'bindings without a cluster',
      'a.yaml',
      () => yaml(web),
      'there is no Cluster to plan with; give the clusters too (kubectl get clusters -o yaml), or --kubeconfig',
    ],
  ])('names %s, prints nothing else and exits with 2', async (_, name, text, message) => {
    expect(await rejected('-f', file(name, text()))).toBe(message);
  });

  it.each([
    [
      'YAML',
      'a.yaml',
      `${yaml(cluster('m1'))}---\nkind: [\n`,
      /^a.yaml, document 2, line \d+, column \d+: it is not YAML: /,
    ],
    [
      'JSON',
      'a.json',
      '{"kind": "Cluster",\n"metadata": {]}',
      /^a.json, document 1, line 2, column \d+: it is neither JSON nor YAML: /,
    ],
    [
      'free of unknown aliases',
      'a.yaml',
      'kind: *nothing\n',
      /^a.yaml, document 1: .* nothing; write it without the alias$/,
    ],
  ])('is reported with its line if it is not %s', async (_, name, text, message) => {
    expect(await rejected('-f', file(name, text))).toMatch(message);
  });

  it('reports up to ten invalid objects at once', async () => {
    const wrong = Array.from({ length: 12 }, (_, i) => binding(`w${i}`, { replicas: -1 }));
    const lines = (await rejected('-f', file('a.json', JSON.stringify({ kind: 'List', items: wrong })))).split('\n');
    expect(lines).toHaveLength(12);
    expect([lines[0], lines[11]]).toEqual(['12 objects cannot be read', '  and 2 more']);
    expect(lines[1]).toBe(
      '  a.json, document 1, item 1 (ResourceBinding shop/w0-deployment): spec.replicas: -1 is not a whole number from 0; write one there',
    );
  });

  it.each<[string, () => readonly string[], string]>([
    [
      'a missing file',
      () => ['-f', join(folder, 'no.yaml')],
      '-f no.yaml: file or folder not found; give an existing one, or - for stdin',
    ],
    [
      'a folder with nothing to read',
      () => {
        mkdirSync(join(folder, 'empty'));
        return ['-f', join(folder, 'empty')];
      },
      '-f empty: the folder has no file that ends in .yaml, .yml, .json; name the files themselves',
    ],
    ['a file given twice', () => ['-f', '-', '-f', '-'], '-f - is given twice; give it once'],
    [
      'an unknown name',
      () => ['-f', file('a.yaml', yaml(...recovered, web)), 'wep'],
      'there is no binding or workload "wep"; name one that is there: web-deployment',
    ],
    [
      'an unknown rebalancer',
      () => ['-f', file('a.yaml', yaml(...recovered, web, rebalancer('b', reference('web')))), '--rebalancer', 'a'],
      '--rebalancer a: the files have no WorkloadRebalancer of that name (they have: b)',
    ],
    [
      'a missing kubeconfig',
      () => ['--kubeconfig', join(folder, 'kc')],
      'kubeconfig kc cannot be used: there is no such file',
    ],
  ])('names %s', async (_, args, message) => {
    expect(await rejected(...args())).toBe(message);
  });

  it('asks for a kubeconfig if kubectl has no default one', async () => {
    vi.stubEnv('KUBECONFIG', '');
    standInForHome(folder);
    expect(await rejected()).toBe(
      "no hub is named, and there is no .kube/config; name the hub's kubeconfig with --kubeconfig",
    );
    vi.unstubAllEnvs();
  });

  it('rejects a KUBECONFIG of several files, because the hub is ambiguous', async () => {
    vi.stubEnv('KUBECONFIG', 'one:two');
    expect(await rejected()).toBe('KUBECONFIG names several files; name the one of the hub with --kubeconfig');
    vi.unstubAllEnvs();
  });
});

/** Runs the command in a process of its own, with a text on stdin. */
function piped(
  input: string,
  ...args: readonly string[]
): Promise<{ code: number | null; out: string; errors: string }> {
  // CI runs force colours; a pipe must not get them.
  const { NO_COLOR: _, FORCE_COLOR: __, ...rest } = process.env;
  const env = { ...rest, CI: 'true' };
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['cli/evenkeel.ts', 'plan', ...args], { env });
    const [out, errors]: [string[], string[]] = [[], []];
    child.stdout.on('data', (part) => out.push(String(part)));
    child.stderr.on('data', (part) => errors.push(String(part)));
    child.on('close', (code) => resolve({ code, out: out.join(''), errors: errors.join('') }));
    child.stdin.end(input);
  });
}
