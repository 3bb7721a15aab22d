/** The Go programs of the rig, built from pinned modules, and other files of those modules. */
import { createHash } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../command.ts';
import { cached, ensure } from './cache.ts';

const tools = join(import.meta.dirname, '..', 'tools');
export const versionsFolder = join(tools, 'versions');

interface GoModule {
  readonly folder: string;
  readonly flags: readonly string[];
  /** The cache folder of the builds. */
  readonly cache: string;
}

const FLAGS = ['-mod=readonly', '-trimpath', '-buildvcs=false'];

/** The build tag that makes the Kubernetes types gRPC messages. Without it the first request to the descheduler or the estimator ends the process. */
const MESSAGES = 'kubernetes_protomessage_one_more_release';

function goModule(name: string, folder: string, tags: readonly string[] = []): GoModule {
  const pins = [join(folder, 'go.mod'), join(folder, 'go.sum')];
  const flags = [...FLAGS, ...tags.flatMap((tag) => ['-tags', tag])];
  return { folder, flags, cache: cached({ name, pins, salt: `${flags.join(' ')} 1` }) };
}

// All with the tag: for two programs with and the others without it, every package that imports a Kubernetes type would be compiled twice.
const main = goModule('go', tools, [MESSAGES]);
const kwok = goModule('kwok', join(tools, 'kwok'));
const helm = goModule('helm', join(tools, 'helm'));
const ocm = goModule('ocm', join(tools, 'ocm'));

const { EVENKEEL_RIG_VERSIONS: VERSIONS } = process.env;
/** Other versions, of a folder of tools/versions: its go.mod names as tools the programs that come from it. */
const column = VERSIONS === undefined ? undefined : goModule(VERSIONS, join(versionsFolder, VERSIONS), [MESSAGES]);

const KUBERNETES = 'k8s.io/kubernetes';
const KARMADA = 'github.com/karmada-io/karmada';
const KWOK = 'sigs.k8s.io/kwok';
const OCM = 'open-cluster-management.io/ocm';
const OCM_API = 'open-cluster-management.io/api';

interface Source {
  readonly module: GoModule;
  readonly package: string;
  /** The source file of a program of this repository, in the module's folder: built again if it changes. */
  readonly own?: string;
}

/** Kubernetes and Karmada binaries parse their own version and fail on that of an unstamped build. */
const binaries = {
  etcd: { module: main, package: 'go.etcd.io/etcd/server/v3' },
  'kube-apiserver': { module: main, package: `${KUBERNETES}/cmd/kube-apiserver` },
  kubectl: { module: main, package: `${KUBERNETES}/cmd/kubectl` },
  'kube-controller-manager': { module: main, package: `${KUBERNETES}/cmd/kube-controller-manager` },
  'kube-scheduler': { module: main, package: `${KUBERNETES}/cmd/kube-scheduler` },
  'karmada-aggregated-apiserver': { module: main, package: `${KARMADA}/cmd/aggregated-apiserver` },
  'karmada-controller-manager': { module: main, package: `${KARMADA}/cmd/controller-manager` },
  'karmada-scheduler': { module: main, package: `${KARMADA}/cmd/scheduler` },
  'karmada-descheduler': { module: main, package: `${KARMADA}/cmd/descheduler` },
  'karmada-scheduler-estimator': { module: main, package: `${KARMADA}/cmd/scheduler-estimator` },
  'karmada-webhook': { module: main, package: `${KARMADA}/cmd/webhook` },
  'assign-replicas': { module: main, package: './assign-replicas', own: 'assign-replicas/main.go' },
  'schedule-bindings': { module: main, package: './schedule-bindings', own: 'schedule-bindings/main.go' },
  kwok: { module: kwok, package: `${KWOK}/cmd/kwok` },
  helm: { module: helm, package: 'helm.sh/helm/v3/cmd/helm' },
  'ocm-placement': { module: ocm, package: `${OCM}/cmd/placement` },
  'ocm-registration': { module: ocm, package: `${OCM}/cmd/registration` },
  'ocm-work': { module: ocm, package: `${OCM}/cmd/work` },
} satisfies Record<string, Source>;

export type Binary = keyof typeof binaries;

/** Builds it unless it exists; returns its file. */
export function binary(name: Binary): Promise<string> {
  const { module: usual, package: source, own }: Source = binaries[name];
  const module = chosen(usual, source);
  const file = own === undefined ? name : `${name}-${hashOf(join(module.folder, own))}`;
  return ensure(join(module.cache, 'bin', file), async (place) => {
    const ldflags = ['-s', '-w', ...stamps(kubernetesOf(module), pinned(module, KARMADA))].join(' ');
    await go(module, ['build', ...module.flags, '-ldflags', ldflags, '-o', place, source]);
  });
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16);
}

/** The version of Karmada, for benchmark results. */
export function karmadaVersion(): string {
  return pinned(chosen(main, KARMADA), KARMADA) ?? 'unknown';
}

/** The minor version of Kubernetes 1 that the API servers have. */
export function apiServerMinor(): number {
  const { module, package: source } = binaries['kube-apiserver'];
  return Number(pinned(chosen(module, source), KUBERNETES)?.split('.')[1]);
}

/** The programs that a column builds, as packages. */
export function toolsOf(folder: string): readonly string[] {
  const text = readFileSync(join(folder, 'go.mod'), 'utf8');
  return [...text.matchAll(/^(?:tool |\t)(\S+)$/gm)].flatMap(([, tool]) => tool ?? []);
}

/** The module from which programs and files of `path` come. */
function chosen(usual: GoModule, path: string): GoModule {
  if (column === undefined) return usual;
  const isOf = (tool: string) => tool === path || tool.startsWith(`${path}/`);
  return toolsOf(column.folder).some(isOf) ? column : usual;
}

/** Karmada's CRDs, and the manifests it registers its API and its webhooks with. */
export function karmadaFiles(): Promise<string> {
  return moduleFiles(chosen(main, KARMADA), KARMADA, {
    crds: 'charts/karmada/_crds/bases',
    deploy: 'artifacts/deploy',
  });
}

/** Open Cluster Management's CRDs: those of a hub and those of a managed cluster, by group and version. */
export function ocmFiles(): Promise<string> {
  return moduleFiles(chosen(ocm, OCM), OCM_API, { cluster: 'cluster', work: 'work', addon: 'addon' });
}

/** The stages with which kwok simulates nodes and pods. */
export function kwokStages(): Promise<string> {
  return moduleFiles(kwok, KWOK, { stages: 'kustomize/stage' });
}

function moduleFiles(module: GoModule, path: string, folders: Record<string, string>): Promise<string> {
  return ensure(join(module.cache, path.split('/').at(-1) ?? path), async (place) => {
    await go(module, ['mod', 'download', path]);
    const source = (await go(module, ['list', '-mod=readonly', '-m', '-f', '{{.Dir}}', path])).trim();
    for (const [to, from] of Object.entries(folders)) cpSync(join(source, from), join(place, to), { recursive: true });
    await run('chmod', ['-R', 'u+w', place]);
  });
}

async function go(module: GoModule, args: readonly string[]): Promise<string> {
  await run('go', ['version']);
  return run('go', args, { cwd: module.folder, env: { CGO_ENABLED: '0', GOFLAGS: '', GOMAXPROCS: '' }, attempts: 3 });
}

/** The version that the module's go.mod requires. */
function pinned(module: GoModule, path: string): string | undefined {
  const text = readFileSync(join(module.folder, 'go.mod'), 'utf8');
  return new RegExp(`^\\s*${path.replaceAll('.', '\\.')} (v\\S+)`, 'm').exec(text)?.[1];
}

/** The version of its Kubernetes libraries, which is that of Kubernetes as v0. */
function kubernetesOf(module: GoModule): string | undefined {
  return pinned(module, KUBERNETES) ?? pinned(module, 'k8s.io/component-base')?.replace(/^v0/, 'v1');
}

function stamps(kubernetes: string | undefined, karmada: string | undefined): readonly string[] {
  const [, major, minor] = /^v(\d+)\.(\d+)\./.exec(kubernetes ?? '') ?? [];
  if (major === undefined || minor === undefined) return [];
  const values = {
    'k8s.io/component-base/version.gitVersion': kubernetes,
    'k8s.io/component-base/version.gitMajor': major,
    'k8s.io/component-base/version.gitMinor': minor,
    'k8s.io/client-go/pkg/version.gitVersion': kubernetes,
    'github.com/karmada-io/karmada/pkg/version.gitVersion': karmada,
  };
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`-X ${name}=${value}`]));
}
