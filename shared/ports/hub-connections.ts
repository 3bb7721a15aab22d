/** The connections of hubs, for whoever renews the credentials in them or pauses a hub. Everybody else sees a hub that is connected. */
import type { Pause } from '../model/hub-pause.ts';

export interface HubConnections {
  /** The token that the connection holds; undefined where it holds a credential of another kind. */
  readToken(hub: string): Promise<string | undefined>;
  /** A new token for the account that the present one is for, made by the hub. Both are valid from then on. */
  requestToken(hub: string, seconds: number): Promise<string>;
  /** Puts the new token in the place of the old one. `changed`: somebody else has put another one there, and theirs stays. */
  replaceToken(hub: string, change: { readonly from: string; readonly to: string }): Promise<'done' | 'changed'>;
  /** Whatever else is written meanwhile stays. Returns the pause that holds now: one that held before stays as it was. */
  pause(hub: string, pause: Pause): Promise<Pause>;
  /** Returns the pause that was ended; undefined where there was none. */
  resume(hub: string): Promise<Pause | undefined>;
}
