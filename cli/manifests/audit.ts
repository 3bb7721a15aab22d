/** What has a hub's API server report changes to the hook: two files for its flags, and a Secret that carries them there. */
import { kindsToReport, reportsStatus, type UsedThere, watchedVerbs } from '../../shared/events/watched-kinds.ts';
import type { ManifestTarget } from './target.ts';
import { type Manifest, yamlOf } from './to-yaml.ts';

/** Keys are enough, so Metadata; and only what the functions act on. */
export function auditPolicy(used: UsedThere = {}): string {
  const kinds = kindsToReport(used);
  const groups = [...new Set(kinds.map(({ group }) => group))];
  const resources = groups.map((group) => ({
    group,
    resources: kinds
      .filter((kind) => kind.group === group)
      .flatMap((kind) => [
        kind.resource,
        ...(kind.scaled ? [`${kind.resource}/scale`] : []),
        ...(reportsStatus(kind, used) ? [`${kind.resource}/status`] : []),
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

/** The token stands in a file beside it, which the API server reads again when it changes. */
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

/** By which an API server calls a webhook. */
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

/** So that what is no object of the hub is not lost in a pipe to kubectl. */
export function auditFiles(target: ManifestTarget): readonly Manifest[] {
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
    // Not stringData, which kubectl finds missing from the object and sends again each time.
    data: Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text).toString('base64')])),
  };
  const comment =
    "Files for flags of the hub's API server, kept here until they lie where it reads them (docs/connect-a-hub.md).\n" +
    'Plain: --only audit-policy, --only audit-webhook.';
  return [{ comment, object: secret }];
}
