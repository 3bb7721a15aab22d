/** The connections of hubs, for whoever renews the credentials in them. Everybody else sees a hub that is connected. */

export interface HubConnections {
  /** The token that the connection holds; undefined where it holds a credential of another kind. */
  readToken(hub: string): Promise<string | undefined>;
  /** A new token for the account that the present one is for, made by the hub. Both are valid from then on. */
  requestToken(hub: string, seconds: number): Promise<string>;
  /** Puts the new token in the place of the old one. `changed`: somebody else has written the connection since it was read, and theirs stays. */
  replaceToken(hub: string, change: { readonly from: string; readonly to: string }): Promise<'done' | 'changed'>;
}
