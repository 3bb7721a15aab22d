/** The hub: an API server with Karmada's CRDs, its audit events going to our hook, and an account that may do what we ship and no more. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { openDataFolder } from '../../../local/data-folder.ts';
import { hookKeyPair, hookToken, type WebhookFiles, writeWebhookFiles } from '../../../local/hook-access.ts';
import { REAL_HUB } from '../../../local/run.ts';
import { karmadaFiles } from '../cache/go-binaries.ts';
import { RigFailure } from '../failure.ts';
import type { Rig } from '../rig.ts';
import { type ApiServer, startApiServer } from './api-server.ts';
import { pem } from './certificates.ts';
import { writeKubeconfig } from './kubeconfig.ts';

export const ACCOUNT = 'system:serviceaccount:evenkeel:evenkeel';

export interface Hub extends ApiServer {
  /** Of the ServiceAccount that docs/connect-a-hub.md sets up. */
  readonly kubeconfig: string;
  /** What the API server did for that account, and for whoever changed a rebalancer: one audit event a line. */
  readonly auditLog: string;
  readonly hook: Hook;
}

/** Where the API server sends its audit events; whoever listens there (a local run, a gateway to a deployed hook) uses these. */
export interface Hook {
  readonly port: number;
  readonly url: string;
  readonly token: string;
  readonly key: string;
  readonly cert: string;
  /** The data folder that `npm start -- --data` finds the same token and certificate in. */
  readonly folder: string;
}

export async function startHub(rig: Rig): Promise<Hub> {
  const hook = await prepareHook(rig);
  const auditLog = rig.path('hub-audit.log');
  const server = await startApiServer(rig, 'hub', [
    ...auditFlags(rig, hook),
    `--audit-log-path=${auditLog}`,
    '--audit-log-mode=blocking',
    '--enable-bootstrap-token-auth',
    // Holds are made by admission policies where a hub serves them.
    '--feature-gates=MutatingAdmissionPolicy=true',
    '--runtime-config=admissionregistration.k8s.io/v1beta1=true',
  ]);
  await rig.once('hub CRDs', () => applyCrds(server));
  const kubeconfig = join(server.folder, 'evenkeel.conf');
  await rig.once('hub account', () => makeAccount(server, kubeconfig));
  return { ...server, kubeconfig, auditLog, hook: hook.access };
}

interface PreparedHook {
  readonly access: Hook;
  readonly files: WebhookFiles;
}

async function prepareHook(rig: Rig): Promise<PreparedHook> {
  const folder = rig.path('evenkeel');
  await rig.once('hook folder', async () => openDataFolder(folder).discard());
  const port = await rig.port('hook');
  const url = `https://127.0.0.1:${port}`;
  const token = hookToken(folder);
  const { key, cert } = await hookKeyPair(folder);
  const files = writeWebhookFiles(folder, { url: `${url}/hubs/${REAL_HUB}/audit`, token, cert });
  return { access: { port, url, token, key, cert, folder }, files };
}

interface AuditPolicy {
  readonly rules: readonly object[];
}

/** The shipped policy, and besides what our own account does: that is what shows that nothing of ours was denied. */
function auditFlags(rig: Rig, { files }: PreparedHook): readonly string[] {
  const shipped = parse(readFileSync(files.policy, 'utf8')) as AuditPolicy;
  const none = shipped.rules.at(-1);
  if (none === undefined) throw new RigFailure('the shipped audit policy has no rules');
  const rules = [...shipped.rules.slice(0, -1), { level: 'Metadata', users: [ACCOUNT] }, none];
  const policy = rig.path('hub-audit-policy.yaml');
  writeFileSync(policy, stringify({ ...shipped, rules }));
  return [
    `--audit-policy-file=${policy}`,
    `--audit-webhook-config-file=${files.webhook}`,
    '--audit-webhook-version=audit.k8s.io/v1',
    '--audit-webhook-batch-max-size=50',
    '--audit-webhook-batch-max-wait=1s',
    '--audit-webhook-initial-backoff=1s',
  ];
}

async function applyCrds({ kubectl }: ApiServer): Promise<void> {
  const folder = join(await karmadaFiles(), 'crds');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .sort();
  const crds = files.map((file) => parse(readFileSync(join(folder, file), 'utf8')) as object);
  await kubectl.apply(crds);
  await kubectl.run('wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s');
}

/** As docs/connect-a-hub.md says, word for word. */
async function makeAccount({ name, url, folder, kubectl }: ApiServer, kubeconfig: string): Promise<void> {
  await kubectl.apply(shippedRbac());
  const token = await kubectl.run('create', 'token', '-n', 'evenkeel', 'evenkeel', '--duration', '8760h');
  writeKubeconfig(kubeconfig, { name, server: url, ca: pem(folder, 'ca.crt'), user: { token: token.trim() } });
}

/** The manifests of the guide's first step. */
function shippedRbac(): string {
  const guide = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'connect-a-hub.md'), 'utf8');
  const block = /```yaml\n(?<manifests>[^`]*kind: ServiceAccount[^`]*)```/.exec(guide)?.groups?.manifests;
  if (block === undefined) throw new RigFailure('docs/connect-a-hub.md has no manifests with a ServiceAccount');
  return block;
}
