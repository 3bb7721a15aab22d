/** One binding that can't be read or written: only its own workload waits for it. */
import { describe, expect, it } from 'vitest';
import { deadlineExceeded } from '../../../shared/core/deadline.ts';
import type { ApiRequest, ApiResponse } from '../../../shared/kubernetes/client/transport.ts';
import { at, deployment, deployments } from '../../builders.ts';
import { slowDown } from '../../fakes/slow-hub.ts';
import { passing } from '../../fakes/store-hub.ts';
import { World } from '../../fakes/world.ts';

const broken: ApiResponse = { status: 500, body: { reason: 'InternalError', message: 'unable to decode the object' } };
const isOf = (name: string, { path }: ApiRequest) => path.split('?')[0]?.endsWith(`/resourcebindings/${name}`) === true;
interface Item {
  readonly metadata?: { readonly name?: string };
  status?: object;
}
/** Of a list, or the one object that was asked for. */
const itemsOf = (body: unknown): readonly Item[] => (body as { items?: readonly Item[] }).items ?? [body as Item];
const unreadable = (item: Item) => {
  if (item.metadata?.name === 'w0007-deployment') item.status = { lastScheduledTime: 'yesterday' };
};
const isList = ({ method, path }: ApiRequest) => method === 'GET' && path.includes('/resourcebindings?');

describe('a binding whose GET is answered 500', () => {
  it('leaves only the result of its own workload empty until it can be read', async () => {
    const w = new World();
    const [a, b, c] = ['a', 'b', 'c'].map((name) => deployment(name));
    if (!a || !b || !c) throw new Error('there are three');
    w.bind([a, b, c]);
    let isBroken = true;
    slowDown(w, {
      latencyMs: 10,
      answering: (request, answer) => (isBroken && isOf('b-deployment', request) ? broken : answer()),
    });
    w.create('demo', [a, b, c]);
    await w.pass(30);
    expect(w.binding(a).trigger).toBe(at(0));
    expect(w.results('demo')).toEqual([
      'Deployment shop/a=Successful',
      'Deployment shop/b=',
      'Deployment shop/c=Successful',
    ]);
    isBroken = false;
    await w.pass(300);
    expect(w.results('demo')[1]).toBe('Deployment shop/b=Successful');
    expect(w.deadLetters).toEqual([]);
  });

  it('does not keep the others waiting where the list of its namespace is answered 500 too', async () => {
    const w = new World();
    const workloads = deployments(20);
    w.bind(workloads);
    slowDown(w, {
      latencyMs: 10,
      answering: (request, answer) => (isList(request) || isOf('w0007-deployment', request) ? broken : answer()),
    });
    w.create('demo', workloads);
    await w.pass(30);
    expect(w.results('demo').filter((line) => !line.endsWith('=Successful'))).toEqual(['Deployment shop/w0007=']);
  });
});

describe('a list page with one object that cannot be read', () => {
  it('leaves only the result of that workload empty', async () => {
    const w = new World();
    const workloads = deployments(20);
    w.bind(workloads);
    slowDown(w, {
      latencyMs: 10,
      answering: ({ method }, answer) => {
        const { body, ...response } = answer();
        if (method === 'GET') for (const each of itemsOf(body)) unreadable(each);
        return { ...response, body };
      },
    });
    w.create('demo', workloads);
    await w.pass(30);
    expect(w.results('demo').filter((line) => !line.endsWith('=Successful'))).toEqual(['Deployment shop/w0007=']);
  });
});

describe('a hub that answers no read of a binding', () => {
  it('is not planned for: one message waits for it, and not one for each chunk', async () => {
    const w = new World({ settings: { chunkSize: 5 } });
    const workloads = deployments(20);
    w.bind(workloads);
    slowDown(w, {
      latencyMs: 10,
      answering: (request, answer) => (isList(request) ? { status: 503, body: {} } : answer()),
    });
    w.create('demo', workloads);
    await w.pass(60);
    expect(await w.task('demo')).toBeUndefined();
  });
});

describe('a chunk with one binding that cannot be written for minutes', () => {
  it('has its other 99 workloads reported at once, also where a report went before', async () => {
    const w = new World();
    const workloads = deployments(200);
    w.bind(workloads);
    w.hub.interference.before = ({ verb, name }) => {
      if (verb !== 'patch') return;
      if (name === 'w0150-deployment' && w.clock.now() < at(240)) throw passing();
      // The second chunk as a whole is away when the first one is reported.
      if (name >= 'w0100-deployment' && name.startsWith('w') && w.clock.now() < at(20)) throw passing();
    };
    w.create('demo', workloads);
    await w.pass(60);
    expect(w.results('demo').filter((line) => !line.endsWith('=Successful'))).toEqual(['Deployment shop/w0150=']);
    expect(w.rebalancer('demo')?.status?.finishTime).toBeUndefined();
    await w.pass(600);
    expect(w.rebalancer('demo')?.status?.finishTime).not.toBeUndefined();
    expect(w.deadLetters).toEqual([]);
  });
});

describe('a binding that becomes unreadable once it is triggered', () => {
  it('waits for the scheduler alone: the others are confirmed, one that is gone is gone, and no message is dead', async () => {
    const w = new World();
    const workloads = deployments(20);
    w.bind(workloads);
    let isBroken = false;
    slowDown(w, {
      latencyMs: 10,
      answering: ({ method, path }, answer) => {
        const { body, ...response } = answer();
        if (isBroken && method === 'GET' && path.includes('/resourcebindings'))
          for (const each of itemsOf(body)) unreadable(each);
        return { ...response, body };
      },
    });
    w.create('demo', workloads);
    await w.pass(5);
    isBroken = true;
    w.store.delete(
      'resourcebindings',
      { namespace: 'shop', name: 'w0003-deployment' },
      { username: 'a', manager: 'a' },
    );
    await w.pass(400);
    expect((await w.task('demo'))?.rescheduling).toMatchObject({
      state: 'Overdue',
      confirmed: 18,
      gone: 1,
      waitingFor: ['Deployment shop/w0007'],
    });
    expect(w.deadLetters).toEqual([]);
  });
});

describe('an unreadable binding whose metadata is asked for', () => {
  /** 20 triggered workloads, of which w0007 has a binding that cannot be read; `lookup` answers the request for its metadata. */
  async function confirmedExceptOne(
    lookup: () => ApiResponse,
  ): Promise<{ readonly w: World; readonly heal: () => void }> {
    const w = new World();
    const workloads = deployments(20);
    w.bind(workloads);
    let isBroken = false;
    slowDown(w, {
      latencyMs: 10,
      answering: (request, answer) => {
        const { method, path, accept } = request;
        if (!isBroken || method !== 'GET' || !path.includes('/resourcebindings')) return answer();
        if (accept !== undefined && isOf('w0007-deployment', request)) return lookup();
        const { body, ...response } = answer();
        for (const each of itemsOf(body)) unreadable(each);
        return { ...response, body };
      },
    });
    w.create('demo', workloads);
    await w.pass(5);
    isBroken = true;
    await w.pass(400);
    return { w, heal: () => (isBroken = false) };
  }

  it('is left for a later check, and is not overdue, while the time of the invocation ends before the answer', async () => {
    const { w, heal } = await confirmedExceptOne(() => {
      throw deadlineExceeded('GET its metadata');
    });
    expect((await w.task('demo'))?.rescheduling).toMatchObject({
      state: 'Waiting',
      confirmed: 19,
      waitingFor: [],
      open: { waiting: [], unread: [7] },
    });
    heal();
    await w.pass(30);
    expect((await w.task('demo'))?.rescheduling).toMatchObject({ state: 'Confirmed', confirmed: 20 });
  });

  it('waits for the scheduler, and is overdue, where the hub answers 500', async () => {
    const { w } = await confirmedExceptOne(() => broken);
    expect((await w.task('demo'))?.rescheduling).toMatchObject({
      state: 'Overdue',
      confirmed: 19,
      waitingFor: ['Deployment shop/w0007'],
    });
  });
});
