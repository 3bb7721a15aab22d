/** `evenkeel hub check` on the practice hub, over HTTP; on a real API server: test/rig/suites/hub/check.test.ts. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Finding } from '../../cli/check/finding.ts';
import { applyManifests } from '../../local/practice-hub/apply-manifests.ts';
import { type HubServer, startHubServer } from '../../local/practice-hub/hub-server.ts';
import { admissionPolicy } from '../../shared/manifests/admission.ts';
import { holdPolicy } from '../../shared/manifests/holds.ts';
import { account, user } from '../fakes/practice-fleet.ts';
import { evenkeel, type Ran } from './plan-scene.ts';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

let hub: HubServer;
let kubeconfig: string;
const check = (...args: readonly string[]): Promise<Ran> =>
  evenkeel('hub', 'check', '--kubeconfig', kubeconfig, ...args);
const findings = async (...args: readonly string[]) => {
  const { code, out } = await check('-o', 'json', ...args);
  return { code, findings: (JSON.parse(out) as { findings: readonly Finding[] }).findings };
};
const target = { hub: 'practice', url: 'https://hook.example', account };

beforeEach(async () => {
  hub = await startHubServer({
    port: 0,
    token: 'of-the-admin',
    users: { 'of-ours': 'system:serviceaccount:evenkeel:evenkeel' },
  });
  kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, hub.kubeconfig());
});
afterEach(() => hub.close());

describe('evenkeel hub check', () => {
  it('finds a healthy hub, and recommends optional parts', async () => {
    const { code, out } = await check();
    expect(code).toBe(0);
    expect(out).toContain(
      'ok    who               kubernetes-admin, asking about system:serviceaccount:evenkeel:evenkeel',
    );
    expect(out).toContain(
      `warn  admission-policy  not found: nothing rejects invalid objects on write
      → evenkeel hub manifests --policies --drains --budgets --elastic-workloads --only admission-policy | kubectl --kubeconfig ${kubeconfig} apply -f -`,
    );
    expect(out.trimEnd().split('\n').at(-1)).toBe('Evenkeel can work on this hub; 1 could be improved.');
  });

  it('has no findings after its recommendations are applied', async () => {
    applyManifests(hub.store, admissionPolicy(target), user);
    const { code, out } = await check();
    expect([code, out.trimEnd().split('\n').at(-1)]).toEqual([0, 'No problems found.']);
  });

  it('checks holds if they are installed, and requires them with --graceful-reduction', async () => {
    const held = async (...args: readonly string[]) =>
      (await findings(...args)).findings.filter(({ about }) => about === 'hold-policy').map(({ state }) => state);
    expect(await held()).toEqual([]);
    expect(await held('--graceful-reduction')).toEqual(['fail']);
    expect((await check('--graceful-reduction')).code).toBe(1);
    applyManifests(hub.store, holdPolicy({ account }), user);
    expect(await held()).toEqual(['ok']);
  });

  it('checks the account itself if it runs with the credential of the account', async () => {
    writeFileSync(kubeconfig, hub.kubeconfig().replace('of-the-admin', 'of-ours'));
    const who = (await findings()).findings.find(({ about }) => about === 'who');
    expect(who?.what).toBe('system:serviceaccount:evenkeel:evenkeel: the account itself');
  });

  it('fails if the hub rejects the credential', async () => {
    writeFileSync(kubeconfig, hub.kubeconfig().replace('of-the-admin', 'unknown'));
    const { code, out, errors } = await check();
    expect([code, out]).toEqual([2, '']);
    expect(errors).toHaveLength(1);
  });

  it('fails if the hub is unreachable', async () => {
    await hub.close();
    const { code, out, errors } = await check();
    expect([code, out, errors.length]).toEqual([2, '', 1]);
    expect(errors[0]).toContain('ECONNREFUSED');
  });
});
