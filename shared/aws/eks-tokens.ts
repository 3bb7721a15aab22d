/**
 * Tokens for EKS clusters: a presigned GetCallerIdentity request of STS. The cluster sends it, and
 * gets the signer from the response. The signature covers the cluster's name, so a token works for one cluster only.
 */
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { Fault } from '../core/fault.ts';
import type { EksCluster } from '../kubernetes/client/connection.ts';
import type { EksTokens } from '../kubernetes/client/credential.ts';

/** Any client of the SDK: only its identity and its signer are used. */
export type SigningClient = Pick<SecretsManagerClient, 'config'>;

const PREFIX = 'k8s-aws-v1.';
const CLUSTER_HEADER = 'x-k8s-aws-id';
/** Required by EKS; the token itself is accepted for 15 minutes from the time of its signature. */
const EXPIRES_SECONDS = 60;

interface Query {
  readonly [name: string]: string | readonly string[] | null;
}

interface Presigner {
  presign(request: object, options: object): Promise<{ readonly query?: Query }>;
}

export function eksTokens(client: SigningClient): EksTokens {
  return async (cluster) => {
    const { name, region } = cluster;
    const hostname = stsHost(cluster);
    const request = {
      method: 'GET',
      protocol: 'https:',
      hostname,
      path: '/',
      query: { Action: 'GetCallerIdentity', Version: '2011-06-15' },
      headers: { host: hostname, [CLUSTER_HEADER]: name },
    };
    const scheme = { name: 'sigv4', signingName: 'sts', signingRegion: region, properties: {} };
    const signer = (await client.config.signer(scheme)) as unknown as Presigner;
    const options = { expiresIn: EXPIRES_SECONDS, signingService: 'sts', signingRegion: region };
    const { query = {} } = await signer.presign(request, options).catch((thrown: unknown) => {
      // The message lists the credential sources that were tried, never a credential.
      const message = thrown instanceof Error ? thrown.message : 'unknown';
      throw new Fault('retryable', `no token for the EKS cluster ${name}: ${message}`, { reason: 'NoCredential' });
    });
    return `${PREFIX}${Buffer.from(`https://${hostname}/?${textOf(query)}`).toString('base64url')}`;
  };
}

/** STS of the cluster's own region: clusters reject the global endpoint, which also has more latency. */
function stsHost({ region }: EksCluster): string {
  return `sts.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}

function textOf(query: Query): string {
  return Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
}
