/** The views of RebalancePolicies and ClusterDrains, and the kinds that labels select. */
import type { DrainSummary, LabelledKind, PolicySummary } from '../../shared/console-api/operations/policies.ts';
import type { OutputOf } from '../../shared/console-api/operations.ts';
import { elasticWorkloads } from '../../shared/elastic-workload/elastic-workload.ts';
import { managedClusters } from '../../shared/elastic-workload/managed-cluster.ts';
import { bindingKey } from '../../shared/karmada/binding.ts';
import { memberClusters } from '../../shared/karmada/member-cluster.ts';
import { apiVersionOf, type LabelledResource, type Resource } from '../../shared/kubernetes/resource.ts';
import { workloadKinds } from '../../shared/kubernetes/workload-metadata.ts';
import { clusterDrains } from '../../shared/rebalance-policy/cluster-drain.ts';
import {
  type PoliciesOfHub,
  type RebalancePolicy,
  rebalancePolicies,
} from '../../shared/rebalance-policy/rebalance-policy.ts';

export function policiesAnswer({ policies, drains }: PoliciesOfHub): OutputOf<'listPolicies'> {
  return {
    policies: byName(policies).map(policySummary),
    drains: byName(drains).map((drain): DrainSummary => ({ ...policySummary(drain), cluster: drain.drains ?? '' })),
  };
}

function byName(policies: readonly RebalancePolicy[]): readonly RebalancePolicy[] {
  return policies.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function policySummary({ name, spec, status }: RebalancePolicy): PolicySummary {
  const { state, message, nextScheduleTime, lastRun } = status;
  return {
    name,
    ...(state !== undefined && { state }),
    ...(message !== undefined && { message }),
    suspended: spec.suspend,
    dryRun: spec.dryRun,
    ...(nextScheduleTime !== undefined && { nextRunAt: nextScheduleTime }),
    ...(lastRun !== undefined && { lastRun: runSummary(lastRun) }),
  };
}

function runSummary(lastRun: NonNullable<RebalancePolicy['status']['lastRun']>): PolicySummary['lastRun'] {
  const { name: run, state, startedAt, finishedAt, waves, wavesDone, moved } = lastRun;
  return { run, state, startedAt, ...(finishedAt !== undefined && { finishedAt }), waves, wavesDone, moved };
}

const ofObject = (kind: Resource<unknown>): LabelledResource => ({ kind, keyOf: (key) => key });
const ofWorkload = (kind: Resource<unknown>): LabelledResource => ({
  kind,
  keyOf: (key) => bindingKey({ apiVersion: apiVersionOf(kind), kind: kind.kind, ...key }),
});

export const labelledResources: Readonly<Record<LabelledKind, readonly LabelledResource[]>> = {
  clusters: [ofObject(memberClusters), ofObject(managedClusters)],
  workloads: [...workloadKinds.map(ofWorkload), ...elasticWorkloads.map(ofObject)],
  policies: [ofObject(rebalancePolicies)],
  drains: [ofObject(clusterDrains)],
};
