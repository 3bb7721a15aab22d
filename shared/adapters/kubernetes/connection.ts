/** A hub's connection: what its secret holds, so that the functions need no kubeconfig. */
import * as z from 'zod/mini';
import { Fault } from '../../model/fault.ts';
import type { Pause } from '../../model/hub-pause.ts';
import { fromTimestamp, toTimestamp } from '../../model/time.ts';

/** A cluster of EKS, whose API server takes a token that an AWS identity signed for it. */
export interface EksCluster {
  readonly name: string;
  readonly region: string;
}

/** By what the replicas in a hub's members are counted. */
export type EstimatorChoice =
  | ({ readonly kind: 'scheduler-estimator' } & SchedulerEstimator)
  | { readonly kind: 'pods' };

/** karmada-scheduler-estimator: where the members' own are, and by what they and we prove who we are. PEM all three. */
export interface SchedulerEstimator {
  /** HOST:PORT. `{cluster}` in it stands for the member's name; without it, one address answers for all members. */
  readonly address: string;
  readonly caData: string;
  readonly certificateData: string;
  readonly keyData: string;
}

export interface Connection {
  /** https, or http on loopback only. */
  readonly server: string;
  /** PEM of the CA that signed the server's certificate; the system's roots where absent. */
  readonly caData?: string | undefined;
  readonly token?: string | undefined;
  /** A file with a token that somebody else renews; for a process inside the cluster. */
  readonly tokenFile?: string | undefined;
  readonly eksCluster?: EksCluster | undefined;
  /** PEM of a client certificate and its key, together. */
  readonly clientCertificateData?: string | undefined;
  readonly clientKeyData?: string | undefined;
  /** Tokens that may raise events for this hub; two while one replaces the other. */
  readonly hookTokens: readonly string[];
  /** Subjects of client certificates that may do the same, where the hook's domain asks for certificates (mutual TLS). */
  readonly hookSubjects?: readonly string[] | undefined;
  /** The user name by which the hub knows us, so that what we write is not taken for somebody's wish. */
  readonly account?: string | undefined;
  /** Absent where nobody is asked, and the hub's own reports are all that is known. */
  readonly estimator?: EstimatorChoice | undefined;
  /** While it is there, nothing is written on the hub. */
  readonly paused?: Pause | undefined;
}

/** A pause as it is kept. */
const paused = z.object({
  since: z.string().check(z.refine((text) => fromTimestamp(text) !== undefined, 'is not a time in RFC 3339')),
  reason: z.string(),
});

export function pauseText({ since, reason }: Pause): z.infer<typeof paused> {
  return { since: toTimestamp(since), reason };
}

const certificate = z.string().check(z.regex(/-----BEGIN CERTIFICATE-----/, 'is not a certificate in PEM'));
const estimator = z.discriminatedUnion('kind', [
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
]);

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
  hookTokens: z._default(z.array(z.string().check(z.minLength(16, 'has fewer than 16 characters'))), []),
  hookSubjects: z.optional(z.array(z.string().check(z.minLength(1, 'is empty')))),
  estimator: z.optional(estimator),
  paused: z.optional(paused),
});

/** Reads a secret's text; a terminal Fault names the hub and the field, and never holds a value. */
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
    throw invalid(hub, `${issue?.path.join('.') ?? ''} ${whatIsWrong(issue)}`);
  }
  const wrong = wrongServer(parsed.data.server);
  if (wrong) throw invalid(hub, wrong);
  if ((parsed.data.clientCertificateData === undefined) !== (parsed.data.clientKeyData === undefined)) {
    throw invalid(hub, 'clientCertificateData and clientKeyData go together');
  }
  const tokens = bearers.filter((field) => parsed.data[field] !== undefined);
  if (tokens.length > 1) throw invalid(hub, `${tokens.join(' and ')} are two credentials where one is needed`);
  const { paused: pause, ...connection } = parsed.data;
  if (pause === undefined) return connection;
  return { ...connection, paused: { ...pause, since: fromTimestamp(pause.since) ?? 0 } };
}

function whatIsWrong(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'invalid_type') return 'is missing or of another type';
  if (issue?.code === 'invalid_union') return "is none of 'scheduler-estimator' and 'pods'";
  return issue?.message ?? '';
}

/** HOST:PORT, with {cluster} where the member's name goes. A name without a port would be asked at 443, where no estimator is. */
export function isEstimatorAddress(text: string): boolean {
  const address = text.replaceAll('{cluster}', 'member');
  return /^[^/@?#\s]+:\d+$/.test(address) && URL.canParse(`https://${address}`);
}

const bearers = ['token', 'tokenFile', 'eksCluster'] as const;

/** How a connection proves who we are, as people are told of it. */
export type CredentialKind = 'token' | 'token file' | 'EKS' | 'client certificate' | 'none';

export function credentialKind(connection: Connection): CredentialKind {
  if (connection.token !== undefined) return 'token';
  if (connection.tokenFile !== undefined) return 'token file';
  if (connection.eksCluster !== undefined) return 'EKS';
  return connection.clientCertificateData === undefined ? 'none' : 'client certificate';
}

/** Whether a deployed function may use it; a terminal Fault says why not. */
export function assertUsableFromSecret(hub: string, connection: Connection): void {
  const kind = credentialKind(connection);
  if (kind === 'none') throw invalid(hub, 'it holds no credential; evenkeel hub add makes one');
  // A file of the function's own machine may hold another's secrets, which a server that the secret names would get.
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
