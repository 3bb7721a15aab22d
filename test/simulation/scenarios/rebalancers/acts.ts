/** Acts of users and of the hub's scheduler on rebalancers and bindings. */
import type { CommonAct } from '../common-acts.ts';

export type Act =
  | { readonly do: 'create'; readonly name: string; readonly workloads: readonly string[]; readonly ttl?: number }
  | { readonly do: 'edit list'; readonly name: string; readonly workloads: readonly string[] }
  | { readonly do: 'edit ttl'; readonly name: string; readonly ttl: number | null }
  | { readonly do: 'label'; readonly name: string }
  | { readonly do: 'delete'; readonly name: string }
  | { readonly do: 'bind'; readonly workload: string }
  | { readonly do: 'unbind'; readonly workload: string }
  | { readonly do: 'schedule'; readonly workload: string }
  | { readonly do: 'trigger'; readonly workload: string }
  | { readonly do: 'scheduler down' }
  | { readonly do: 'scheduler up' }
  | CommonAct;
