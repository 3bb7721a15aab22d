/** A hub that grows from one size to the next: clusters that report their capacity, and workloads with bindings that are placed on three of them. */
import { eachAtOnce } from '../../shared/core/each-at-once.ts';
import { Fault } from '../../shared/core/fault.ts';
import { toTimestamp } from '../../shared/core/time.ts';
import { APPLIED_PLACEMENT } from '../../shared/karmada/placed-binding.ts';
import { RESCHEDULING_POLICY } from '../../shared/karmada/rescheduling-policy.ts';
import type { Transport } from '../../shared/kubernetes/client/transport.ts';
import { bindingPath, byCapacity, MERGE_PATCH, send } from '../bindings.ts';

const CLUSTERS = '/apis/cluster.karmada.io/v1alpha1/clusters';
const POLICIES = '/apis/evenkeel.dev/v1alpha1/rebalancepolicies';
const NAMESPACE = 'scale';
const IN_FLIGHT = 16;
const TIME = '2026-11-21T09:00:00Z';
const SCHEDULED = {
  conditions: [
    {
      ...{ type: 'Scheduled', status: 'True', reason: 'Success', lastTransitionTime: TIME },
      message: 'Binding has been scheduled successfully.',
    },
  ],
  ...{ schedulerObservedGeneration: 1, lastScheduledTime: TIME },
};
const HOUR_MS = 3_600_000;
/** In every cluster; far above what is requested. */
const CAPACITY = '1000000';

export interface FleetSize {
  readonly clusters: number;
  readonly bindings: number;
}

/** karmada-scheduler skips bindings without it. */
const labels = { 'propagationpolicy.karmada.io/permanent-id': '6f1d2c7e-5a0b-4d53-9a3e-0c1a7e3b9d42' };

export class GrowingFleet {
  readonly #admin: Transport;
  #size: FleetSize = { clusters: 0, bindings: 0 };

  constructor(admin: Transport) {
    this.#admin = admin;
  }

  /** With nothing to do: every binding is scheduled, and every replica is ready. */
  async grow(size: FleetSize): Promise<void> {
    if (this.#size.clusters === 0) {
      await this.#post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
      await this.#post(POLICIES, recovered);
    }
    await eachAtOnce(range(this.#size.clusters, size.clusters), IN_FLIGHT, (index) => this.#addCluster(index));
    await eachAtOnce(range(this.#size.bindings, size.bindings), IN_FLIGHT, (index) =>
      this.#addBinding(index, size.clusters),
    );
    this.#size = size;
  }

  async #addCluster(index: number): Promise<void> {
    const name = clusterName(index);
    const kind = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster' };
    const spec = { syncMode: 'Push', apiEndpoint: 'https://127.0.0.1:1' };
    await this.#post(CLUSTERS, { ...kind, metadata: { name }, spec });
    const summary = { cpu: CAPACITY, memory: `${CAPACITY}Gi`, pods: CAPACITY };
    const status = {
      kubernetesVersion: 'v1.35.0',
      apiEnablements: [{ groupVersion: 'apps/v1', resources: [{ name: 'deployments', kind: 'Deployment' }] }],
      conditions: [
        {
          ...{ type: 'Ready', status: 'True', reason: 'ClusterReady', message: '' },
          // Later than the policy, so that it is recovered from the policy's point of view.
          lastTransitionTime: toTimestamp(Date.now() + HOUR_MS),
        },
      ],
      resourceSummary: { allocatable: summary, allocated: { cpu: '1', memory: '1Gi', pods: '2' } },
    };
    await this.#patch(`${CLUSTERS}/${name}/status`, { status });
  }

  async #addBinding(index: number, clusters: number): Promise<void> {
    const name = `web-${String(index).padStart(6, '0')}`;
    const on = [0, 1, 2].map((place) => ({ name: clusterName((index * 3 + place) % clusters), replicas: 2 }));
    const annotations = { [APPLIED_PLACEMENT]: JSON.stringify(byCapacity), [RESCHEDULING_POLICY]: 'OnUnschedulable' };
    await this.#post(bindingPath(NAMESPACE), bindingOf(name, { annotations, clusters: on }));
    const aggregatedStatus = on.map(({ name: clusterName, replicas }) => ({
      ...{ clusterName, applied: true, health: 'Healthy' },
      status: { replicas, readyReplicas: replicas, availableReplicas: replicas, resourceTemplateGeneration: 1 },
    }));
    const status = { ...SCHEDULED, aggregatedStatus };
    await this.#patch(`${bindingPath(NAMESPACE, `${name}-deployment`)}/status`, { status });
  }

  async #post(path: string, body: object): Promise<void> {
    await send(this.#admin, { method: 'POST', path, body });
  }

  /** Sent again if it is not answered: among 200,000 writes one may be. */
  async #patch(path: string, body: object): Promise<void> {
    const request = { method: 'PATCH', path, body, contentType: MERGE_PATCH } as const;
    try {
      await send(this.#admin, request);
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      await send(this.#admin, request);
    }
  }
}

/** Reads all workloads, and finds that none would move. */
const recovered = {
  apiVersion: 'evenkeel.dev/v1alpha1',
  kind: 'RebalancePolicy',
  metadata: { name: 'home' },
  spec: { triggers: { clusterRecovered: { stableFor: '0s' }, clusterJoined: { stableFor: '0s' } }, dryRun: true },
};

interface BindingParts {
  readonly namespace?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly clusters?: readonly object[];
  readonly schedulerName?: string;
}

export function bindingOf(name: string, parts: BindingParts): object {
  const { namespace = NAMESPACE, annotations, clusters, schedulerName = 'evenkeel' } = parts;
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: { name: `${name}-deployment`, namespace, labels, ...(annotations && { annotations }) },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name },
      ...{
        replicas: 6,
        placement: byCapacity,
        schedulerName,
        conflictResolution: 'Abort',
        ...(clusters && { clusters }),
      },
      replicaRequirements: { resourceRequest: { cpu: '500m', memory: '256Mi' } },
    },
  };
}

function clusterName(index: number): string {
  return `member-${String(index).padStart(4, '0')}`;
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
