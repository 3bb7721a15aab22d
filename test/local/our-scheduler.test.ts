/** Two schedulers on one practice hub, as `npm start` runs it: ours through hub, hook, bus and function, next to the other one. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { type LocalRun, startRun } from '../../local/run.ts';
import { byAvailable, deployment, policy } from '../fakes/practice-fleet.ts';

interface Stored {
  readonly metadata: {
    readonly generation: number;
    readonly annotations: Readonly<Record<string, string>>;
    readonly managedFields: readonly { readonly manager: string }[];
  };
  readonly spec: {
    readonly clusters?: readonly { readonly name: string; readonly replicas: number }[];
    readonly rescheduleTriggeredAt?: string;
  };
  readonly status?: {
    readonly lastScheduledTime?: string;
    readonly conditions?: readonly { readonly type: string; readonly reason: string }[];
  };
}

let folder: string;
let run: LocalRun;
let server: string;

beforeAll(async () => {
  // With a history, the hub reports every binding.
  vi.stubEnv('EVENKEEL_PLACEMENT_HISTORY_DAYS', '0');
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-test-'));
  const options = {
    help: false,
    once: false,
    story: 'none',
    port: 0,
    data: folder,
    kubeconfig: undefined,
    failback: false,
    tracesTo: undefined,
    estimator: {},
  };
  run = await startRun(options, () => undefined);
  const { clusters } = parse(readFileSync(join(folder, 'kubeconfig'), 'utf8')) as {
    clusters: readonly { cluster: { server: string } }[];
  };
  server = clusters[0]?.cluster.server ?? '';
  await send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await run.close();
  rmSync(folder, { recursive: true, force: true });
});

async function send(method: string, path: string, body?: object): Promise<unknown> {
  const patch = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const response = await fetch(`${server}${path}`, {
    method,
    headers: { 'content-type': patch },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.status, `${method} ${path}`).toBeLessThan(300);
  return response.json();
}

/** A Deployment whose policy names this scheduler, or none. */
async function propagate(name: string, replicas: number, schedulerName?: string): Promise<void> {
  const { spec, ...rest } = policy(name, byAvailable) as { spec: object };
  const policies = '/apis/policy.karmada.io/v1alpha1/namespaces/shop/propagationpolicies';
  await send('POST', policies, { ...rest, spec: { ...spec, ...(schedulerName && { schedulerName }) } });
  await send('POST', '/apis/apps/v1/namespaces/shop/deployments', deployment(name, { replicas }));
}

function binding(name: string): Promise<Stored> {
  const path = `/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings/${name}-deployment`;
  return send('GET', path) as Promise<Stored>;
}

function sum({ spec }: Stored): number {
  return (spec.clusters ?? []).reduce((total, { replicas }) => total + replicas, 0);
}

function schedulers({ metadata }: Stored): ReadonlySet<string> {
  const managers = metadata.managedFields.map(({ manager }) => manager);
  return new Set(managers.filter((manager) => /evenkeel|scheduler/.test(manager)));
}

const soon = { timeout: 30_000, interval: 50 };

/** Propagated, and scheduled by the scheduler of its policy. */
async function placed(name: string, replicas: number, schedulerName?: string): Promise<Stored> {
  await propagate(name, replicas, schedulerName);
  await vi.waitFor(async () => expect((await binding(name)).status?.lastScheduledTime).toMatch(/Z$/), soon);
  return binding(name);
}

describe('a binding on the practice hub', () => {
  it('whose policy names evenkeel is scheduled at once, and by our function only', async () => {
    const ours = await placed('ours', 6, 'evenkeel');
    expect(sum(ours)).toBe(6);
    expect(ours.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Scheduled', reason: 'Success' }));
    expect(schedulers(ours)).toEqual(new Set(['evenkeel']));
  });

  it('whose policy names no scheduler is left to the other scheduler, and ours gets no audit event of it', async () => {
    const theirs = await placed('theirs', 6);
    expect(sum(theirs)).toBe(6);
    expect(schedulers(theirs)).toEqual(new Set(['karmada-scheduler']));
    // The hook gets audit events within 200 ms, in the order of the changes.
    await placed('later', 6, 'evenkeel');
    const log = readFileSync(join(folder, 'evenkeel.log'), 'utf8');
    expect([log.includes('later-deployment'), log.includes('theirs-deployment')]).toEqual([true, false]);
  });

  it('is scheduled again when its workload is scaled', async () => {
    await placed('scaled', 4, 'evenkeel');
    await send('PATCH', '/apis/apps/v1/namespaces/shop/deployments/scaled', { spec: { replicas: 9 } });
    await vi.waitFor(async () => expect(sum(await binding('scaled'))).toBe(9), soon);
    expect(schedulers(await binding('scaled'))).toEqual(new Set(['evenkeel']));
  });

  it('is rebalanced at once and only once by our own trigger, for which there is no audit event', async () => {
    const before = await placed('moved', 6, 'evenkeel');
    const workload = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'moved' };
    await send('POST', '/apis/apps.karmada.io/v1alpha1/workloadrebalancers', {
      apiVersion: 'apps.karmada.io/v1alpha1',
      kind: 'WorkloadRebalancer',
      metadata: { name: 'move' },
      spec: { workloads: [workload] },
    });
    await vi.waitFor(async () => {
      const { spec, status } = await binding('moved');
      expect(Date.parse(status?.lastScheduledTime ?? '')).toBeGreaterThanOrEqual(
        Date.parse(spec.rescheduleTriggeredAt ?? ''),
      );
    }, soon);
    const after = await binding('moved');
    expect(sum(after)).toBe(6);
    // One for the trigger, and at most one for an assignment.
    expect(after.metadata.generation - before.metadata.generation).toBeLessThanOrEqual(2);
  });
});
