/** What a task and a run changed, from a whole deployment on virtual time to the answer of the API. */
import { describe, expect, it } from 'vitest';
import { diffSummary, diffText } from '../../../shared/console-api/diff-text.ts';
import { ASSIGN_ANNOTATION } from '../../../shared/workload-rebalancer/workload-rebalancer.ts';
import { deployment } from '../../builders.ts';
import { asking } from '../../fakes/ask.ts';
import { user } from '../../fakes/practice-fleet.ts';
import { World } from '../../fakes/world.ts';
import { PolicyWorld, three } from '../rebalance-policy/scene.ts';

const MINUTE = 60;
const hub = 'karmada';
const [cart, web] = [deployment('cart'), deployment('web')];

/** member1 has failed and recovered, and is without replicas. */
async function leftCluster(history = true): Promise<PolicyWorld> {
  const world = new PolicyWorld(three, { history });
  world.run('cart', 6);
  world.run('web', 12);
  await world.pass(10);
  world.fleet.fail('member1');
  await world.pass(MINUTE);
  world.fleet.recover('member1');
  await world.pass(MINUTE);
  return world;
}

/** "web Moved: member1 0→4, …", in the order of the answer. */
async function linesOf(world: World, of: { readonly task: string } | { readonly run: string }) {
  const ask = asking(world.answerers);
  const { workloads } =
    'task' in of ? await ask('getTaskDiff', { hub, name: of.task }) : await ask('getRunDiff', { hub, run: of.run });
  return workloads.map((each) => `${each.workload.name} ${each.outcome}: ${diffText(each)}`);
}

describe('the diff of a task', () => {
  it('has the placement of each workload before its trigger and after its reassignment', async () => {
    const world = await leftCluster();
    world.create('bring-back', [cart, web]);
    await world.pass(MINUTE);
    expect(await linesOf(world, { task: 'bring-back' })).toEqual([
      'cart Moved: member1 0→2, member2 3→2, member3 3→2',
      'web Moved: member1 0→4, member2 6→4, member3 6→4',
    ]);
    const answer = await asking(world.answerers)('getTaskDiff', { hub, name: 'bring-back' });
    expect(answer).toMatchObject({ task: { name: 'bring-back', state: 'Finished' }, exists: true, total: 2 });
    expect(answer.unrecorded).toBeUndefined();
    expect(diffSummary(answer.workloads)).toBe('6 replicas moved in 2 of 2 workloads');
  });

  it('stays the same when its workloads are scaled and rebalanced later', async () => {
    const world = await leftCluster();
    world.create('bring-back', [web]);
    await world.pass(20 * MINUTE);
    const before = await linesOf(world, { task: 'bring-back' });
    world.fleet.fail('member2');
    await world.pass(20 * MINUTE);
    expect(await linesOf(world, { task: 'bring-back' })).toEqual(before);
  });

  it('is Unchanged if the scheduler kept the assignment, and Failed with the reason without a binding', async () => {
    const world = await leftCluster();
    world.create('bring-back', [web]);
    await world.pass(20 * MINUTE);
    world.create('again', [web, deployment('gone')]);
    await world.pass(MINUTE);
    expect(await linesOf(world, { task: 'again' })).toEqual([
      'gone Failed: ',
      'web Unchanged: member1 4, member2 4, member3 4',
    ]);
    const { workloads } = await asking(world.answerers)('getTaskDiff', { hub, name: 'again' });
    expect(workloads.map(({ why }) => why)).toEqual([
      expect.stringContaining('ReferencedBindingNotFound: not found'),
      'the scheduler kept its assignment',
    ]);
  });

  it('is Pending until the scheduler acts on the trigger, and Moved when it has, also after ten minutes', async () => {
    const world = new World({ history: true, scheduler: false });
    world.bind([web]);
    const assign = (clusters: object) =>
      world.store.patch(
        'resourcebindings',
        { namespace: 'shop', name: 'web-deployment' },
        { type: 'merge', body: { spec: { clusters } } },
        { username: 'karmada-scheduler', manager: 'karmada-scheduler' },
      );
    assign([{ name: 'm1', replicas: 2 }]);
    await world.pass(30);
    world.create('slow', [web]);
    await world.pass(12 * MINUTE);
    expect(await linesOf(world, { task: 'slow' })).toEqual(['web Pending: m1 2']);
    assign([{ name: 'm2', replicas: 2 }]);
    await world.pass(10);
    expect(await linesOf(world, { task: 'slow' })).toEqual(['web Moved: m1 2→0, m2 0→2']);
  });

  it('has a given assignment that undoes a run, also right after the run', async () => {
    const world = await leftCluster();
    world.policy('home', { triggers: { clusterRecovered: { stableFor: '1m' } }, strategy: { coolDown: '0s' } });
    await world.pass(3 * MINUTE);
    world.fleet.fail('member1');
    await world.pass(MINUTE);
    world.fleet.recover('member1');
    await world.pass(3 * MINUTE);
    const run = (await world.runs('home')).at(-1)?.run ?? '';
    const ofRun = await linesOf(world, { run });
    expect(ofRun).toContain('web Moved: member1 0→4, member2 6→4, member3 6→4');
    world.editPolicy('home', { suspend: true });
    world.store.create(
      'workloadrebalancers',
      {
        apiVersion: 'apps.karmada.io/v1alpha1',
        kind: 'WorkloadRebalancer',
        metadata: {
          name: 'undo',
          annotations: { [ASSIGN_ANNOTATION]: JSON.stringify({ 'shop/web-deployment': { member2: 6, member3: 6 } }) },
        },
        spec: { workloads: [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' }] },
      },
      user,
    );
    await world.pass(MINUTE);
    expect(await linesOf(world, { task: 'undo' })).toEqual(['web Moved: member1 4→0, member2 4→6, member3 4→6']);
    expect(await linesOf(world, { run })).toEqual(ofRun);
  });

  it('has only outcomes on a hub without the feature history, and names the remedy', async () => {
    const world = await leftCluster(false);
    world.hubs.uses = async () => false;
    world.create('bring-back', [web, deployment('gone')]);
    await world.pass(5);
    expect(await linesOf(world, { task: 'bring-back' })).toEqual(['gone Failed: ', 'web Pending: ']);
    await world.pass(MINUTE);
    expect(await linesOf(world, { task: 'bring-back' })).toEqual(['gone Failed: ', 'web Rescheduled: ']);
    expect(await asking(world.answerers)('getTaskDiff', { hub, name: 'bring-back' })).toMatchObject({
      unrecorded:
        'hub karmada is registered without --history, so nothing is recorded; evenkeel hub set karmada --history',
    });
  });

  it('reads a page of its workloads', async () => {
    const world = await leftCluster();
    world.create('bring-back', [cart, web]);
    await world.pass(MINUTE);
    const ask = asking(world.answerers);
    const page = await ask('getTaskDiff', { hub, name: 'bring-back', from: 1, limit: 1 });
    expect([page.total, page.workloads.map(({ workload }) => workload.name)]).toEqual([2, ['web']]);
    await expect(ask('getTaskDiff', { hub, name: 'bring-back', limit: 201 })).rejects.toThrow(/^limit: /);
  });

  it('is kept after the WorkloadRebalancer is deleted by its ttl, and shows that it is gone', async () => {
    const world = await leftCluster();
    world.create('bring-back', [web], 30);
    await world.pass(2 * MINUTE);
    expect(world.store.get('workloadrebalancers', { namespace: '', name: 'bring-back' })).toBeUndefined();
    const answer = await asking(world.answerers)('getTaskDiff', { hub, name: 'bring-back' });
    expect([answer.exists, answer.workloads.map(({ outcome }) => outcome)]).toEqual([false, ['Moved']]);
  });

  it('does not name the object of a hub that cannot be read', async () => {
    const world = await leftCluster();
    world.create('bring-back', [web]);
    await world.pass(MINUTE);
    world.hubs.open = () => Promise.reject(new Error('connection refused'));
    const answer = await asking(world.answerers)('getTaskDiff', { hub, name: 'bring-back' });
    expect(answer).not.toHaveProperty('exists');
    expect(answer.workloads).toHaveLength(1);
  });

  it('reports the remedy for an unknown task and an unknown run', async () => {
    const ask = asking((await leftCluster()).answerers);
    await expect(ask('getTaskDiff', { hub, name: 'other' })).rejects.toThrow('hub karmada has no rebalance other');
    await expect(ask('getRunDiff', { hub, run: 'other' })).rejects.toThrow('hub karmada has no run other');
  });
});

describe('the diff of a run', () => {
  async function withRun(history: boolean): Promise<{ readonly world: PolicyWorld; readonly run: string }> {
    const world = await leftCluster(history);
    world.policy('home', { triggers: { clusterRecovered: { stableFor: '1m' } }, strategy: { coolDown: '0s' } });
    await world.pass(3 * MINUTE);
    world.fleet.fail('member1');
    await world.pass(MINUTE);
    world.fleet.recover('member1');
    await world.pass(3 * MINUTE);
    return { world, run: (await world.runs('home')).at(-1)?.run ?? '' };
  }

  it.each([
    [true, 'Recorded'],
    [false, 'Planned'],
  ])('with the feature history %s has placements that are %s', async (history, source) => {
    const { world, run } = await withRun(history);
    expect((await linesOf(world, { run })).toSorted()).toEqual([
      'cart Moved: member1 0→2, member2 3→2, member3 3→2',
      'web Moved: member1 0→4, member2 6→4, member3 6→4',
    ]);
    const { workloads } = await asking(world.answerers)('getRunDiff', { hub, run });
    expect(workloads.map((each) => each.source)).toEqual([source, source]);
  });

  it('and the diff of the task of its wave are the same', async () => {
    const { world, run } = await withRun(true);
    const { tasks } = await asking(world.answerers)('listTasks', { hub });
    const waves = await Promise.all(tasks.map(({ name }) => linesOf(world, { task: name })));
    expect(waves.flat().toSorted()).toEqual((await linesOf(world, { run })).toSorted());
  });
});
