/** For tests of `evenkeel plan` and similar commands: runs the command, and builds the objects of a small fleet as they are in files. */
import { vi } from 'vitest';
import { main, program } from '../../cli/main.ts';
import { Fault } from '../../shared/core/fault.ts';
import { DYNAMIC } from '../placed-objects.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  /** Lines on stderr, without the name of the command. */
  readonly errors: readonly string[];
}

/** What is written while `run` runs. */
async function captured<T>(run: () => Promise<T>): Promise<{ value: T | Fault; out: string; error: string }> {
  const [out, errors]: [string[], string[]] = [[], []];
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => errors.push(String(text)) > 0),
  ];
  const before = process.exitCode;
  vi.stubEnv('FORCE_COLOR', undefined);
  try {
    const value = await run().catch((thrown: unknown) => {
      if (thrown instanceof Fault) return thrown;
      throw thrown;
    });
    return { value, out: out.join(''), error: errors.join('') };
  } finally {
    process.exitCode = before ?? 0;
    for (const spy of spies) spy.mockRestore();
  }
}

/** Runs in this process; main.test.ts tests what main.ts does around a command. */
export async function evenkeel(...args: readonly string[]): Promise<Ran> {
  const { value, out, error } = await captured(async () => {
    await program().parseAsync([...args], { from: 'user' });
    return Number(process.exitCode ?? 0);
  });
  if (value instanceof Fault) return { code: 2, out, errors: [...lines(error), value.message] };
  return { code: value, out, errors: lines(error) };
}

/** As on a terminal: stdout, then stderr, and the exit code. */
export async function typed(...args: readonly string[]): Promise<string> {
  const { value, out, error } = await captured(() => main(['node', 'evenkeel', ...args]));
  return `$ evenkeel ${args.join(' ')}\n${out}${error}exit code ${String(value)}\n`;
}

export function plan(...args: readonly string[]): Promise<Ran> {
  return evenkeel('plan', ...args);
}

function lines(written: string): readonly string[] {
  return written.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/^evenkeel: /, '').trimEnd()]));
}

export interface ClusterOptions {
  readonly pods?: number;
  readonly allocated?: number;
  readonly cpu?: string;
  readonly taints?: readonly object[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: object;
  readonly status?: object;
}

export function cluster(name: string, options: ClusterOptions = {}): object {
  const { pods = 20, allocated = 0, cpu = '100', taints = [], labels = {}, spec, status } = options;
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name, labels },
    spec: { taints, ...spec },
    status: {
      apiEnablements: [
        { groupVersion: 'apps/v1', resources: [{ kind: 'Deployment', name: 'deployments' }] },
        { groupVersion: 'rbac.authorization.k8s.io/v1', resources: [{ kind: 'ClusterRole', name: 'clusterroles' }] },
      ],
      resourceSummary: { allocatable: { cpu, pods: String(pods) }, allocated: { pods: String(allocated) } },
      ...status,
    },
  };
}

export interface BindingOptions {
  readonly replicas?: number;
  readonly now?: Readonly<Record<string, number>>;
  readonly replicaScheduling?: object;
  readonly placement?: object;
  readonly spec?: object;
  readonly namespace?: string;
}

/** The binding of Deployment shop/<workload>, without a uid: ties are broken by name. */
export function binding(workload: string, options: BindingOptions = {}): object {
  const { replicas = 12, now = {}, replicaScheduling = DYNAMIC, placement, spec, namespace = 'shop' } = options;
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: { name: `${workload}-deployment`, namespace },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: workload },
      replicas,
      clusters: Object.entries(now).map(([name, count]) => ({ name, replicas: count })),
      placement: { replicaScheduling, ...placement },
      ...spec,
    },
  };
}

export function rebalancer(name: string, ...workloads: readonly object[]): object {
  return {
    apiVersion: 'apps.karmada.io/v1alpha1',
    kind: 'WorkloadRebalancer',
    metadata: { name },
    spec: { workloads },
  };
}

export function reference(name: string, namespace = 'shop'): object {
  return { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name };
}

/** member1 has recovered and is empty; the others run the replicas that were evicted from it. */
export const recovered = [
  cluster('member1'),
  cluster('member2', { allocated: 6 }),
  cluster('member3', { allocated: 6 }),
];
export const web = binding('web', { now: { member2: 6, member3: 6 } });
