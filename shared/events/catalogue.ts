/** Every event there is. docs/events.md is made from this and from the routes. */
import { BindingChanged } from './catalogue/binding-changed.ts';
import { BindingStatusChanged } from './catalogue/binding-status-changed.ts';
import { ClusterChanged } from './catalogue/cluster-changed.ts';
import { DeschedulingChunkPlanned } from './catalogue/descheduling-chunk-planned.ts';
import { DeschedulingDue } from './catalogue/descheduling-due.ts';
import { ElasticWorkloadChanged } from './catalogue/elastic-workload-changed.ts';
import { ElasticWorkloadDue } from './catalogue/elastic-workload-due.ts';
import { HubTokenCheckDue } from './catalogue/hub-token-check-due.ts';
import { ManagedClusterChanged } from './catalogue/managed-cluster-changed.ts';
import { ManifestWorkChanged } from './catalogue/manifest-work-changed.ts';
import { PlacementDecisionChanged } from './catalogue/placement-decision-changed.ts';
import { PoliciesDue } from './catalogue/policies-due.ts';
import { PolicyRunDue } from './catalogue/policy-run-due.ts';
import { PropagationPolicyChanged } from './catalogue/propagation-policy-changed.ts';
import { RebalanceChunkPlanned } from './catalogue/rebalance-chunk-planned.ts';
import { RebalanceFinished } from './catalogue/rebalance-finished.ts';
import { RebalancePolicyChanged } from './catalogue/rebalance-policy-changed.ts';
import { RebalanceProgressed } from './catalogue/rebalance-progressed.ts';
import { RebalanceReported } from './catalogue/rebalance-reported.ts';
import { RebalancerExpiryDue } from './catalogue/rebalancer-expiry-due.ts';
import { ReductionDue } from './catalogue/reduction-due.ts';
import { ReschedulingCheckDue } from './catalogue/rescheduling-check-due.ts';
import { ResyncDue } from './catalogue/resync-due.ts';
import { WorkloadRebalancerChanged } from './catalogue/workload-rebalancer-changed.ts';

export const catalogue = {
  WorkloadRebalancerChanged,
  RebalanceChunkPlanned,
  RebalanceProgressed,
  RebalanceFinished,
  RebalanceReported,
  RebalancerExpiryDue,
  ReschedulingCheckDue,
  ResyncDue,
  BindingChanged,
  DeschedulingDue,
  DeschedulingChunkPlanned,
  RebalancePolicyChanged,
  ClusterChanged,
  PoliciesDue,
  PolicyRunDue,
  BindingStatusChanged,
  PropagationPolicyChanged,
  ReductionDue,
  ElasticWorkloadChanged,
  PlacementDecisionChanged,
  ManagedClusterChanged,
  ManifestWorkChanged,
  ElasticWorkloadDue,
  HubTokenCheckDue,
} as const;

export type EventType = keyof typeof catalogue;
