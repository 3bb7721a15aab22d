/** A hub's connection: what its secret holds, so that the functions need no kubeconfig. */
import * as z from 'zod/mini';
import { Fault } from '../../model/fault.ts';

export interface Connection {
  /** https, or http on loopback only. */
  readonly server: string;
  /** PEM of the CA that signed the server's certificate; the system's roots where absent. */
  readonly caData?: string | undefined;
  readonly token?: string | undefined;
  /** PEM of a client certificate and its key, together. */
  readonly clientCertificateData?: string | undefined;
  readonly clientKeyData?: string | undefined;
  /** Tokens that may raise events for this hub; two while one replaces the other. */
  readonly hookTokens: readonly string[];
}

const schema = z.object({
  server: z.string(),
  caData: z.optional(z.string()),
  token: z.optional(z.string()),
  clientCertificateData: z.optional(z.string()),
  clientKeyData: z.optional(z.string()),
  hookTokens: z._default(z.array(z.string().check(z.minLength(16, 'has fewer than 16 characters'))), []),
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
    throw invalid(
      hub,
      `${issue?.path.join('.') ?? ''} ${issue?.code === 'invalid_type' ? 'is missing or of another type' : (issue?.message ?? '')}`,
    );
  }
  const wrong = wrongServer(parsed.data.server);
  if (wrong) throw invalid(hub, wrong);
  if ((parsed.data.clientCertificateData === undefined) !== (parsed.data.clientKeyData === undefined)) {
    throw invalid(hub, 'clientCertificateData and clientKeyData go together');
  }
  return parsed.data;
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
