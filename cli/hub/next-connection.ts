/** Decides the new content of a hub's secret after `hub add` or `hub set`, from its current content. */
import { Fault } from '../../shared/core/fault.ts';
import { toTimestamp } from '../../shared/core/time.ts';
import { readAccountToken } from '../../shared/kubernetes/account-token.ts';
import type { EstimatorChoice } from '../../shared/kubernetes/client/connection.ts';

/** The content of a secret, including fields that this version does not define. */
export type StoredConnection = Readonly<Record<string, unknown>>;

export interface ConnectionSource {
  readonly server: string;
  readonly caData?: string | undefined;
  readonly credential: { readonly token: string } | { readonly eksCluster: { name: string; region: string } };
  /** The user name of Evenkeel on the hub. */
  readonly account: string;
}

/** During a token rotation two are valid; more would be forgotten and stay valid. */
const HOOK_TOKENS = 2;
/** `paused` is of earlier versions; the pause is in the hub's record. */
const replaced = ['token', 'tokenFile', 'eksCluster', 'clientCertificateData', 'clientKeyData', 'caData', 'paused'];

export function readStoredConnection(hub: string, text: string | undefined): StoredConnection {
  if (text === undefined || text.trim() === '') return {};
  try {
    const held: unknown = JSON.parse(text);
    if (typeof held === 'object' && held !== null && !Array.isArray(held)) return held as StoredConnection;
  } catch {
    // The Fault below replaces the parser's message, which would show a part of the secret.
  }
  throw new Fault(
    'terminal',
    `the secret of hub ${hub} holds something that is no connection; write {} into it first`,
    {
      reason: 'InvalidConnection',
    },
  );
}

export function hookTokensOf(held: StoredConnection): readonly string[] {
  const tokens: readonly unknown[] = Array.isArray(held.hookTokens) ? held.hookTokens : [];
  return tokens.filter((token) => typeof token === 'string');
}

/** Newest first. A token that is already in the list changes nothing, so that a second run does not remove one in use. */
export function addHookToken(tokens: readonly string[], token: string): readonly string[] {
  return tokens.includes(token) ? tokens : [token, ...tokens].slice(0, HOOK_TOKENS);
}

export function connected(
  held: StoredConnection,
  way: ConnectionSource,
  hookTokens: readonly string[],
): StoredConnection {
  const { server, caData, credential, account } = way;
  return {
    ...without(held, replaced),
    server,
    ...(caData !== undefined && { caData }),
    ...credential,
    account,
    hookTokens,
  };
}

/** The current value is kept unless another is given. */
export function withEstimator(next: StoredConnection, named: EstimatorChoice | 'none' | undefined): StoredConnection {
  if (named === undefined) return next;
  return { ...without(next, ['estimator']), ...(named !== 'none' && { estimator: named }) };
}

/** When the token of a connection expires: a time; "never" if it does not expire or is renewed automatically; "" if unknown. */
export function expiryOf({ token, eksCluster }: StoredConnection): string {
  if (eksCluster !== undefined) return 'never';
  const read = typeof token === 'string' ? readAccountToken(token) : undefined;
  if (read === undefined) return '';
  return read.expiresAt === undefined ? 'never' : toTimestamp(read.expiresAt);
}

function without(held: StoredConnection, fields: readonly string[]): StoredConnection {
  return Object.fromEntries(Object.entries(held).filter(([field]) => !fields.includes(field)));
}
