/**
 * The key in the path of a hub's admission webhook, for API servers that can present no credential to one.
 *
 * An API server calls an admission webhook by its URL alone, unless it is started with a file of credentials for that.
 * So the URL itself must be unguessable, although users with read access to webhook configurations or to the API
 * server's log can see it. Therefore the key is a one-way hash of a hook token: it grants access to the review, which reveals
 * and changes nothing, and not to the receiver of events. Renewing the token renews it.
 */
import { createHmac } from 'node:crypto';

export function reviewKeyOf(hub: string, hookToken: string): string {
  return createHmac('sha256', hookToken).update(`evenkeel admission ${hub}`).digest('base64url');
}
