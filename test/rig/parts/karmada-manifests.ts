/** The APIService and the webhook configurations of a Karmada release, with loopback addresses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { karmadaFiles } from '../cache/go-binaries.ts';
import type { ApiServer } from './api-server.ts';
import { pem } from './certificates.ts';

interface Manifest {
  readonly kind: string;
  readonly spec: object;
}

interface ApiService extends Manifest {
  readonly spec: { readonly service: object };
}

export async function aggregatedApi(hub: ApiServer, port: number): Promise<readonly object[]> {
  return served(await deployed('karmada-aggregated-apiserver-apiservice.yaml', hub), port);
}

/** Of karmada-metrics-adapter, the API of resource metrics only. */
export async function metricsApi(hub: ApiServer, port: number): Promise<readonly object[]> {
  const manifests = (await deployed('karmada-metrics-adapter-apiservice.yaml', hub)) as readonly Manifest[];
  const custom = ({ spec }: Manifest) => (spec as { group?: string }).group === 'custom.metrics.k8s.io';
  return served(
    manifests.filter((manifest) => !custom(manifest)),
    port,
  );
}

/** The API server reaches an aggregated API through an ExternalName Service for localhost. */
function served(manifests: readonly unknown[], port: number): readonly object[] {
  return (manifests as readonly Manifest[]).map((manifest) => {
    if (manifest.kind === 'Service') return { ...manifest, spec: { ...manifest.spec, externalName: 'localhost' } };
    const { spec } = manifest as ApiService;
    return { ...manifest, spec: { ...spec, service: { ...spec.service, port } } };
  });
}

interface WebhookConfiguration {
  readonly webhooks: readonly { readonly clientConfig: { readonly url: string } }[];
}

export async function webhookConfigurations(hub: ApiServer, port: number): Promise<readonly object[]> {
  const manifests = (await deployed('webhook-configuration.yaml', hub)) as readonly WebhookConfiguration[];
  return manifests.map((manifest) => ({
    ...manifest,
    webhooks: manifest.webhooks.map((webhook) => {
      const url = `https://127.0.0.1:${port}${new URL(webhook.clientConfig.url).pathname}`;
      return { ...webhook, clientConfig: { ...webhook.clientConfig, url } };
    }),
  }));
}

async function deployed(file: string, { folder }: ApiServer): Promise<readonly unknown[]> {
  const text = readFileSync(join(await karmadaFiles(), 'deploy', file), 'utf8');
  const filled = text.replaceAll('{{caBundle}}', Buffer.from(pem(folder, 'ca.crt')).toString('base64'));
  return parseAllDocuments(filled).map((document) => document.toJS() as unknown);
}
