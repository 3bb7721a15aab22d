/** The connections of hubs, for functions that renew credentials or pause a hub. All others use a connected hub. */
import type { Pause } from './hub-pause.ts';

export interface HubConnections {
  /** The token in the connection; undefined for a credential of another kind. */
  readToken(hub: string): Promise<string | undefined>;
  /** A new token of the hub for the current token's account. Both are valid from then on. */
  requestToken(hub: string, seconds: number): Promise<string>;
  /** Replaces the old token. `changed`: another client has replaced it, and that token is kept. */
  replaceToken(hub: string, change: { readonly from: string; readonly to: string }): Promise<'done' | 'changed'>;
  /** Preserves concurrent changes of other fields. Returns the effective pause: an existing pause is kept. */
  pause(hub: string, pause: Pause): Promise<Pause>;
  /** Returns the pause that was ended; undefined if there was none. */
  resume(hub: string): Promise<Pause | undefined>;
}
