/** What a request presents to prove who we are. It is asked for each time, so that a renewed token is used without a new pool of connections. */
import { readFile } from 'node:fs/promises';
import { Fault } from '../../model/fault.ts';
import { SECOND } from '../../model/time.ts';
import type { Connection, EksCluster } from './connection.ts';

export interface Credential {
  /** The bearer token; undefined where none is sent, because a client certificate speaks for us. */
  bearer(): Promise<string | undefined>;
  /** The hub refused it: what is kept is not to be used again. */
  forget(): void;
}

/** Makes a token for a cluster of EKS; it is valid for 15 minutes. */
export type EksTokens = (cluster: EksCluster) => Promise<string>;

export interface CredentialParts {
  readonly eksTokens?: EksTokens | undefined;
  /** A clock that does not go back, in milliseconds. */
  readonly now?: () => number;
}

/** A token of EKS is valid for 15 minutes; five are left for requests under way and for clocks that differ. */
const EKS_KEEP_MS = 10 * 60 * SECOND;
/** A kubelet puts a new token into the file at 80 % of the old one's life: reading it a little late is early enough. */
const FILE_KEEP_MS = 10 * SECOND;

export function credentialOf(connection: Connection, parts: CredentialParts = {}): Credential {
  const { token, tokenFile, eksCluster } = connection;
  const now = parts.now ?? (() => performance.now());
  if (tokenFile !== undefined) return kept(() => readToken(tokenFile), FILE_KEEP_MS, now);
  if (eksCluster !== undefined) return kept(() => eksToken(eksCluster, parts.eksTokens), EKS_KEEP_MS, now);
  return { bearer: async () => token, forget: () => undefined };
}

/** Made once for all who ask within `keepMs`; what failed is made again for the next who asks. */
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
