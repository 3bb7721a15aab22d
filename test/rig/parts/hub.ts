/** The hub: an API server, usually with Karmada's CRDs, that sends its audit events to our hook, and an account with only the shipped permissions. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { openDataFolder } from '../../../local/data-folder.ts';
import { hookKeyPair, hookToken } from '../../../local/hook-access.ts';
import { REAL_HUB } from '../../../local/run.ts';
import { elasticWorkloads } from '../../../shared/elastic-workload/elastic-workload.ts';
import { resourceBindings } from '../../../shared/karmada/binding.ts';
import { type Resource, resourcePath } from '../../../shared/kubernetes/resource.ts';
import { rebalancePolicies } from '../../../shared/rebalance-policy/rebalance-policy.ts';
import { workloadRebalancers } from '../../../shared/workload-rebalancer/workload-rebalancer.ts';
import { apiServerMinor, karmadaFiles } from '../cache/go-binaries.ts';
import { run } from '../command.ts';
import { RigFailure } from '../failure.ts';
import type { Rig } from '../rig.ts';
import { type ApiServer, startApiServer } from './api-server.ts';
import { pem } from './certificates.ts';
import { applyCrds } from './crds.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { cutIncompleteLine } from './log-file.ts';
import { answers, eventually } from './probes.ts';

/** The CA of the hook's certificate: itself. */
const CA_FILE = 'hook-ca.pem';

export const ACCOUNT = 'system:serviceaccount:evenkeel:evenkeel';

export interface Hub extends ApiServer {
  /** Of the ServiceAccount that `evenkeel hub manifests` sets up. */
  readonly kubeconfig: string;
  /** The requests of that account, and all changes of rebalancers: one audit event per line. */
  readonly auditLog: string;
  readonly hook: Hook;
  /** What `evenkeel hub manifests` prints for this hub; with names, only these parts. */
  readonly manifests: Manifests;
}

type Manifests = (...only: readonly string[]) => Promise<string>;

/** The endpoint to which the API server sends its audit events, for the listener there (a local run, a gateway to a deployed hook). */
export interface Hook {
  readonly port: number;
  readonly url: string;
  readonly token: string;
  readonly key: string;
  readonly cert: string;
  /** The data folder that `npm start -- --data` finds the same token and certificate in. */
  readonly folder: string;
}

const CLI = join(import.meta.dirname, '..', '..', '..', 'cli', 'evenkeel.ts');

export interface HubOptions {
  /** Whether the hub is set up for Evenkeel's scheduler: changes of bindings are reported too. */
  readonly scheduler?: boolean;
  /** Whether it has Karmada's kinds; default true. */
  readonly karmada?: boolean;
  /** Set up for rebalancers only, with the shipped audit policy unchanged: for benchmarks. */
  readonly rebalancersOnly?: boolean;
  /** Batches of audit events per second; default: that of the API server, 10. */
  readonly auditBatches?: number;
  /** Runs once, when the hub has Karmada's kinds and nothing of Evenkeel. */
  readonly beforeInstall?: (server: ApiServer) => Promise<void>;
}

const ALL_USES = [
  '--policies',
  '--drains',
  '--external-events',
  '--budgets',
  '--graceful-reduction',
  '--elastic-workloads',
  '--create-rebalancers',
];

/** kube-apiserver 1.34 and newer serve MutatingAdmissionPolicies in v1beta1. */
export const servesHoldPolicy = apiServerMinor() >= 34;

const HOLD_POLICY_FLAGS = [
  '--feature-gates=MutatingAdmissionPolicy=true',
  '--runtime-config=admissionregistration.k8s.io/v1beta1=true',
];

/** All that a hub without MutatingAdmissionPolicies serves, with the webhook that replaces them, as described in docs/start/hub-features.md. */
const WITH_HOLD_WEBHOOK = [
  'crd',
  'elastic-crds',
  'rbac',
  'flow-schema',
  'admission-policy',
  'hold-webhook',
  'audit-files',
];

export async function startHub(rig: Rig, options: HubOptions = {}): Promise<Hub> {
  const { scheduler = false, karmada = true, rebalancersOnly = false, auditBatches, beforeInstall } = options;
  const hook = await prepareHook(rig);
  const uses = [...(rebalancersOnly ? [] : ALL_USES), ...(scheduler ? ['--scheduler'] : [])];
  const whole = servesHoldPolicy || rebalancersOnly ? [] : WITH_HOLD_WEBHOOK;
  const manifests = (...only: readonly string[]) => shipped(hook, only.length === 0 ? whole : only, uses);
  const auditLog = rig.path('hub-audit.log');
  if (rig.processes.pid('hub-apiserver') === undefined) cutIncompleteLine(auditLog);
  const server = await startApiServer(rig, 'hub', [
    ...(await auditFlags(rig, hook, { manifests, ofOurAccount: !rebalancersOnly })),
    `--admission-control-config-file=${admissionCredentials(rig, hook)}`,
    `--audit-log-path=${auditLog}`,
    '--audit-log-mode=blocking',
    ...(auditBatches === undefined ? [] : throttled(auditBatches)),
    '--enable-bootstrap-token-auth',
    ...(servesHoldPolicy ? HOLD_POLICY_FLAGS : []),
  ]);
  if (karmada) await rig.once('hub CRDs', () => applyKarmadaCrds(server));
  if (beforeInstall !== undefined) await rig.once('hub before', () => beforeInstall(server));
  const kubeconfig = join(server.folder, 'evenkeel.conf');
  await rig.once('hub account', async () => makeAccount(server, kubeconfig, await manifests()));
  await served(server, [
    ...(karmada ? [workloadRebalancers, resourceBindings] : []),
    ...(rebalancersOnly ? [] : ourKinds),
  ]);
  return { ...server, kubeconfig, auditLog, hook, manifests };
}

function throttled(batches: number): readonly string[] {
  return ['qps', 'burst'].map((limit) => `--audit-webhook-batch-throttle-${limit}=${batches}`);
}

const ourKinds: readonly Resource<unknown>[] = [rebalancePolicies, ...elasticWorkloads];

/** A kind that is Established may not be served yet: shortly after that, and after each start, lists and watches are rejected. */
async function served({ url, folder }: ApiServer, kinds: readonly Resource<unknown>[]): Promise<void> {
  for (const collection of kinds.map((resource) => resourcePath(resource))) {
    await eventually(() => answers(`${url}${collection}?watch=true&timeoutSeconds=1`, folder), 30_000);
  }
}

async function prepareHook(rig: Rig): Promise<Hook> {
  const folder = rig.path('evenkeel');
  await rig.once('hook folder', async () => openDataFolder(folder).discard());
  // The local run that listens there has its page on the port after it.
  const port = await rig.port('hook', 1);
  const url = `https://127.0.0.1:${port}`;
  const token = hookToken(folder);
  const { key, cert } = await hookKeyPair(folder);
  writeFileSync(join(folder, CA_FILE), cert);
  return { port, url, token, key, cert, folder };
}

/** The output of the command that users run. */
async function shipped({ folder, url }: Hook, only: readonly string[], more: readonly string[]): Promise<string> {
  const files = ['--ca-file', join(folder, CA_FILE), '--hook-token-file', join(folder, 'hook-token')];
  const parts = only.length === 0 ? [] : ['--only', ...only];
  return run(process.execPath, [CLI, 'hub', 'manifests', '--hub', REAL_HUB, '--url', url, ...files, ...more, ...parts]);
}

interface AuditPolicy {
  readonly rules: readonly object[];
}

/** The shipped policy; with `ofOurAccount` also a rule for our own account, which shows whether any of its requests was denied. */
async function auditFlags(
  rig: Rig,
  { folder }: Hook,
  { manifests, ofOurAccount }: { readonly manifests: Manifests; readonly ofOurAccount: boolean },
): Promise<readonly string[]> {
  const policy = parse(await manifests('audit-policy')) as AuditPolicy;
  const none = policy.rules.at(-1);
  if (none === undefined) throw new RigFailure('the shipped audit policy has no rules');
  const ours = ofOurAccount ? [{ level: 'Metadata', users: [ACCOUNT] }] : [];
  const rules = [...policy.rules.slice(0, -1), ...ours, none];
  const policyFile = rig.path('hub-audit-policy.yaml');
  writeFileSync(policyFile, stringify({ ...policy, rules }));
  // Beside the token, which it names as its neighbour.
  const webhookFile = join(folder, 'shipped-audit-webhook.yaml');
  writeFileSync(webhookFile, await manifests('audit-webhook'));
  return [
    `--audit-policy-file=${policyFile}`,
    `--audit-webhook-config-file=${webhookFile}`,
    '--audit-webhook-version=audit.k8s.io/v1',
    '--audit-webhook-batch-max-size=50',
    '--audit-webhook-batch-max-wait=200ms',
    '--audit-webhook-initial-backoff=1s',
  ];
}

/** As described in docs/start/connect-a-hub.md. The API server presents the token to the hook at `localhost`, and not at its IP address. */
function admissionCredentials(rig: Rig, { port, folder }: Hook): string {
  const credentials = join(folder, 'admission-webhook.kubeconfig');
  const users = [{ name: `localhost:${port}`, user: { tokenFile: 'hook-token' } }];
  writeFileSync(credentials, stringify({ apiVersion: 'v1', kind: 'Config', users }));
  const group = 'apiserver.config.k8s.io/v1';
  const configuration = { apiVersion: group, kind: 'WebhookAdmissionConfiguration', kubeConfigFile: credentials };
  const file = rig.path('hub-admission.yaml');
  const plugins = ['ValidatingAdmissionWebhook', 'MutatingAdmissionWebhook'].map((name) => ({ name, configuration }));
  writeFileSync(file, stringify({ apiVersion: group, kind: 'AdmissionConfiguration', plugins }));
  return file;
}

async function applyKarmadaCrds(server: ApiServer): Promise<void> {
  await applyCrds(server, join(await karmadaFiles(), 'crds'), (file) => file.endsWith('.yaml'));
}

/** With the exact commands of docs/start/connect-a-hub.md. */
async function makeAccount(server: ApiServer, kubeconfig: string, manifests: string): Promise<void> {
  const { name, url, folder, kubectl } = server;
  await kubectl.typed(manifests);
  const token = await kubectl.run('create', 'token', '-n', 'evenkeel', 'evenkeel', '--duration', '8760h');
  writeKubeconfig(kubeconfig, { name, server: url, ca: pem(folder, 'ca.crt'), user: { token: token.trim() } });
}
