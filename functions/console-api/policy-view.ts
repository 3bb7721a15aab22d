/** The views of RebalancePolicies and ClusterDrains, and the kinds that labels select. */
import type {
  DrainSummary,
  LabelledKind,
  PolicyDetails,
  PolicySummary,
} from '../../shared/console-api/operations/policies.ts';
import type { OutputOf } from '../../shared/console-api/operations.ts';
import { listed } from '../../shared/core/count.ts';
import { type Instant, toTimestamp } from '../../shared/core/time.ts';
import { elasticWorkloads } from '../../shared/elastic-workload/elastic-workload.ts';
import { managedClusters } from '../../shared/elastic-workload/managed-cluster.ts';
import { bindingKey } from '../../shared/karmada/binding.ts';
import { memberClusters } from '../../shared/karmada/member-cluster.ts';
import { apiVersionOf, type LabelledResource, type Resource } from '../../shared/kubernetes/resource.ts';
import { workloadKinds } from '../../shared/kubernetes/workload-metadata.ts';
import { closesAt, opensAt } from '../../shared/rebalance-policy/calendar.ts';
import { clusterDrains } from '../../shared/rebalance-policy/cluster-drain.ts';
import {
  type PoliciesOfHub,
  type PolicySpec,
  type RebalancePolicy,
  rebalancePolicies,
  windowsOf,
} from '../../shared/rebalance-policy/rebalance-policy.ts';

export function policiesAnswer({ policies, drains }: PoliciesOfHub, now: Instant): OutputOf<'listPolicies'> {
  return {
    policies: byName(policies).map((policy) => policyDetails(policy, now)),
    drains: byName(drains).map((drain): DrainSummary => ({ ...policySummary(drain), cluster: drain.drains ?? '' })),
  };
}

function policyDetails(policy: RebalancePolicy, now: Instant): PolicyDetails {
  const { spec, status } = policy;
  const conditions = (status.conditions ?? []).map(({ type, status: is, reason, message, lastTransitionTime }) => ({
    ...{ type, status: is, reason, message, changedAt: lastTransitionTime },
  }));
  return {
    ...policySummary(policy),
    ...{ triggers: triggerTexts(spec), windows: windowTexts(spec), ...windowTimes(spec, now), conditions },
  };
}

function triggerTexts({ triggers }: PolicySpec): string[] {
  const { clusterRecovered, clusterJoined, capacityFreed, schedule, imbalance, externalEvents, pressure, price } =
    triggers;
  return [
    clusterRecovered && `when a cluster has been healthy again for ${clusterRecovered.stableFor}`,
    clusterJoined && `when a new cluster has been healthy for ${clusterJoined.stableFor}`,
    capacityFreed && 'when capacity is freed',
    schedule && `on the schedule ${schedule.cron} (${schedule.timeZone})`,
    imbalance && `when ${imbalance.percent}% of a workload would move`,
    externalEvents && `on ${listed(externalEvents.flatMap(({ types }) => types ?? 'events that match an expression'))}`,
    pressure && `when a cluster is over ${pressure.high}% of its ${pressure.resources.join(' or ')}`,
    price && `when a move saves more than it disrupts (score of ${price.minScore}%)`,
  ].filter((text) => text !== undefined);
}

function windowTimes(spec: PolicySpec, now: Instant): Pick<PolicyDetails, 'windowClosesAt' | 'windowOpensAt'> {
  const windows = windowsOf(spec);
  if (windows.length === 0) return {};
  const closing = windows.flatMap((window) => closesAt(window, now) ?? []);
  if (closing.length > 0) return { windowClosesAt: toTimestamp(Math.max(...closing)) };
  const opens = opensAt(windows, now);
  return Number.isFinite(opens) ? { windowOpensAt: toTimestamp(opens) } : {};
}

function windowTexts({ strategy }: PolicySpec): string[] {
  return (strategy.windows ?? []).map(({ cron, timeZone, duration }) => `${duration} from ${cron} (${timeZone})`);
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
