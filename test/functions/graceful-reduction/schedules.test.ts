/** Random courses of events on the practice hub: at no time are fewer replicas ready than the workload has ever requested. */
import { afterAll, describe, expect, it } from 'vitest';
import { QUEUE } from '../../../shared/graceful-reduction/replica-reduction.ts';
import { seeds } from '../../depth.ts';
import { seededRandom } from '../../fakes/seeded-random.ts';
import { AGGREGATED, byStaticWeight, DYNAMIC } from '../../placed-objects.ts';
import { GracefulWorld, members, workload } from './scene.ts';

const STEPS = 10;
const courses = seeds({ few: 3, all: 20 }).map((seed) => seed + 1);
const names = members.map(({ name }) => name);

class Course {
  readonly world = new GracefulWorld();
  readonly story: string[] = [];
  /** The fewest replicas that were ever wanted: with all of them ready in the beginning, so many are ready ever after. */
  floor = 12;
  /** Entries that stood in the queue. */
  readonly held = new Set<string>();
  readonly #random: () => number;
  #count = 0;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.world.store.onChange(({ plural, object: { metadata } }) => {
      if (plural !== 'resourcebindings') return;
      for (const [name, text] of Object.entries(metadata.annotations ?? {}))
        if (name.startsWith(QUEUE)) this.held.add(`${name} ${text}`);
    });
  }

  #from(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1));
  }

  #pick<T>(all: readonly T[]): T {
    return all[this.#from(0, all.length - 1)] as T;
  }

  /** The next action of a user. */
  act(): void {
    const { world } = this;
    this.#count += 1;
    const acts: readonly (readonly [string, () => void])[] = [
      ['rebalance', () => world.create(`rebalance-${this.#count}`, [workload], 0)],
      ['scale', () => this.#scale()],
      [
        'template',
        () =>
          world.editWorkload({ template: { spec: { containers: [{ name: 'web', image: `web:${this.#count}` }] } } }),
      ],
      ['placement', () => world.editPolicy({ spec: { placement: this.#placement() } })],
      ['slow', () => world.fleet.setReadyDelay(this.#pick(names), this.#from(1, 30) * 1000)],
    ];
    const [name, act] = this.#pick(acts);
    act();
    this.story.push(name);
  }

  #scale(): void {
    const replicas = this.#from(6, 18);
    this.floor = Math.min(this.floor, replicas);
    this.world.editWorkload({ replicas });
  }

  #placement(): object {
    const weights = Object.fromEntries(names.map((name) => [name, this.#from(1, 4)]));
    const replicaScheduling = this.#pick([DYNAMIC, AGGREGATED, byStaticWeight(weights)]);
    const clusterNames = this.#pick([names, names.slice(1), names.slice(0, 2), [this.#pick(names)]]);
    return { replicaScheduling, clusterAffinity: { clusterNames } };
  }

  pause(): number {
    return this.#from(1, 40);
  }
}

/** Courses in which something was held. */
const held = new Set<number>();

// A course in which nothing is held claims nothing. Some are: in one that only scales, no cluster gains what another loses.
afterAll(() => {
  expect(held.size).toBeGreaterThan(0.75 * courses.length);
});

describe('whatever is asked of a workload', () => {
  it.each(courses)('seed %i: never fewer are ready, and nothing is held in the end', async (seed) => {
    const course = new Course(seed);
    const { world } = course;
    await world.begin();
    for (let step = 0; step < STEPS; step++) {
      course.act();
      const lowest = Math.min(...(await world.curve(course.pause())));
      expect([...course.story, lowest >= course.floor]).toEqual([...course.story, true]);
    }
    const lowest = Math.min(...(await world.curve(120)));
    expect([lowest >= course.floor, world.queue]).toEqual([true, {}]);
    expect(world.shares('ready')).toBe(world.shares('assigned'));
    expect(world.deadLetters).toEqual([]);
    if (course.held.size > 0) held.add(seed);
  });
});
