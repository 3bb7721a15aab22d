import { describe, expect, it } from 'vitest';
import { deployment } from '../../builders.ts';
import { MemoryTaskStore } from '../../fakes/stores/memory-task-store.ts';
import { World } from '../../fakes/world.ts';

const [a, b, c] = [deployment('a'), deployment('b'), deployment('c')];

describe('resync alone', () => {
  it('brings a rebalancer to the same end with every event of the hook dropped', async () => {
    const w = new World({ hook: false });
    w.bind([a, b, c]);
    w.create('demo', [a, b], 60);
    await w.resync();
    await w.pass(10);
    expect(w.results('demo')).toEqual(['Deployment shop/a=Successful', 'Deployment shop/b=Successful']);
    w.edit('demo', { workloads: [b, c], ttlSecondsAfterFinished: 300 });
    await w.resync();
    await w.pass(10);
    expect(w.results('demo')).toEqual(['a', 'b', 'c'].map((name) => `Deployment shop/${name}=Successful`));
    await w.pass(400);
    expect(w.rebalancer('demo')).toBeUndefined();
  });

  it('deletes what expired although its schedule was lost', async () => {
    const w = new World();
    w.bind([a]);
    w.create('demo', [a], 60);
    await w.pass(10);
    w.schedule.close();
    await w.pass(100);
    expect(w.rebalancer('demo')).toBeTruthy();
    await w.resync();
    await w.pass(10);
    expect(w.rebalancer('demo')).toBeUndefined();
  });

  it('rebuilds a lost table from the live objects, without triggering anything again', async () => {
    const w = new World();
    w.bind([a, b]);
    w.create('demo', [a, deployment('gone')], 3600);
    await w.pass(30);
    const before = JSON.stringify(w.rebalancer('demo'));
    w.tasks = new MemoryTaskStore();
    await w.resync();
    await w.pass(60);
    expect(w.patches()).toEqual(['a-deployment']);
    expect(await w.task('demo')).toMatchObject({ state: 'Finished', successful: 1, failed: 1 });
    expect(JSON.stringify(w.rebalancer('demo'))).toBe(before);
    await w.pass(3600);
    expect(w.rebalancer('demo')).toBeUndefined();
  });

  it('plans a task anew whose rows were lost', async () => {
    const w = new World();
    w.bind([a, b]);
    const writeChunks = w.tasks.writeChunks.bind(w.tasks);
    w.tasks.writeChunks = async () => undefined;
    w.create('demo', [a, b]);
    await w.pass(30);
    expect(await w.task('demo')).toMatchObject({ state: 'Abandoned' });
    w.tasks.writeChunks = writeChunks;
    await w.resync();
    await w.pass(30);
    expect(w.results('demo')).toEqual(['Deployment shop/a=Successful', 'Deployment shop/b=Successful']);
    expect(w.deadLetters).toEqual([]);
  });

  it('keeps the results in the status of the object if rows of its task expired before the task', async () => {
    const w = new World();
    w.bind([a, b]);
    w.create('demo', [a, b]);
    await w.pass(30);
    w.tasks.readChunks = async () => [];
    w.edit('demo', { ttlSecondsAfterFinished: 3600 });
    await w.pass(30);
    expect(w.results('demo')).toEqual(['Deployment shop/a=Successful', 'Deployment shop/b=Successful']);
    expect(w.patches()).toEqual(['a-deployment', 'b-deployment']);
  });

  it('leaves alone what is where it should be', async () => {
    const w = new World();
    w.bind([a]);
    w.create('demo', [a]);
    await w.pass(300);
    const calls = w.hub.calls.length;
    await w.resync();
    await w.pass(30);
    const read = w.hub.calls.slice(calls).map(({ verb, plural }) => `${verb} ${plural}`);
    const ours = ['rebalancepolicies', 'clusterdrains', 'workloadrebalancers'];
    // Of the clusters: whether one has the taint of a drain that is gone.
    const once = ['propagationpolicies', 'clusterpropagationpolicies', 'clusters', ...ours];
    // By the function that finds unscheduled bindings, and by the one that finds holds.
    const twice = ['resourcebindings', 'clusterresourcebindings'];
    // And the names of works whose ElasticWorkload may be gone.
    const elastic = ['elasticworkloads', 'elasticworkloads', 'manifestworks'];
    expect(read.sort()).toEqual([...once, ...twice, ...twice, ...elastic].map((kind) => `list ${kind}`).sort());
  });
});
