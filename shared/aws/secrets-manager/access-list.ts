/**
 * The access list of a hub's hook: digests of its callers' credentials, and the account name of Evenkeel on the hub. It is derived from the
 * hub's connection and saved in its own secret, so that internet-facing functions can't read a hub's credential.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { Fault } from '../../core/fault.ts';
import type { Caller } from '../../kubernetes/hook-access.ts';
import { reviewKeyOf } from './review-key.ts';

/** SHA-256 in hex. Tokens are random and long, so that a plain digest can't be reversed. */
const digest = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 digest in hex'));

const schema = z.object({
  hookTokenDigests: z.array(digest),
  reviewKeyDigests: z.array(digest),
  hookSubjects: z.array(z.string().check(z.minLength(1, 'is empty'))),
  account: z.optional(z.string()),
});

export type AccessList = z.output<typeof schema>;

/** The part of a connection that an access list is derived from. */
export interface HookCallers {
  readonly hookTokens: readonly string[];
  readonly hookSubjects?: readonly string[] | undefined;
  readonly account?: string | undefined;
}

/** The access list of a hub's connection; it holds no token and no credential. */
export function accessListOf(hub: string, { hookTokens, hookSubjects = [], account }: HookCallers): AccessList {
  return {
    hookTokenDigests: hookTokens.map(digestOf),
    reviewKeyDigests: hookTokens.map((token) => digestOf(reviewKeyOf(hub, token))),
    hookSubjects: [...hookSubjects],
    ...(account !== undefined && { account }),
  };
}

/** Reads a secret's text; a terminal Fault names the hub and the field, and never holds a value. */
export function parseAccessList(hub: string, text: string | undefined): AccessList {
  if (text === undefined) throw invalid(hub, 'is empty');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalid(hub, 'is not JSON');
  }
  const parsed = z.safeParse(schema, json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw invalid(hub, `${issue?.path.join('.') ?? ''} is missing or not as evenkeel writes it`);
}

function invalid(hub: string, what: string): Fault {
  const remedy = `evenkeel hub allow-callers ${hub} writes it from the hub's connection`;
  return new Fault('terminal', `the hook access of hub ${hub} cannot be used: ${what}; ${remedy}`, {
    reason: 'InvalidHookAccess',
  });
}

/** Whether the access list has the caller's token or certificate subject. */
export function hasCaller(list: AccessList, { bearer, subject }: Caller): boolean {
  return isDigested(bearer, list.hookTokenDigests) || isDigested(subject, list.hookSubjects.map(digestOf));
}

/** Whether the access list has this key of the admission webhook. */
export function hasReviewKey({ reviewKeyDigests }: AccessList, key: string): boolean {
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
