/** `evenkeel hub check` on a real API server: findings on permissions, manifests and the kinds that it serves. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../../../cli/check/finding.ts';
import { run } from '../../command.ts';
import { type Hub, startHub } from '../../parts/hub.ts';
import { rigOfSuite } from '../rig-of-suite.ts';

const CLI = join(import.meta.dirname, '..', '..', '..', '..', 'cli', 'evenkeel.ts');

/** A name of this run, so that a rig which stays up can be used again. */
const NAME = `narrow-${Date.now().toString(36)}`;

let hub: Hub;
beforeAll(async () => {
  hub = await startHub(rigOfSuite());
});

interface Checked {
  readonly code: number;
  readonly findings: readonly Finding[];
}

function check(kubeconfig: string, ...more: readonly string[]): Promise<Checked> {
  const args = [CLI, 'hub', 'check', '--kubeconfig', kubeconfig, '-o', 'json', ...more];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { encoding: 'utf8' }, (thrown, out) => {
      resolve({ code: thrown ? Number(thrown.code) : 0, ...(JSON.parse(out) as { findings: readonly Finding[] }) });
    });
  });
}

const states = ({ findings }: Checked) => findings.map(({ state, about }) => `${state} ${about}`);
const found = ({ findings }: Checked, about: string) => findings.filter((each) => each.about === about);

describe('evenkeel hub check', () => {
  it('finds all applied manifests, and reports the kinds that a control plane without members lacks', async () => {
    const checked = await check(hub.adminKubeconfig);
    expect([checked.code, ...states(checked)]).toEqual([
      1,
      'ok reached',
      'ok who',
      'ok clock',
      'fail Karmada',
      'fail OCM',
      'ok RebalancePolicy',
      'ok ClusterDrain',
      'ok MoveBudget',
      'ok ElasticWorkload',
      'ok account',
      'ok rights',
      'ok crd',
      'ok elastic-crds',
      'ok admission-policy',
      'ok hold-policy',
      'ok flow-schema',
    ]);
    expect(found(checked, 'Karmada')[0]?.what).toBe('does not serve clusters.cluster.karmada.io');
  });

  it('checks the account itself if it runs as the account', async () => {
    const checked = await check(hub.kubeconfig);
    expect(found(checked, 'who')[0]?.what).toBe('system:serviceaccount:evenkeel:evenkeel: the account itself');
    expect(found(checked, 'rights').map(({ state }) => state)).toEqual(['ok']);
  });

  it('reports missing permissions, and prints the command that grants them', async () => {
    const account = ['--account', `${NAME}/${NAME}`];
    const missing = await check(hub.adminKubeconfig, ...account);
    expect([missing.code, found(missing, 'account')[0]?.what]).toEqual([1, `ServiceAccount ${NAME}/${NAME} not found`]);

    await hub.kubectl.typed(await run(process.execPath, [CLI, 'hub', 'manifests', ...account, '--only', 'rbac']));
    const narrow = await check(hub.adminKubeconfig, ...account);
    expect(found(narrow, 'rights').map(({ what }) => what)).toContain(
      `system:serviceaccount:${NAME}:${NAME} may not get, list rebalancepolicies.evenkeel.dev`,
    );

    const { mend = '' } = found(narrow, 'rights')[0] ?? {};
    const [manifests = '', apply = ''] = mend.split(' | ');
    const typed = `kubectl --kubeconfig ${hub.adminKubeconfig} apply -f -`;
    expect(apply).toBe(typed);
    const words = manifests.split(' ').slice(1);
    await hub.kubectl.typed(await run(process.execPath, [CLI, ...words]));
    const mended = await check(hub.adminKubeconfig, ...account);
    expect(found(mended, 'rights').map(({ state }) => state)).toEqual(['ok']);
  });

  it('reports a modified policy', async () => {
    const name = 'evenkeel-workloadrebalancers';
    const policy = `validatingadmissionpolicy/${name}`;
    const merge = JSON.stringify({ spec: { failurePolicy: 'Fail' } });
    await hub.kubectl.run('patch', policy, '--type', 'merge', '-p', merge);
    const checked = await check(hub.adminKubeconfig);
    await hub.kubectl.typed(await hub.manifests('admission-policy'));
    expect(found(checked, 'admission-policy').map(({ state, what }) => [state, what])).toEqual([
      ['warn', `ValidatingAdmissionPolicy ${name} differs from what is printed, at spec.failurePolicy`],
    ]);
    expect(found(await check(hub.adminKubeconfig), 'admission-policy')[0]?.state).toBe('ok');
  });
});
