/** Acts on one of many hubs, and on the deployment that serves all of them. */
import type { Outage } from '../../system/hub-client.ts';
import type { CommonAct } from '../common-acts.ts';
import type { Act as RebalancerAct } from '../rebalancers/acts.ts';

export type Act =
  | { readonly do: 'on hub'; readonly hub: string; readonly act: RebalancerAct }
  | { readonly do: 'outage'; readonly hub: string; readonly outage: Outage }
  | { readonly do: 'outage over'; readonly hub: string }
  /** So many changes of objects at once, each of another object. */
  | { readonly do: 'flood'; readonly hub: string; readonly changes: number }
  /** The schedule of the deployment, which fires every minute. */
  | { readonly do: 'schedule' }
  | CommonAct;
