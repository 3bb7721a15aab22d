/** The descheduler deployed: the proposal's story 1 over the bus, the queue, the functions, gRPC to an estimator, the table and the hub. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DeschedulingDue } from '../../../../shared/bus/catalogue.ts';
import { run } from '../../command.ts';
import { bindingsPath, until } from '../hub-client.ts';
import { type Deployed, HUB, startDeployed } from './deployed.ts';
import { bindingIn, clustersWith, estimateBy, withoutClusters } from './estimated.ts';

const CLI = join(import.meta.dirname, '..', '..', '..', '..', 'cli', 'evenkeel.ts');
const NAMESPACE = `unschedulable-${Date.now()}`;

let deployed: Deployed;
let end: () => Promise<void>;
const requested: string[] = [];

beforeAll(async () => {
  deployed = await startDeployed();
  await clustersWith(deployed, { m1: 0, m2: 5, m3: 5 });
  await bindingIn(deployed, NAMESPACE, { m1: [5, 2], m2: [3, 3], m3: [2, 2] });
  end = await estimateBy(deployed, {
    unschedulable: (cluster, { namespace }) => {
      // Other suites may have left bindings that the descheduler evaluates.
      if (namespace !== NAMESPACE) return 0;
      requested.push(cluster);
      return 3;
    },
    // Less than the status of m3 reports.
    capacity: (cluster) => (cluster === 'm3' ? 0 : 9),
  });
});

afterAll(async () => {
  await end();
  await withoutClusters(deployed, ['m1', 'm2', 'm3']);
});

describe('the deployed descheduler', () => {
  it('evicts the unschedulable replicas for which other clusters have capacity, and records the reason', async () => {
    const { type, detail } = DeschedulingDue.of({ hub: HUB });
    await deployed.tap.publish([{ source: 'evenkeel', 'detail-type': type, detail }]);
    const path = `${bindingsPath(NAMESPACE)}/web-deployment`;
    const clusters = await until('replicas are taken out', async () => {
      const { spec } = await deployed.client.get<{ spec: { clusters: { name: string; replicas: number }[] } }>(path);
      return spec.clusters[0]?.replicas === 5 ? undefined : spec.clusters;
    });
    expect(clusters).toEqual([
      { name: 'm1', replicas: 2 },
      { name: 'm2', replicas: 3 },
      { name: 'm3', replicas: 2 },
    ]);
    expect(requested).toEqual(['m1']);
    const printed = await until('the decision is settled', async () => {
      const text = await decisions();
      return text.includes('Written') ? text : undefined;
    });
    expect(printed).toContain('m1 5→2, m2 3, m3 2');
    expect(printed).toContain('3 of 3 unschedulable replicas are taken out');
  });
});

/** The output of the command that operators run. */
function decisions(): Promise<string> {
  const args = [CLI, 'get', 'decisions', '--hub', HUB, '-n', NAMESPACE];
  return run(process.execPath, args, { env: deployed.aws.emulator.environment });
}
