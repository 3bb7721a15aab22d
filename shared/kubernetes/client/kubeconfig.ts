/** Creates a hub's connection from a kubeconfig, with the official client library. For the command line and the local run. */
import { readFileSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import type { Cluster, KubeConfig } from '@kubernetes/client-node';
import { Fault } from '../../core/fault.ts';
import type { Connection } from './connection.ts';
import { parseConnection } from './connection.ts';

/** Throws a terminal Fault that names the file and the problem, and never prints its content. */
export async function connectionFromKubeconfig(file: string, context?: string): Promise<Connection> {
  const config = await load(file, context);
  const cluster = clusterOf(config, file);
  const user = config.getCurrentUser();
  // The library resolves tokens of exec plugins and auth providers while it prepares a request.
  const options: HttpsOptions = {};
  try {
    await config.applyToHTTPSOptions(options);
  } catch (thrown) {
    // For a missing or failing plugin or file, the first line contains the reason.
    const message = thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : 'unknown';
    throw unusable(file, message.slice(0, 200));
  }
  const headers = options.headers as Record<string, string> | undefined;
  const authorization = (headers?.Authorization ?? headers?.authorization)?.replace(/^Bearer /, '');
  const connection = {
    server: cluster.server,
    caData: pem(options.ca),
    token: authorization ?? user?.token,
    clientCertificateData: pem(options.cert),
    clientKeyData: pem(options.key),
  };
  return parseConnection(cluster.name, JSON.stringify(connection));
}

/** Only the server and its CA: no exec plugin runs for an unneeded credential. */
export async function clusterFromKubeconfig(
  file: string,
  context?: string,
): Promise<Pick<Connection, 'server' | 'caData'>> {
  const { name, server, caData, caFile } = clusterOf(await load(file, context), file);
  const ca = caData ? Buffer.from(caData, 'base64').toString('utf8') : caFile && readFileSync(caFile, 'utf8');
  return parseConnection(name, JSON.stringify({ server, caData: ca }));
}

/** The default namespace, as in kubectl. */
export async function namespaceFromKubeconfig(file: string, context?: string): Promise<string> {
  const config = await load(file, context);
  return config.getContextObject(config.getCurrentContext())?.namespace || 'default';
}

export async function contextsOfKubeconfig(file: string): Promise<readonly string[]> {
  return (await load(file)).getContexts().map(({ name }) => name);
}

function clusterOf(config: KubeConfig, file: string): Cluster {
  const cluster = config.getCurrentCluster();
  if (!cluster)
    throw unusable(file, `its context ${JSON.stringify(config.getCurrentContext() ?? '')} names no cluster`);
  if (cluster.skipTLSVerify && cluster.server.startsWith('https:'))
    throw unusable(file, 'insecure-skip-tls-verify is set; give the CA instead');
  return cluster;
}

type HttpsOptions = RequestOptions & { ca?: unknown };

function pem(value: unknown): string | undefined {
  return typeof value === 'string' ? value : Buffer.isBuffer(value) ? value.toString('utf8') : undefined;
}

/** Loaded on demand: the library is half of the command line's startup time. */
async function load(file: string, context?: string): Promise<KubeConfig> {
  const { KubeConfig: Reader } = await import('@kubernetes/client-node');
  const config = new Reader();
  try {
    config.loadFromString(readFileSync(file, 'utf8'));
  } catch (thrown) {
    const missing = (thrown as NodeJS.ErrnoException).code;
    throw unusable(
      file,
      missing === 'ENOENT'
        ? 'there is no such file'
        : missing === 'EACCES'
          ? 'it may not be read'
          : 'it is not a kubeconfig',
    );
  }
  if (context !== undefined) {
    const names = config.getContexts().map(({ name }) => name);
    if (!names.includes(context))
      throw unusable(file, `it has no context ${JSON.stringify(context)} (it has: ${names.join(', ') || 'none'})`);
    config.setCurrentContext(context);
  }
  return config;
}

function unusable(file: string, what: string): Fault {
  return new Fault('terminal', `kubeconfig ${file} cannot be used: ${what}`, { reason: 'UnreadableKubeconfig' });
}
