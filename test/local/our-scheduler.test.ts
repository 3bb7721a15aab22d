/** Two schedulers on one practice hub, as `npm start` runs it: ours by way of hub, hook, bus and function; the other one beside it. */
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
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-test-'));
  const options = {
    help: false,
    once: false,
    story: 'none',
    port: 0,
    data: folder,
    kubeconfig: undefined,
    estimator: {},
  };
  run = await startRun(options, () => undefined);
  const { clusters } = parse(readFileSync(join(folder, 'kubeconfig'), 'utf8')) as {
    clusters: readonly { cluster: { server: string } }[];
  };
  server = clusters[0]?.cluster.server ?? '';
  await send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
}, 30_000);

afterAll(async () => {
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

/** Propagated, and scheduled by whoever is named. */
async function placed(name: string, replicas: number, schedulerName?: string): Promise<Stored> {
  await propagate(name, replicas, schedulerName);
  await vi.waitFor(async () => expect((await binding(name)).status?.lastScheduledTime).toMatch(/Z$/), soon);
  return binding(name);
}

describe('on the practice hub', () => {
  it('a binding whose policy names evenkeel is scheduled by our function alone, as soon as it is there', async () => {
    const ours = await placed('ours', 6, 'evenkeel');
    expect(sum(ours)).toBe(6);
    expect(ours.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Scheduled', reason: 'Success' }));
    expect(schedulers(ours)).toEqual(new Set(['evenkeel']));
  });

  it('one whose policy names nobody is left to the other scheduler, and ours is not even told of it', async () => {
    const theirs = await placed('theirs', 6);
    expect(sum(theirs)).toBe(6);
    expect(schedulers(theirs)).toEqual(new Set(['karmada-scheduler']));
    // The hook is told within 200 ms, in the order of the changes.
    await placed('later', 6, 'evenkeel');
    const log = readFileSync(join(folder, 'evenkeel.log'), 'utf8');
    expect([log.includes('later-deployment'), log.includes('theirs-deployment')]).toEqual([true, false]);
  });

  it('follows its workload: scaled, it is scheduled again', async () => {
    await placed('scaled', 4, 'evenkeel');
    await send('PATCH', '/apis/apps/v1/namespaces/shop/deployments/scaled', { spec: { replicas: 9 } });
    await vi.waitFor(async () => expect(sum(await binding('scaled'))).toBe(9), soon);
    expect(schedulers(await binding('scaled'))).toEqual(new Set(['evenkeel']));
  });

  it('is rebalanced: our own trigger, of which no hook tells, is acted on at once, and once', async () => {
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
