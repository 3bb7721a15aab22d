/** The three member clusters of the benchmark's bindings, whose capacity changes so that each rebalance moves replicas. */
import type { Transport } from '../../shared/kubernetes/client/transport.ts';
import { MERGE_PATCH, send } from '../bindings.ts';

const CLUSTERS = '/apis/cluster.karmada.io/v1alpha1/clusters';
const names = ['member1', 'member2', 'member3'] as const;
/** Pods, far above what all bindings request. */
const CAPACITIES = [400_000, 250_000, 150_000] as const;

export interface BenchClusters {
  /** Each cluster reports the capacity that the one before it reported. */
  turn(): Promise<void>;
}

export async function makeClusters(admin: Transport): Promise<BenchClusters> {
  for (const name of names) {
    const header = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', metadata: { name } };
    const spec = { syncMode: 'Push', apiEndpoint: 'https://127.0.0.1:1' };
    await send(admin, { method: 'POST', path: CLUSTERS, body: { ...header, spec } });
  }
  let turns = 0;
  const report = async () => {
    for (const [place, name] of names.entries()) {
      const pods = CAPACITIES[(place + turns) % names.length];
      const status = {
        kubernetesVersion: 'v1.35.0',
        apiEnablements: [{ groupVersion: 'apps/v1', resources: [{ name: 'deployments', kind: 'Deployment' }] }],
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            reason: 'ClusterReady',
            message: '',
            lastTransitionTime: '2026-11-21T10:00:00Z',
          },
        ],
        resourceSummary: { allocatable: { cpu: `${pods}`, memory: `${pods}Gi`, pods: `${pods}` } },
      };
      const path = `${CLUSTERS}/${name}/status`;
      await send(admin, { method: 'PATCH', path, body: { status }, contentType: MERGE_PATCH });
    }
  };
  await report();
  return {
    turn: () => {
      turns += 1;
      return report();
    },
  };
}
