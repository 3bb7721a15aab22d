/** Reporting of changes by a hub's API server to the hook: two files for its flags, and a Secret that carries them. */
import { kindsToReport, reportsStatus, watchedVerbs } from '../bus/watched-kinds.ts';
import type { HubFeatures } from '../kubernetes/hub-features.ts';
import type { ManifestTarget } from './target.ts';
import { type PrintedManifest, yamlOf } from './to-yaml.ts';

/** Level Metadata, since only keys are needed; and only the resources that the functions consume. */
export function auditPolicy(features: HubFeatures = {}): string {
  const kinds = kindsToReport(features);
  const groups = [...new Set(kinds.map(({ group }) => group))];
  const resources = groups.map((group) => ({
    group,
    resources: kinds
      .filter((kind) => kind.group === group)
      .flatMap((kind) => [
        kind.resource,
        ...(kind.scaled ? [`${kind.resource}/scale`] : []),
        ...(reportsStatus(kind, features) ? [`${kind.resource}/status`] : []),
      ]),
  }));
  const policy = {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [{ level: 'Metadata', verbs: watchedVerbs, resources }, { level: 'None' }],
  };
  return `# For --audit-policy-file. What the API server is to report: keys are enough, so Metadata; and only what the functions act on.\n${yamlOf(policy)}`;
}

/** The token is in a separate file, which the API server reads again when it changes. */
export function auditWebhook({ hub, url, ca }: ManifestTarget): string {
  const kubeconfig = webhookKubeconfig({
    server: `${url}/hubs/${hub}/audit`,
    user: { tokenFile: 'hook-token' },
    ...(ca !== undefined && { ca }),
  });
  return `# For --audit-webhook-config-file. Beside it lies the file hook-token, with one of the hub's hookTokens.\n${kubeconfig}`;
}

export interface WebhookAccess {
  readonly server: string;
  readonly user: { readonly token: string } | { readonly tokenFile: string };
  /** PEM. */
  readonly ca?: string;
}

/** The client configuration of a webhook. */
export function webhookKubeconfig({ server, user, ca }: WebhookAccess): string {
  const name = 'evenkeel';
  const authority = ca !== undefined && { 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  return yamlOf({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, ...authority } }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  });
}

/** As comments, so that a pipe to kubectl keeps parts that are no objects. */
export function auditFiles(target: ManifestTarget): readonly PrintedManifest[] {
  const { account, hookToken } = target;
  const files = {
    'audit-policy.yaml': auditPolicy(target),
    'audit-webhook.yaml': auditWebhook(target),
    ...(hookToken !== undefined && { 'hook-token': hookToken }),
  };
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `${account.name}-audit`, namespace: account.namespace },
    type: 'Opaque',
    // data and not stringData, which is never read back, so that kubectl would send it again each time.
    data: Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text).toString('base64')])),
  };
  const comment =
    "Files for flags of the hub's API server, stored here until they are copied to the paths of the flags (docs/start/connect-a-hub.md).\n" +
    'Plain: --only audit-policy, --only audit-webhook.';
  return [{ comment, object: secret }];
}
