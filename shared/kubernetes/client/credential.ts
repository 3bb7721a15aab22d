/** The credential of a request. It is read per request, so that a renewed token needs no new pool of connections. */
import { readFile } from 'node:fs/promises';
import { Fault } from '../../core/fault.ts';
import { SECOND } from '../../core/time.ts';
import type { Connection, EksCluster } from './connection.ts';

export interface Credential {
  /** The bearer token; undefined if a client certificate is used instead. */
  bearer(): Promise<string | undefined>;
  /** Called after the hub rejected the token: drops the cached one. */
  forget(): void;
}

/** Creates a token for an EKS cluster; it is valid for 15 minutes. */
export type EksTokens = (cluster: EksCluster) => Promise<string>;

export interface CredentialParts {
  readonly eksTokens?: EksTokens | undefined;
  /** A monotonic time in milliseconds. */
  readonly now?: () => number;
}

/** An EKS token is valid for 15 minutes; five are a reserve for requests in flight and clock skew. */
const EKS_KEEP_MS = 10 * 60 * SECOND;
/** A kubelet replaces the token in the file at 80 % of its lifetime, so a short delay is safe. */
const FILE_KEEP_MS = 10 * SECOND;

export function credentialOf(connection: Connection, parts: CredentialParts = {}): Credential {
  const { token, tokenFile, eksCluster } = connection;
  const now = parts.now ?? (() => performance.now());
  if (tokenFile !== undefined) return kept(() => readToken(tokenFile), FILE_KEEP_MS, now);
  if (eksCluster !== undefined) return kept(() => eksToken(eksCluster, parts.eksTokens), EKS_KEEP_MS, now);
  return { bearer: async () => token, forget: () => undefined };
}

/** Cached for `keepMs`; a failure is not cached. */
function kept(make: () => Promise<string>, keepMs: number, now: () => number): Credential {
  let last: { readonly token: Promise<string>; readonly until: number } | undefined;
  const forget = () => {
    last = undefined;
  };
  return {
    forget,
    bearer: async () => {
      if (last === undefined || now() >= last.until) last = { token: make(), until: now() + keepMs };
      const mine = last;
      try {
        return await mine.token;
      } catch (thrown) {
        if (last === mine) forget();
        throw thrown;
      }
    },
  };
}

async function readToken(file: string): Promise<string> {
  try {
    const token = (await readFile(file, 'utf8')).trim();
    if (token !== '') return token;
  } catch (thrown) {
    throw noToken(`tokenFile ${file} cannot be read: ${(thrown as NodeJS.ErrnoException).code ?? 'unknown'}`);
  }
  throw noToken(`tokenFile ${file} is empty`);
}

async function eksToken(cluster: EksCluster, eksTokens: EksTokens | undefined): Promise<string> {
  if (eksTokens === undefined) throw noToken(`nothing here can sign a token for the EKS cluster ${cluster.name}`);
  return eksTokens(cluster);
}

function noToken(what: string): Fault {
  return new Fault('retryable', what, { reason: 'NoCredential' });
}
