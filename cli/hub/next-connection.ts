/** Decides what a hub's secret is to hold after `hub add` or `hub remove`, from what it holds now. */
import type { EstimatorChoice } from '../../shared/adapters/kubernetes/connection.ts';
import { readAccountToken } from '../../shared/model/account-token.ts';
import { Fault } from '../../shared/model/fault.ts';
import { toTimestamp } from '../../shared/model/time.ts';

/** What is in a secret, fields that this version does not know included. */
export type Held = Readonly<Record<string, unknown>>;

export interface WayIn {
  readonly server: string;
  readonly caData?: string | undefined;
  readonly credential: { readonly token: string } | { readonly eksCluster: { name: string; region: string } };
  /** The user name by which the hub knows us. */
  readonly account: string;
}

/** While one token replaces the other, both are valid; a third would be one that nobody thinks of any more. */
const HOOK_TOKENS = 2;
const credentials = ['token', 'tokenFile', 'eksCluster', 'clientCertificateData', 'clientKeyData', 'caData'];

export function readHeld(hub: string, text: string | undefined): Held {
  if (text === undefined || text.trim() === '') return {};
  try {
    const held: unknown = JSON.parse(text);
    if (typeof held === 'object' && held !== null && !Array.isArray(held)) return held as Held;
  } catch {
    // Said below; the parser's own message would show a piece of the secret.
  }
  throw new Fault(
    'terminal',
    `the secret of hub ${hub} holds something that is no connection; write {} into it first`,
    {
      reason: 'InvalidConnection',
    },
  );
}

export function hookTokensOf(held: Held): readonly string[] {
  const tokens: readonly unknown[] = Array.isArray(held.hookTokens) ? held.hookTokens : [];
  return tokens.filter((token) => typeof token === 'string');
}

/** The newest first. One that is there already changes nothing, so that a second run does not push out one that is in use. */
export function addHookToken(tokens: readonly string[], token: string): readonly string[] {
  return tokens.includes(token) ? tokens : [token, ...tokens].slice(0, HOOK_TOKENS);
}

export function connected(held: Held, way: WayIn, hookTokens: readonly string[]): Held {
  const { server, caData, credential, account } = way;
  return {
    ...without(held, credentials),
    server,
    ...(caData !== undefined && { caData }),
    ...credential,
    account,
    hookTokens,
  };
}

/** The one there was stays unless another is named. */
export function withEstimator(next: Held, named: EstimatorChoice | 'none' | undefined): Held {
  if (named === undefined) return next;
  return { ...without(next, ['estimator']), ...(named !== 'none' && { estimator: named }) };
}

/** Where the hub is stays, so that a list can name it; whatever opens it, or lets it in, goes. */
export function disconnected({ server, caData }: Held): Held {
  return {
    ...(server !== undefined && { server }),
    ...(caData !== undefined && { caData }),
    hookTokens: [],
  };
}

/** When the token of a connection ends: a time; "never" for one that does not or is made anew by itself; "" where it cannot be told. */
export function expiryOf({ token, eksCluster }: Held): string {
  if (eksCluster !== undefined) return 'never';
  const read = typeof token === 'string' ? readAccountToken(token) : undefined;
  if (read === undefined) return '';
  return read.expiresAt === undefined ? 'never' : toTimestamp(read.expiresAt);
}

function without(held: Held, fields: readonly string[]): Held {
  return Object.fromEntries(Object.entries(held).filter(([field]) => !fields.includes(field)));
}
