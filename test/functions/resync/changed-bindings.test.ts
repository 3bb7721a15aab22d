/** A resync reads the bindings that changed and those that wait, and all of them where other objects changed. Every event is lost. */
import { describe, expect, it } from 'vitest';
import { Fault } from '../../../shared/core/fault.ts';
import { SchedulingWorld } from '../../fakes/scheduling-world.ts';
import type { World } from '../../fakes/world.ts';
import { DUPLICATED, DYNAMIC } from '../../placed-objects.ts';
import { GracefulWorld } from '../graceful-reduction/scene.ts';

const user = { username: 'a-user', manager: 'kubectl' };
const at = '2026-11-21T09:00:00Z';

function settled(count: number): SchedulingWorld {
  const world = new SchedulingWorld({ m1: 20, m2: 20 }, { hook: false });
  for (let index = 0; index < count; index += 1) {
    const everywhere = index % 2 === 0;
    const placement = { replicaScheduling: everywhere ? DUPLICATED : DYNAMIC };
    const current = everywhere ? { m1: 10, m2: 10 } : { m1: 4, m2: 6 };
    world.addBinding(`w${index}`, { placement, current, scheduled: { placement, at } });
  }
  return world;
}

async function resync(world: World, seconds = 5): Promise<readonly string[]> {
  const before = world.hub.calls.length;
  await world.resync();
  await world.pass(seconds);
  return world.hub.calls.slice(before).map(({ verb, plural }) => `${verb} ${plural}`);
}

/** The outcomes of find-unscheduled since this many. */
const found = (world: World, since = 0) =>
  world.reasons.slice(since).filter((reason) => reason.includes('bindings are due') && reason.includes('our'));
const lists = (calls: readonly string[]) => calls.filter((call) => call === 'list resourcebindings').length;

describe('find-unscheduled', () => {
  it('lists all bindings once, and then watches from there', async () => {
    const world = settled(100);
    expect(lists(await resync(world))).toBe(2);
    const calls = await resync(world);
    expect(lists(calls)).toBe(0);
    expect(calls.filter((call) => call.startsWith('watch'))).toEqual(
      expect.arrayContaining(['watch resourcebindings', 'watch clusterresourcebindings']),
    );
    expect(found(world)).toEqual(['0 of our 100 bindings are due', '0 of our 0 bindings are due']);
  });

  it('schedules a changed and a new binding, and no other is read', async () => {
    const world = settled(100);
    await resync(world);
    world.editBinding('w1', { replicas: 4 });
    world.addBinding('new', { placement: { replicaScheduling: DYNAMIC } });
    expect(lists(await resync(world))).toBe(0);
    expect(found(world).at(-1)).toBe('2 of our 2 bindings are due');
    expect(Object.values(world.assigned('w1')).reduce((sum, each) => sum + each, 0)).toBe(4);
    expect(world.assigned('new')).toEqual({ m1: 5, m2: 5 });
  });

  it('reads a binding again that waits for capacity, although it did not change', async () => {
    const world = new SchedulingWorld({ m1: 3 }, { hook: false });
    world.addBinding('web', { placement: { replicaScheduling: DYNAMIC } });
    await resync(world);
    await resync(world);
    expect(world.scheduled('web')).toBe('False Unschedulable');
    world.setCapacity('m1', 20);
    expect(lists(await resync(world))).toBe(1);
    expect(world.scheduled('web')).toBe('True Success');
    expect(world.assigned('web')).toEqual({ m1: 10 });
    await resync(world);
    expect(found(world).at(-1)).toBe('0 of our 1 bindings are due');
    await resync(world);
    expect(found(world).at(-1)).toBe('0 of our 0 bindings are due');
  });

  it('compares all bindings if a cluster joins, changes its labels, or is tainted', async () => {
    const world = settled(10);
    await resync(world);
    world.addCluster('m3', { pods: 20 });
    expect(lists(await resync(world))).toBe(1);
    expect(world.assigned('w0')).toEqual({ m1: 10, m2: 10, m3: 10 });
    await resync(world);
    const key = { namespace: '', name: 'm3' };
    for (const body of [
      { metadata: { labels: { a: '1' } } },
      { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } },
    ]) {
      world.store.patch('clusters', key, { type: 'merge', body }, user);
      expect(lists(await resync(world))).toBe(1);
    }
    expect(lists(await resync(world))).toBe(0);
  });

  it('keeps a waiting binding that could not be read', async () => {
    const world = new SchedulingWorld({ m1: 3 }, { hook: false });
    world.addBinding('web', { placement: { replicaScheduling: DYNAMIC } });
    await resync(world);
    await resync(world);
    world.setCapacity('m1', 20);
    let failures = 0;
    world.hub.interference = {
      before({ verb, plural }) {
        if (verb === 'list' && plural === 'resourcebindings' && failures++ === 0)
          throw new Fault('retryable', 'no answer', { reason: 'HubUnreachable' });
      },
    };
    await resync(world, 120);
    expect(failures).toBeGreaterThan(1);
    expect(world.assigned('web')).toEqual({ m1: 10 });
  });

  it('forgets a waiting binding that was deleted', async () => {
    const world = new SchedulingWorld({ m1: 3 }, { hook: false });
    world.addBinding('web', { placement: { replicaScheduling: DYNAMIC } });
    await resync(world);
    world.store.delete('resourcebindings', { namespace: 'shop', name: 'web-deployment' }, user);
    await resync(world);
    expect(found(world).at(-1)).toBe('0 of our 0 bindings are due');
    expect(world.deadLetters).toEqual([]);
  });

  it.each<[string, (world: World) => void | Promise<void>]>([
    ['the hub has forgotten the version', (world: World) => forget(world)],
    ['the table was lost', (world: World) => world.losePositions()],
    ['all were compared six hours ago', (world: World) => world.pass(6 * 3600)],
  ])('compares all bindings if %s', async (_, happens) => {
    const world = settled(10);
    await resync(world);
    await happens(world);
    expect(lists(await resync(world))).toBe(2);
    expect(lists(await resync(world))).toBe(0);
  });

  it('reads the same changes again after an invocation that could not publish', async () => {
    const world = settled(10);
    await resync(world);
    world.editBinding('w1', { replicas: 4 });
    const publish = world.bus.publish.bind(world.bus);
    let failures = 0;
    world.bus.publish = async (events) => {
      if (events.some(({ type }) => type === 'BindingChanged') && failures++ === 0) throw new Error('the bus is away');
      return publish(events);
    };
    await resync(world, 120);
    expect(failures).toBeGreaterThan(1);
    expect(Object.values(world.assigned('w1')).reduce((sum, each) => sum + each, 0)).toBe(4);
  });
});

function forget(world: World): void {
  world.store.create('namespaces', { metadata: { name: 'other' } }, user);
  world.hub.forgetVersions();
}

describe('find-reductions', () => {
  const annotate = (world: GracefulWorld, annotations: object) => world.editPolicy({ metadata: { annotations } });
  const strategy = { 'evenkeel.dev/replica-reduction-strategy': 'DelayWorkDeletion' };
  const copied = (world: GracefulWorld) =>
    world.bindingObject.metadata.annotations?.['evenkeel.dev/replica-reduction-strategy'];

  it('copies the annotations of a changed policy to bindings that did not change', async () => {
    const world = new GracefulWorld({ words: {}, hook: false });
    await world.begin();
    await resync(world, 30);
    await resync(world, 30);
    expect(copied(world)).toBeUndefined();
    annotate(world, strategy);
    await resync(world, 30);
    expect(copied(world)).toBe('DelayWorkDeletion');
    annotate(world, { 'evenkeel.dev/replica-reduction-strategy': null });
    await resync(world, 30);
    expect(copied(world)).toBeUndefined();
  });

  it('lists no bindings and no policies if another part of a policy changed', async () => {
    const world = new GracefulWorld({ hook: false });
    await world.begin();
    await resync(world, 30);
    await resync(world, 30);
    world.editPolicy({ metadata: { labels: { a: '1' } } });
    const calls = await resync(world, 30);
    // A list of all bindings is one of both kinds.
    expect(calls.filter((call) => /^list (clusterresourcebindings|.*propagationpolicies)$/.test(call))).toEqual([]);
  });

  it('counts a held reduction at each resync, although its binding did not change', async () => {
    const world = new GracefulWorld({ hook: false });
    await world.begin();
    await resync(world, 30);
    const queue = { replicas: 4, gracePeriodSeconds: 900, creationTimestamp: '2026-11-21T10:02:00Z' };
    world.fleet.fail('member2');
    await world.pass(60);
    world.editBinding({
      metadata: { annotations: { 'replica-reduction-queue.evenkeel.dev/member1': JSON.stringify(queue) } },
      spec: {
        clusters: [
          { name: 'member2', replicas: 6 },
          { name: 'member3', replicas: 6 },
        ],
      },
    });
    const held = () =>
      Object.keys(world.bindingObject.metadata.annotations ?? {}).filter((name) => name.includes('queue'));
    await resync(world, 30);
    expect(held()).toHaveLength(1);
    const before = world.telemetry.counts.get('ReductionsHeld') ?? 0;
    await resync(world, 30);
    expect(world.telemetry.counts.get('ReductionsHeld')).toBe(before + 1);
  });
});
