/** Acts on a fleet: members fail, fill up and recover; users scale, edit and rebalance workloads, and keep a policy. */
import type { CommonAct } from '../common-acts.ts';

export type PolicySpec = 'home' | 'slow' | 'dry run' | 'graceful only' | 'suspended';
export type PlacementName = 'dynamic' | 'aggregated' | 'static' | 'two of them' | 'one of them';

export type Act =
  | { readonly do: 'fail'; readonly member: string }
  | { readonly do: 'recover'; readonly member: string }
  | { readonly do: 'evict'; readonly member: string }
  | { readonly do: 'capacity'; readonly member: string; readonly slots: number }
  | { readonly do: 'ready after'; readonly member: string; readonly ms: number }
  | { readonly do: 'scale'; readonly workload: string; readonly replicas: number }
  | { readonly do: 'template'; readonly workload: string; readonly version: number }
  | { readonly do: 'placement'; readonly workload: string; readonly placement: PlacementName }
  | { readonly do: 'rebalance'; readonly name: string; readonly workloads: readonly string[] }
  | { readonly do: 'policy'; readonly spec: PolicySpec }
  | { readonly do: 'delete policy' }
  | { readonly do: 'scheduler down' }
  | { readonly do: 'scheduler up' }
  | CommonAct;
