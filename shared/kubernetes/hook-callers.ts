/** Credentials of the hook's callers: their digests in a hub's record, so that internet-facing functions need no access to a hub's connection. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Caller } from './hook-access.ts';
import type { HookCallers } from './hub-registry.ts';

/** The part of a connection that names the callers of the hook. */
export interface CallerCredentials {
  readonly hookTokens: readonly string[];
  readonly hookSubjects?: readonly string[] | undefined;
}

/** Contains no token and no review key. Tokens are random and long, so that a plain digest can't be reversed. */
export function callersOf(hub: string, { hookTokens, hookSubjects = [] }: CallerCredentials): HookCallers {
  return {
    tokenDigests: hookTokens.map(digestOf),
    reviewKeyDigests: hookTokens.map((token) => digestOf(reviewKeyOf(hub, token))),
    subjects: [...hookSubjects],
  };
}

/**
 * The key in the path of a hub's admission webhook, for API servers that can present no credential to one.
 *
 * An API server calls an admission webhook by its URL alone, unless it is started with a file of credentials for that.
 * So the URL itself must be unguessable, although users with read access to webhook configurations or to the API
 * server's log can see it. Therefore the key is a one-way hash of a hook token: it grants access to the review, which reveals
 * and changes nothing, and not to the receiver of events. Renewing the token renews it.
 */
export function reviewKeyOf(hub: string, hookToken: string): string {
  return createHmac('sha256', hookToken).update(`evenkeel admission ${hub}`).digest('base64url');
}

/** Whether the caller presents a token or a certificate subject of these callers. */
export function hasCaller({ tokenDigests, subjects }: HookCallers, { bearer, subject }: Caller): boolean {
  return isDigested(bearer, tokenDigests) || isDigested(subject, subjects.map(digestOf));
}

/** Whether it is a key of the admission webhook of these callers. */
export function hasReviewKey({ reviewKeyDigests }: HookCallers, key: string): boolean {
  return isDigested(key, reviewKeyDigests);
}

/** In constant time: the digests have one length, and every one is compared. */
function isDigested(text: string, digests: readonly string[]): boolean {
  const given = Buffer.from(digestOf(text));
  return digests.map((candidate) => timingSafeEqual(Buffer.from(candidate), given)).includes(true) && text !== '';
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
