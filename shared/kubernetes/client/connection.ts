/** A hub's connection: the content of its secret, so that the functions need no kubeconfig. */
import * as z from 'zod/mini';
import { Fault } from '../../core/fault.ts';
import { fieldError } from '../../core/field-error.ts';
import { fromTimestamp } from '../../core/time.ts';
import type { Pause } from '../hub-pause.ts';

/** An EKS cluster, whose API server accepts a token signed by an AWS identity. */
export interface EksCluster {
  readonly name: string;
  readonly region: string;
}

/** How replicas in a hub's members are estimated. */
export type EstimatorChoice =
  | ({ readonly kind: 'scheduler-estimator' } & SchedulerEstimator)
  | { readonly kind: 'pods' };

/** karmada-scheduler-estimator: its address and the mutual TLS credentials, all in PEM. */
export interface SchedulerEstimator {
  /** HOST:PORT. `{cluster}` is replaced by the member's name; without it, one address serves all members. */
  readonly address: string;
  readonly caData: string;
  readonly certificateData: string;
  readonly keyData: string;
}

export interface Connection {
  /** https, or http on loopback only. */
  readonly server: string;
  /** PEM of the CA that signed the server's certificate; the system's roots if absent. */
  readonly caData?: string | undefined;
  readonly token?: string | undefined;
  /** A file with a token that another process renews; for a process inside the cluster. */
  readonly tokenFile?: string | undefined;
  readonly eksCluster?: EksCluster | undefined;
  /** PEM of a client certificate and its key, together. */
  readonly clientCertificateData?: string | undefined;
  readonly clientKeyData?: string | undefined;
  /** Tokens that may publish events for this hub; two during a rotation. */
  readonly hookTokens: readonly string[];
  /** Subjects of client certificates with the same permission, if the hook's domain requires mutual TLS. */
  readonly hookSubjects?: readonly string[] | undefined;
  /** Our user name on the hub, so that our own writes are not taken for those of users. */
  readonly account?: string | undefined;
  /** Absent if only the hub's own reports are used. */
  readonly estimator?: EstimatorChoice | undefined;
  /** Of an earlier version, whose pauses were here; they are in the record now. */
  readonly paused?: Pause | undefined;
}

/** The stored format of a pause. */
const paused = z.object({
  since: z.string().check(z.refine((text) => fromTimestamp(text) !== undefined, 'is not a time in RFC 3339')),
  reason: z.string(),
  by: z.optional(z.string()),
});

const certificate = z.string().check(z.regex(/-----BEGIN CERTIFICATE-----/, 'is not a certificate in PEM'));
const estimator = z.discriminatedUnion(
  'kind',
  [
    z.object({
      kind: z.literal('scheduler-estimator'),
      address: z
        .string()
        .check(z.refine(isEstimatorAddress, 'is not HOST:PORT, with {cluster} for the name of the member')),
      caData: certificate,
      certificateData: certificate,
      keyData: z.string().check(z.regex(/-----BEGIN [A-Z ]*PRIVATE KEY-----/, 'is not a private key in PEM')),
    }),
    z.object({ kind: z.literal('pods') }),
  ],
  "must be 'scheduler-estimator' or 'pods'",
);

const schema = z.object({
  server: z.string(),
  caData: z.optional(z.string()),
  token: z.optional(z.string()),
  tokenFile: z.optional(z.string()),
  eksCluster: z.optional(
    z.object({
      name: z.string().check(z.regex(/^[0-9A-Za-z][0-9A-Za-z_-]{0,99}$/, 'is not the name of an EKS cluster')),
      region: z.string().check(z.regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'is not an AWS region')),
    }),
  ),
  clientCertificateData: z.optional(z.string()),
  clientKeyData: z.optional(z.string()),
  account: z.optional(z.string()),
  hookTokens: z._default(z.array(z.string().check(z.minLength(16, 'must have at least 16 characters'))), []),
  hookSubjects: z.optional(z.array(z.string().check(z.minLength(1, 'is empty')))),
  estimator: z.optional(estimator),
  paused: z.optional(paused),
});

/** Parses a secret; a terminal Fault names the hub and the field, and never contains a value. */
export function parseConnection(hub: string, text: string): Connection {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalid(hub, 'it is not JSON');
  }
  const parsed = z.safeParse(schema, json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw invalid(hub, issue ? `${issue.path.join('.')} ${fieldError(issue)}` : 'it is invalid');
  }
  const wrong = wrongServer(parsed.data.server);
  if (wrong) throw invalid(hub, wrong);
  if ((parsed.data.clientCertificateData === undefined) !== (parsed.data.clientKeyData === undefined)) {
    throw invalid(hub, 'clientCertificateData and clientKeyData go together');
  }
  const tokens = bearers.filter((field) => parsed.data[field] !== undefined);
  if (tokens.length > 1) throw invalid(hub, `${tokens.join(' and ')} are two credentials; keep one`);
  const { paused: pause, ...connection } = parsed.data;
  if (pause === undefined) return connection;
  return { ...connection, paused: { ...pause, since: fromTimestamp(pause.since) ?? 0 } };
}

/** HOST:PORT, with {cluster} for the member's name. Without a port, 443 would be used, which no estimator serves. */
export function isEstimatorAddress(text: string): boolean {
  const address = text.replaceAll('{cluster}', 'member');
  return /^[^/@?#\s]+:\d+$/.test(address) && URL.canParse(`https://${address}`);
}

const bearers = ['token', 'tokenFile', 'eksCluster'] as const;

/** The kind of a connection's credential, for display. */
type CredentialKind = 'token' | 'token file' | 'EKS' | 'client certificate' | 'none';

function credentialKind(connection: Connection): CredentialKind {
  if (connection.token !== undefined) return 'token';
  if (connection.tokenFile !== undefined) return 'token file';
  if (connection.eksCluster !== undefined) return 'EKS';
  return connection.clientCertificateData === undefined ? 'none' : 'client certificate';
}

/** Whether a deployed function may use it; throws a terminal Fault with the reason otherwise. */
export function assertUsableFromSecret(hub: string, connection: Connection): void {
  const kind = credentialKind(connection);
  if (kind === 'none') throw invalid(hub, 'it holds no credential; evenkeel hub add makes one');
  // A file on the function's own machine may hold another secret, which would be sent to the server that the connection names.
  if (kind === 'token file') throw invalid(hub, 'tokenFile is for a process inside the cluster; put token there');
}

function wrongServer(server: string): string | undefined {
  if (!URL.canParse(server)) return 'server is not a URL';
  const { protocol, hostname, username } = new URL(server);
  if (username !== '') return 'server holds a user name; credentials have fields of their own';
  if (protocol === 'https:') return undefined;
  const loopback = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  return protocol === 'http:' && loopback ? undefined : 'server must be https (http is for loopback only)';
}

function invalid(hub: string, what: string): Fault {
  return new Fault('terminal', `the connection of hub ${hub} cannot be used: ${what}`, { reason: 'InvalidConnection' });
}
