/** A hub's connection made from a kubeconfig, by the library that knows all a kubeconfig may hold. For the command line and the local run. */
import { readFileSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';
import { Fault } from '../../model/fault.ts';
import type { Connection } from './connection.ts';
import { parseConnection } from './connection.ts';

/** Throws a terminal Fault that names the file and what is wrong, and never prints what is in it. */
export async function connectionFromKubeconfig(file: string): Promise<Connection> {
  const config = load(file);
  const cluster = config.getCurrentCluster();
  const user = config.getCurrentUser();
  if (!cluster)
    throw unusable(file, `its current-context ${JSON.stringify(config.getCurrentContext() ?? '')} names no cluster`);
  if (cluster.skipTLSVerify && cluster.server.startsWith('https:'))
    throw unusable(file, 'insecure-skip-tls-verify is set; give the CA instead');
  // Tokens by exec or auth provider come from the library's own way of preparing a request.
  const options: HttpsOptions = {};
  await config.applyToHTTPSOptions(options);
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

type HttpsOptions = RequestOptions & { ca?: unknown };

function pem(value: unknown): string | undefined {
  return typeof value === 'string' ? value : Buffer.isBuffer(value) ? value.toString('utf8') : undefined;
}

function load(file: string): KubeConfig {
  const config = new KubeConfig();
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
  return config;
}

function unusable(file: string, what: string): Fault {
  return new Fault('terminal', `kubeconfig ${file} cannot be used: ${what}`, { reason: 'UnreadableKubeconfig' });
}
