/** The command line on a hub with Karmada: `evenkeel rebalance --wait` ends when karmada-scheduler has acted, and `evenkeel hub check` finds Karmada healthy. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../../../cli/check/finding.ts';
import { clear, crowdOntoMember1 } from './acts.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { HALF_CORE, paths } from './manifests.ts';
import { bindingOf } from './observed-state.ts';

const CLI = join(import.meta.dirname, '..', '..', '..', '..', 'cli', 'evenkeel.ts');
/** "/apis/apps/v1/namespaces/NAME/deployments". */
const NAMESPACE = paths.deployments.split('/').at(-2) ?? '';

function evenkeel(...args: readonly string[]): Promise<{ code: number; out: string; error: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...args], { encoding: 'utf8' }, (thrown, out, error) =>
      resolve({ code: thrown ? Number(thrown.code) : 0, out, error }),
    );
  });
}

describe('the command line on a hub with Karmada', () => {
  let fleet: Fleet;
  let place: readonly string[];
  beforeAll(async () => {
    fleet = await startFleet();
    place = ['--kubeconfig', fleet.hub.adminKubeconfig];
    await clear(fleet);
    await crowdOntoMember1(fleet, { name: 'web', replicas: 8, requests: HALF_CORE });
  });
  afterAll(() => fleet.close());

  it('reports Karmada and the permissions of our account as ok', async () => {
    const { out } = await evenkeel('hub', 'check', ...place, '-o', 'json');
    const { findings } = JSON.parse(out) as { findings: readonly Finding[] };
    const about = ['Karmada', 'account', 'rights', 'clock', 'admission-policy', 'hold-policy', 'flow-schema'];
    expect(findings.filter((each) => about.includes(each.about)).map(({ state }) => state)).toEqual(
      about.map(() => 'ok'),
    );
  });

  it('waits until the scheduler has assigned the replicas', async () => {
    const before = await bindingOf(fleet, 'web');
    expect(before.spec.clusters).toEqual([{ name: 'member1', replicas: 8 }]);
    const { code, out } = await evenkeel('rebalance', `deployment/${NAMESPACE}/web`, '--wait', '--ttl', '1m', ...place);
    expect([code, out.trimEnd().split('\n').at(-1)]).toEqual([0, '1 of 1 rescheduled']);
    const { spec } = await bindingOf(fleet, 'web');
    expect((spec.clusters ?? []).map(({ name }) => name).sort()).toEqual(['member1', 'member2']);
  });

  it('fails for a cluster without replicas, and creates nothing', async () => {
    await clear(fleet);
    const { code, error } = await evenkeel('rebalance', '--all-on', 'member2', ...place);
    expect([code, error]).toEqual([
      2,
      'evenkeel: --all-on member2: no workload has replicas there; nothing is to be rebalanced\n',
    ]);
  });
});
