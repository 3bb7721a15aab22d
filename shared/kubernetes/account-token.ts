/** The claims of a ServiceAccount's token: account, issue time and expiry. Unverified: only the hub can verify it. */
import * as z from 'zod/mini';
import { type Instant, SECOND } from '../core/time.ts';

/** A ServiceAccount on a hub. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
}

export interface AccountToken {
  readonly account: Account;
  readonly issuedAt: Instant;
  /** Absent in the tokens of old that do not expire. */
  readonly expiresAt: Instant | undefined;
}

const claims = z.object({
  sub: z.string(),
  iat: z._default(z.number(), 0),
  exp: z.optional(z.number()),
});

const USER = /^system:serviceaccount:(?<namespace>[^:]+):(?<name>[^:]+)$/;

/** Undefined if it is not the token of a ServiceAccount. */
export function readAccountToken(token: string): AccountToken | undefined {
  const parsed = z.safeParse(claims, payloadOf(token));
  const account = parsed.success ? accountOfUser(parsed.data.sub) : undefined;
  if (!parsed.success || account === undefined) return undefined;
  const { iat, exp } = parsed.data;
  return { account, issuedAt: iat * SECOND, expiresAt: exp === undefined ? undefined : exp * SECOND };
}

/** The user name of a ServiceAccount in an API server. */
export function userOfAccount({ namespace, name }: Account): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

function accountOfUser(user: string): Account | undefined {
  const { namespace, name } = USER.exec(user)?.groups ?? {};
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}

/** The middle one of three parts, as JSON. */
function payloadOf(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
