/** Reconciles of ElasticWorkloads of several sizes, each measured in every round next to the smallest one: from the observed hub to every written replica count. */

import { elasticSpec } from '../../shared/elastic-workload/elastic-workload-schema.ts';
import type { View } from '../../shared/elastic-workload/observe-placement.ts';
import { balanceReplicas } from '../../shared/elastic-workload/replica-balance.ts';
import { sizeText } from '../figures.ts';
import { type Figure, figure, type Ratio, ratio } from '../result.ts';
import { timeSideBySide } from '../side-by-side.ts';

export interface BalancingMeasurement {
  readonly ms: Figure;
  /** To the same for 200 clusters and 10,000 replicas; not of those themselves. */
  readonly ratio?: Ratio;
}

const sizes = [
  { clusters: 200, replicas: 10_000 },
  { clusters: 2000, replicas: 100_000 },
] as const;

type BalancingSize = (typeof sizes)[number];

/** A first placement, a fleet at rest, and one in which every tenth cluster has no ready replicas and the others borrow them all. */
const reconciles: Readonly<Record<string, (size: BalancingSize) => () => void>> = {
  'first placement': (size) => reconcileOf(size, []),
  'at rest': (size) => reconcileOf(size, settled(size)),
  'a tenth borrowed': (size) =>
    reconcileOf(
      size,
      settled(size).map((view, i) => (i % 10 === 0 ? { ...view, ready: 0 } : view)),
    ),
};

export function measureBalancing({ rounds }: { readonly rounds: number }): readonly BalancingMeasurement[] {
  return Object.entries(reconciles).flatMap(([what, reconcile]) => {
    const times = timeSideBySide(sizes.map(reconcile), rounds);
    return sizes.map((size, index) => {
      const own = times[index] ?? [];
      const name = `${what}, ${sizeText(size)}`;
      const compared = { values: own, base: times[0] ?? [], kind: 'time', better: 'lower' } as const;
      const ms = figure(name, 'ms', own);
      return { ms, ...(index > 0 && { ratio: ratio(`${name}, to ${sizeText(sizes[0])}`, compared) }) };
    });
  });
}

const NOW = Date.parse('2026-11-22T10:00:00Z');
const HOUR = 3_600_000;

function nameOf(index: number): string {
  return `cluster-${String(index).padStart(4, '0')}`;
}

function emptyViews({ clusters }: BalancingSize): readonly View[] {
  return Array.from({ length: clusters }, (_, index) => ({
    ...{ cluster: nameOf(index), selected: true, reachable: true, deleting: false, upToDate: false, ready: 0 },
  }));
}

function settled(size: BalancingSize): readonly View[] {
  const { next } = balancing(size, emptyViews(size), undefined)();
  return emptyViews(size).map((view) => {
    const written = next.get(view.cluster) ?? 0;
    return { ...view, upToDate: true, written, writtenAt: NOW - HOUR, replicasOnCluster: written, ready: written };
  });
}

function reconcileOf(size: BalancingSize, views: readonly View[]): () => void {
  const seen = views.length === 0 ? emptyViews(size) : views;
  // The reconciler state of an hour ago: a cluster that was short then is short for too long now.
  const { memory } = balancing(size, seen, undefined, NOW - HOUR)();
  return balancing(size, seen, memory);
}

type BalancingState = ReturnType<typeof balanceReplicas>['memory'];

function balancing(size: BalancingSize, views: readonly View[], memory: BalancingState | undefined, now = NOW) {
  const weights = new Map(views.map(({ cluster }, index) => [cluster, 1 + (index % 7)]));
  const { replicas, clusters } = size;
  const balanceStrategy = { type: 'LimitRange', limitRange: { min: 1, max: Math.ceil((replicas / clusters) * 3) } };
  const spec = elasticSpec.parse({
    target: { type: 'Inline', inline: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } } },
    placementRef: { name: 'all' },
    distributionStrategy: { totalReplicas: replicas, type: 'Weighted', weighted: {} },
    balanceStrategy,
  });
  return () => balanceReplicas({ uid: 'uid', spec, views, weights, memory, now });
}
