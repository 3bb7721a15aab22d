/** Access control of the hook for a hub, and the hub's account name for Evenkeel. Contains no credential of a hub. */

import type { HubFeature } from './hub-features.ts';

/** The caller's credentials in the request; a missing part is empty. */
export interface Caller {
  readonly bearer: string;
  /** Subject of the client certificate that the endpoint has verified against its truststore. */
  readonly subject: string;
}

export interface HookAccess {
  /** Whether the caller may publish events for the hub; also false for an unknown hub. */
  mayRaiseEvents(hub: string, caller: Caller): Promise<boolean>;
  /** Whether this is a key of the hub's admission webhook; also false for an unknown hub. */
  holdsReviewKey(hub: string, key: string): Promise<boolean>;
  /** Whether the hub is registered with the feature; false for an unknown hub. */
  uses(hub: string, feature: HubFeature): Promise<boolean>;
  /** Our user name on the hub; undefined if its record does not contain it. */
  accountOf(hub: string): Promise<string | undefined>;
}
