/** The acts of rebalancers, a backup of the hub, and a disaster. */
import type { Act as RebalancerAct } from '../rebalancers/acts.ts';
import type { DisasterName } from './disasters.ts';

export type Act =
  | RebalancerAct
  | { readonly do: 'backup' }
  | { readonly do: 'disaster'; readonly disaster: DisasterName }
  | { readonly do: 'disaster over'; readonly disaster: DisasterName };
