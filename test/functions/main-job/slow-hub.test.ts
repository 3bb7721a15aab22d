/** Hubs that take seconds for every answer, with the timeouts of the deployed functions on virtual time. */
import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../../shared/kubernetes/client/transport.ts';
import { deployments } from '../../builders.ts';
import { cases } from '../../depth.ts';
import { slowDown } from '../../fakes/slow-hub.ts';
import { World } from '../../fakes/world.ts';

const MANY = cases({ few: 300, all: 1000 });

const successful = (w: World) => w.results('demo').filter((line) => line.endsWith('=Successful')).length;

function patched(sent: readonly ApiRequest[]): readonly string[] {
  return sent.flatMap(({ method, path }) => (method === 'PATCH' && path.includes('/resourcebindings/') ? [path] : []));
}

describe('a hub that takes 2.5 s for every answer', () => {
  it(`finishes a WorkloadRebalancer of ${MANY} workloads without a dead letter, and triggers each binding once`, async () => {
    const w = new World();
    const workloads = deployments(MANY);
    w.bind(workloads);
    const sent = slowDown(w, { latencyMs: 2500 });
    w.create('demo', workloads);
    await w.pass(600);
    expect(successful(w)).toBe(MANY);
    expect(w.rebalancer('demo')?.status?.finishTime).not.toBeUndefined();
    expect(w.deadLetters).toEqual([]);
    expect(new Set(patched(sent)).size).toBe(MANY);
    expect(patched(sent)).toHaveLength(MANY);
  });

  it(`finishes one whose bindings are in ${MANY} namespaces, which can only be read one by one, and confirms them over several checks`, async () => {
    const w = new World();
    const workloads = deployments(MANY).map((workload) => ({ ...workload, namespace: `of-${workload.name}` }));
    for (const { namespace } of workloads)
      w.store.create('namespaces', { metadata: { name: namespace } }, { username: 'a-user', manager: 'kubectl' });
    w.bind(workloads);
    slowDown(w, { latencyMs: 2500 });
    w.create('demo', workloads);
    await w.pass(900);
    expect(successful(w)).toBe(MANY);
    await w.pass(600);
    expect((await w.task('demo'))?.rescheduling).toMatchObject({ state: 'Confirmed', confirmed: MANY, gone: 0 });
    expect(w.deadLetters).toEqual([]);
  });
});

describe('a chunk that takes longer than its function may run', () => {
  it('is done by more invocations than a message has deliveries, and none of them loses what it resolved', async () => {
    const w = new World({ settings: { chunkSize: 200 } });
    const workloads = deployments(200);
    w.bind(workloads);
    const sent = slowDown(w, { latencyMs: 8000, inFlight: 2 });
    w.create('demo', workloads);
    await w.pass(3600);
    expect(w.reasons.filter((reason) => reason.includes('chunk 0 goes on')).length).toBeGreaterThan(10);
    expect(successful(w)).toBe(200);
    expect(patched(sent)).toHaveLength(200);
    expect(w.deadLetters).toEqual([]);
  });

  it('has a request that would outlast the invocation cut off in time to save the others', async () => {
    const w = new World();
    const workloads = deployments(100);
    w.bind(workloads);
    slowDown(w, { latencyMs: 9500 });
    w.create('demo', workloads);
    await w.pass(900);
    expect(successful(w)).toBe(100);
    expect(w.deadLetters).toEqual([]);
  });
});
