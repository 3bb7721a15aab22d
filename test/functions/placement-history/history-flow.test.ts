/** The history of a workload from the changes on its hub to the answer of the API, in a whole deployment on virtual time. */
import { describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../shared/core/time.ts';
import { deployment } from '../../builders.ts';
import { asking } from '../../fakes/ask.ts';
import { World, type WorldOptions } from '../../fakes/world.ts';

const web = deployment('web');
const user = { username: 'a-user', manager: 'kubectl' };
const scheduler = { username: 'karmada-scheduler', manager: 'karmada-scheduler' };
const key = { namespace: 'shop', name: 'web-deployment' };

class HistoryScene {
  readonly world: World;

  constructor(options: WorldOptions = {}) {
    this.world = new World({ history: true, ...options });
  }

  async write(body: object, by = user, subresource?: 'status'): Promise<void> {
    this.world.store.patch('resourcebindings', key, { type: 'merge', body, ...(subresource && { subresource }) }, by);
    await this.world.pass(2);
  }

  assign(clusters: Readonly<Record<string, number>>): Promise<void> {
    const assigned = Object.entries(clusters).map(([name, replicas]) => ({ name, replicas }));
    return this.write({ spec: { clusters: assigned } }, scheduler);
  }

  ready(clusters: Readonly<Record<string, number>>): Promise<void> {
    const aggregatedStatus = Object.entries(clusters).map(([clusterName, readyReplicas]) => ({
      clusterName,
      status: { replicas: readyReplicas, readyReplicas },
    }));
    return this.write({ status: { aggregatedStatus } }, scheduler, 'status');
  }

  listPlacements(more: object = {}) {
    return asking(this.world.answerers)('listPlacements', { hub: 'karmada', ...key, ...more });
  }

  /** "total assigned ready cause", oldest first. */
  async lines(): Promise<readonly string[]> {
    const { placements } = await this.listPlacements();
    return placements
      .toReversed()
      .map(({ total, assigned, ready, cause }) =>
        [total, JSON.stringify(assigned), JSON.stringify(ready), cause?.by ?? '-'].join(' '),
      );
  }
}

async function placedScene(options?: WorldOptions): Promise<HistoryScene> {
  const scene = new HistoryScene(options);
  scene.world.bind([web]);
  await scene.assign({ m1: 2 });
  await scene.world.pass(30);
  return scene;
}

describe('the history of a workload', () => {
  it('has a row for each change of its assignment, and the newest ready replicas within ten seconds', async () => {
    const scene = await placedScene();
    await scene.ready({ m1: 1 });
    await scene.ready({ m1: 2 });
    await scene.world.pass(30);
    await scene.assign({ m1: 1, m2: 1 });
    expect(await scene.lines()).toEqual([
      '2 {"m1":2} {} Created',
      '2 {"m1":2} {"m1":2} -',
      '2 {"m1":1,"m2":1} {"m1":2} Scheduler',
    ]);
  });

  it('names the WorkloadRebalancer whose trigger the scheduler acted on', async () => {
    const scene = await placedScene();
    scene.world.create('bring-back', [web]);
    await scene.world.pass(3);
    await scene.assign({ m2: 2 });
    const { placements } = await scene.listPlacements();
    expect(placements[0]?.cause).toEqual({ by: 'WorkloadRebalancer', name: 'bring-back' });
    expect(scene.world.deadLetters).toEqual([]);
  });

  it('is one row if the same event is delivered again, and none if nothing changed', async () => {
    const scene = await placedScene();
    await scene.assign({ m2: 2 });
    const before = await scene.listPlacements();
    await scene.write({ metadata: { annotations: { touched: 'yes' } } });
    expect(await scene.listPlacements()).toEqual(before);
  });

  it('ends when its binding is deleted', async () => {
    const scene = await placedScene();
    scene.world.store.delete('resourcebindings', key, user);
    await scene.world.pass(3);
    const { placements } = await scene.listPlacements();
    expect(placements[0]).toMatchObject({ gone: true, total: 0, cause: { by: 'Deleted' } });
  });

  it('has the placement at the begin of a range apart from the changes in it, and pages', async () => {
    const scene = await placedScene();
    for (const assigned of [{ m2: 2 }, { m3: 2 }, { m1: 1, m2: 1 }]) {
      await scene.world.pass(60);
      await scene.assign(assigned);
    }
    const from = toTimestamp(scene.world.clock.now() - 100_000);
    const answer = await scene.listPlacements({ from });
    expect(answer.placements.map(({ assigned }) => assigned)).toEqual([{ m1: 1, m2: 1 }, { m3: 2 }]);
    expect(answer.before?.assigned).toEqual({ m2: 2 });
    const first = await scene.listPlacements({ from, limit: 1 });
    const second = await scene.listPlacements({ from, limit: 1, next: first.next });
    expect([first, second].map(({ placements }) => placements.map(({ assigned }) => assigned))).toEqual([
      [{ m1: 1, m2: 1 }],
      [{ m3: 2 }],
    ]);
  });

  it('is not recorded on a hub without the feature, and not with placementHistoryDays 0', async () => {
    for (const options of [{ history: false }, { settings: { placementHistoryDays: 0 } }])
      expect(await (await placedScene(options)).lines()).toEqual([]);
  });

  it.each([
    [
      { from: 'yesterday' },
      'from: Invalid value: "yesterday": must be a time in RFC 3339, for example 2026-11-22T08:00:00Z',
    ],
    [
      { from: '2026-11-23T00:00:00Z', to: '2026-11-22T00:00:00Z' },
      'from: Invalid value: "2026-11-23T00:00:00Z": must not be later than to, which is 2026-11-22T00:00:00Z',
    ],
  ])('rejects the range %j', async (range, message) => {
    await expect(new HistoryScene().listPlacements(range)).rejects.toThrow(message);
  });
});

describe('the history of a cluster', () => {
  it('has what moved to and from it, and its states', async () => {
    const scene = await placedScene();
    const { world } = scene;
    const cluster = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', metadata: { name: 'm1' } };
    world.store.create('clusters', { ...cluster, spec: { syncMode: 'Push' } }, user);
    await world.pass(2);
    await scene.assign({ m2: 2 });
    const taint = { key: 'cluster.karmada.io/not-ready', effect: 'NoExecute' };
    world.store.patch(
      'clusters',
      { namespace: '', name: 'm1' },
      { type: 'merge', body: { spec: { taints: [taint] } } },
      user,
    );
    await world.pass(3);
    const answer = await asking(world.answerers)('getClusterHistory', { hub: 'karmada', cluster: 'm1' });
    expect(answer.moves.map(({ from, to, cause }) => [from, to, cause?.by])).toEqual([
      [2, 0, 'Scheduler'],
      [0, 2, 'Created'],
    ]);
    expect(answer.states.map(({ state }) => state)).toContain('NotReady');
    expect(world.deadLetters).toEqual([]);
  });
});
