/** Acts on an Open Cluster Management fleet: managed clusters fail, fill up, join and are scaled by their own users; users of the hub write ElasticWorkloads and placements. */
import type { CommonAct } from '../common-acts.ts';
import type { BalanceName, DistributionName, PlacementName, Transfer, WorkloadName } from './parts.ts';

export type Act =
  | {
      readonly do: 'create';
      readonly workload: WorkloadName;
      readonly total: number;
      readonly distribution: DistributionName;
      readonly balance: BalanceName;
      readonly transfer: Transfer;
      readonly hesitation: number;
    }
  | { readonly do: 'delete'; readonly workload: WorkloadName }
  | { readonly do: 'total'; readonly workload: WorkloadName; readonly total: number }
  | { readonly do: 'distribution'; readonly workload: WorkloadName; readonly distribution: DistributionName }
  | {
      readonly do: 'balance';
      readonly workload: WorkloadName;
      readonly balance: BalanceName;
      readonly transfer: Transfer;
      readonly hesitation: number;
    }
  | { readonly do: 'template'; readonly workload: WorkloadName; readonly version: number }
  | { readonly do: 'place by'; readonly workload: WorkloadName; readonly placement: string }
  | { readonly do: 'collect'; readonly workload: WorkloadName; readonly by: 'Feedback' | 'PollingGet' }
  | { readonly do: 'delete import' }
  | { readonly do: 'create import' }
  | { readonly do: 'placement'; readonly selects: PlacementName }
  | { readonly do: 'fail'; readonly managedCluster: string }
  | { readonly do: 'recover'; readonly managedCluster: string }
  | { readonly do: 'capacity'; readonly managedCluster: string; readonly slots: number }
  | { readonly do: 'ready after'; readonly managedCluster: string; readonly ms: number }
  | {
      readonly do: 'scale there';
      readonly managedCluster: string;
      readonly workload: WorkloadName;
      readonly replicas: number;
    }
  | { readonly do: 'join'; readonly managedCluster: string }
  | { readonly do: 'taint'; readonly managedCluster: string }
  | { readonly do: 'untaint'; readonly managedCluster: string }
  | { readonly do: 'delete work'; readonly managedCluster: string; readonly workload: WorkloadName }
  | {
      readonly do: 'edit work';
      readonly managedCluster: string;
      readonly workload: WorkloadName;
      readonly replicas: number;
    }
  /** A ManifestWork of `rival` for the target of `web`, from before either knew of the other. */
  | { readonly do: 'leave work of rival'; readonly managedCluster: string; readonly replicas: number }
  | CommonAct;
