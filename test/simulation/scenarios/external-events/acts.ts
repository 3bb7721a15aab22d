/** Acts on a fleet whose policies act on events from outside: events are sent, alerts fire, policies and clusters change; and those of a fleet. */
import type { CommonAct } from '../common-acts.ts';
import type { Act as FleetAct } from '../fleet/acts.ts';
import type { Entries, Identity, SentEvent } from './parts.ts';

/** How an event travels: milliseconds until it arrives, and how often it does. */
export type Travel = {
  readonly lateMs: number;
  readonly copies: number;
};

export type Act =
  | ({ readonly do: 'send' } & SentEvent & Travel)
  | ({ readonly do: 'own event'; readonly stage: string; readonly member?: string } & Travel)
  | { readonly do: 'garbage' }
  | { readonly do: 'alert'; readonly name: string; readonly member?: string; readonly isFiring: boolean }
  | { readonly do: 'policy for events'; readonly name: string; readonly entries: Entries; readonly suspend: boolean }
  | { readonly do: 'delete policy for events'; readonly name: string }
  | { readonly do: 'identity'; readonly member: string; readonly identity: Identity }
  | { readonly do: 'delete cluster'; readonly member: string }
  | { readonly do: 'join cluster'; readonly member: string }
  | Exclude<FleetAct, CommonAct>
  | CommonAct;
