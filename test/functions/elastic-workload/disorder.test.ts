/** ElasticWorkloads on a hub whose requests fail and whose responses are lost, with dropped events and concurrent user edits: in the end every object matches its spec. */
import { describe, expect, it } from 'vitest';
import { seeds } from '../../depth.ts';
import { seededRandom } from '../../fakes/seeded-random.ts';
import { passing } from '../../fakes/store-hub.ts';
import { borrowing, ElasticWorld } from './scene.ts';

const STEPS = 25;
const web = { namespace: 'default', name: 'web' };

class Disorder {
  readonly world = new ElasticWorld();
  total = 12;
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    const fail = () => {
      if (this.#random() < 0.08) throw passing();
    };
    this.world.hub.interference = { before: fail, after: fail };
  }

  #below(n: number): number {
    return Math.floor(this.#random() * n);
  }

  #managedCluster(): string {
    return `spoke${this.#below(3) + 1}`;
  }

  async run(): Promise<void> {
    const { world } = this;
    await world.pass(5);
    world.run('web', { total: this.total, balance: { ...borrowing, hesitationSeconds: 20 } });
    for (let step = 0; step < STEPS; step++) {
      this.#befall();
      await world.pass(this.#below(30));
    }
  }

  #befall(): void {
    const { world } = this;
    const { managedClusters } = world.fleet;
    const acts: readonly (() => void)[] = [
      () => managedClusters.setCapacity(this.#managedCluster(), this.#below(12)),
      () => managedClusters.setCapacity(this.#managedCluster(), 20),
      () => managedClusters.fail(this.#managedCluster()),
      () => managedClusters.recover(this.#managedCluster()),
      () => {
        const managedCluster = this.#managedCluster();
        if (managedClusters.replicas(managedCluster, web).replicas > 0)
          managedClusters.scale(managedCluster, web, this.#below(8));
      },
      () => world.editElastic('web', { distributionStrategy: { totalReplicas: (this.total = 6 + this.#below(12)) } }),
      () => (world.hook = !world.hook),
      () => void world.resync(),
      () => {
        const found = world.works('web')[this.#below(3)];
        const { namespace = '', name = '' } = found?.metadata ?? {};
        if (name !== '')
          world.store.delete('manifestworks', { namespace, name }, { username: 'another-user', manager: 'kubectl' });
      },
    ];
    acts[this.#below(acts.length)]?.();
  }

  /** Nothing fails any more, and the clock has the hub compared. */
  async calm(): Promise<void> {
    const { world } = this;
    world.hub.interference = {};
    world.hook = true;
    for (const name of world.fleet.managedClusters.names) {
      world.fleet.managedClusters.recover(name);
      world.fleet.managedClusters.setCapacity(name, 20);
    }
    await world.resync();
    await world.pass(10);
    // A new wish lets go of what was scaled by hand, where that was seen before.
    world.editElastic('web', { distributionStrategy: { totalReplicas: 18 } });
    for (let minute = 0; minute < 80; minute += 5) {
      await world.resync();
      await world.pass(300);
    }
  }
}

describe('in disorder', () => {
  it.each(seeds({ few: 2, all: 40 }))('seed %i converges to its spec', async (seed) => {
    const disorder = new Disorder(seed);
    await disorder.run();
    await disorder.calm();
    const { world } = disorder;
    expect(world.shown('web')).toEqual(['spoke1 6/6', 'spoke2 6/6', 'spoke3 6/6']);
    expect(world.condition('web', 'Balanced')).toBe('Balanced=True Balanced');
    world.deleteElastic('web');
    await world.pass(60);
    expect(world.works('web')).toEqual([]);
    expect(world.elasticObject('web')).toBe(undefined);
  });
});
