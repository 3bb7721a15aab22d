/**
 * The key in the path of a hub's admission webhook, for API servers that can present no credential to one.
 *
 * An API server calls an admission webhook with its URL alone, unless it is started with a file of credentials for that.
 * So the URL itself has to be unguessable; and a URL is seen by whoever may read webhook configurations and the API
 * server's log. Therefore the key is made from a hook token by a one-way function: it opens the review, which reveals
 * and changes nothing, and not the receiver of events; and it is renewed by renewing the token.
 */
import { createHmac } from 'node:crypto';

export function reviewKeyOf(hub: string, hookToken: string): string {
  return createHmac('sha256', hookToken).update(`evenkeel admission ${hub}`).digest('base64url');
}
