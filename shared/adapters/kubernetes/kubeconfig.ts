/** A hub's connection made from a kubeconfig, by the library that knows all a kubeconfig may hold. For the command line and the local run. */
import { readFileSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import type { Cluster, KubeConfig } from '@kubernetes/client-node';
import { Fault } from '../../model/fault.ts';
import type { Connection } from './connection.ts';
import { parseConnection } from './connection.ts';

/** Throws a terminal Fault that names the file and what is wrong, and never prints what is in it. */
export async function connectionFromKubeconfig(file: string, context?: string): Promise<Connection> {
  const config = await load(file, context);
  const cluster = clusterOf(config, file);
  const user = config.getCurrentUser();
  // Tokens by exec or auth provider come from the library's own way of preparing a request.
  const options: HttpsOptions = {};
  try {
    await config.applyToHTTPSOptions(options);
  } catch (thrown) {
    // A plugin that is not there or fails, a file that is not there: the first line says which.
    const said = thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : 'unknown';
    throw unusable(file, said.slice(0, 200));
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

/** The server and its CA only: no exec plugin is run for a credential that is not wanted. */
export async function clusterFromKubeconfig(
  file: string,
  context?: string,
): Promise<Pick<Connection, 'server' | 'caData'>> {
  const { name, server, caData, caFile } = clusterOf(await load(file, context), file);
  const ca = caData ? Buffer.from(caData, 'base64').toString('utf8') : caFile && readFileSync(caFile, 'utf8');
  return parseConnection(name, JSON.stringify({ server, caData: ca }));
}

/** The namespace that kubectl would take where none is named. */
export async function namespaceFromKubeconfig(file: string, context?: string): Promise<string> {
  const config = await load(file, context);
  return config.getContextObject(config.getCurrentContext())?.namespace || 'default';
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

/** The library is loaded where it is wanted: it is half of what the command line takes to start. */
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
