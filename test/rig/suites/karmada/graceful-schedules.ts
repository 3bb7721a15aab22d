/** Courses of events by chance: what people and policies do to a workload while its reductions wait, and what is never to be seen meanwhile. */
import { setTimeout as wait } from 'node:timers/promises';
import { READY_AFTER } from '../../parts/kwok-stages.ts';
import { type propagate, scale } from './acts.ts';
import { type GracefulFleet, held, inTemplate, reviseTemplate } from './graceful-fleet.ts';
import { DYNAMIC_WEIGHT, HALF_CORE, NONE_UNAVAILABLE, paths, rebalancer, weighted } from './manifests.ts';
import { bindingOf, eventually, inSpecs, whereabouts } from './observed-state.ts';
import { ReadyCurve } from './ready-curve.ts';
import { Dice } from './scheduling/dice.ts';

const STEPS = 8;
const FIRST_REPLICAS = 8;
const SETTLED_MS = 90_000;
/** A scale-up counts so much later than all members have its replicas in their specs: until then their controllers may delete pods that were released before. */
const HEARD_MS = 5000;

interface Asked {
  /** When it was asked for, or, of more replicas than before, when all members had them in their specs. */
  readonly ms: number;
  readonly replicas: number;
}

export interface Course {
  /** In words, with their times: what to look at when it fails. */
  readonly steps: readonly string[];
  /** Moments at which pods went and fewer were left ready than anybody asked for; has to be empty. */
  readonly losses: readonly string[];
}

interface CourseOptions {
  readonly name: string;
  readonly seed: number;
  readonly how: typeof propagate;
}

/** One workload's course, until nothing is held and every replica is ready where it is meant to be. */
export class Schedule {
  readonly #fleet: GracefulFleet;
  readonly #name: string;
  readonly #dice: Dice;
  readonly #propagate: typeof propagate;
  readonly #steps: string[] = [];
  readonly #hearing: Promise<void>[] = [];
  #wanted = FIRST_REPLICAS;
  #asked: readonly Asked[] = [{ ms: 0, replicas: FIRST_REPLICAS }];

  /** `how` it is propagated: with the strategy, or without. */
  constructor(fleet: GracefulFleet, { name, seed, how }: CourseOptions) {
    this.#fleet = fleet;
    this.#name = name;
    this.#dice = new Dice(seed);
    this.#propagate = how;
  }

  async run(): Promise<Course> {
    const annotations = { [READY_AFTER]: '1s' };
    const workload = { name: this.#name, replicas: FIRST_REPLICAS, requests: HALF_CORE, annotations };
    await this.#propagate(this.#fleet, { ...workload, rollout: NONE_UNAVAILABLE }, DYNAMIC_WEIGHT);
    const curve = await ReadyCurve.of(this.#fleet, this.#name, FIRST_REPLICAS);
    try {
      for (let index = 0; index < STEPS; index++) {
        await wait(this.#dice.number(200, 5000));
        await this.#step(index, curve);
      }
      await eventually(() => this.#isSettled(), true, SETTLED_MS);
      await Promise.all(this.#hearing);
      curve.keep(this.#name);
      return { steps: this.#steps, losses: this.#losses(curve) };
    } finally {
      await curve.close();
    }
  }

  async #step(index: number, curve: ReadyCurve): Promise<void> {
    const { what, act } = this.#chosen(index, curve);
    this.#steps.push(`${Math.round(curve.ms)} ms: ${what}`);
    curve.mark(what);
    await act();
  }

  #chosen(index: number, curve: ReadyCurve): { readonly what: string; readonly act: () => Promise<unknown> } {
    const dice = this.#dice;
    const [fleet, name] = [this.#fleet, this.#name];
    const kind = dice.one(['rebalance', 'scale', 'template', 'weights', 'weights', 'speed'] as const);
    switch (kind) {
      case 'rebalance': {
        const wish = rebalancer(`${name}-${index}`, name);
        return { what: 'rebalanced', act: () => fleet.api.create(paths.rebalancers, wish) };
      }
      case 'scale': {
        const replicas = dice.number(4, 14);
        return { what: `scaled to ${replicas}`, act: () => this.#scale(replicas, curve) };
      }
      case 'template':
        return { what: 'template changed', act: () => reviseTemplate(fleet, name, `step-${index}`) };
      case 'weights': {
        const weights = dice.percent(30) ? undefined : this.#weights();
        const what = `weights ${weights === undefined ? 'by room' : JSON.stringify(weights)}`;
        return { what, act: () => this.#weigh(weights) };
      }
      case 'speed': {
        const late = `${dice.number(1, 10)}s`;
        return { what: `pods are ready after ${late}`, act: () => inTemplate(fleet, name, { [READY_AFTER]: late }) };
      }
    }
  }

  async #scale(replicas: number, curve: ReadyCurve): Promise<void> {
    const isMore = replicas > (this.#asked.at(-1)?.replicas ?? 0);
    this.#wanted = replicas;
    if (!isMore) this.#ask(replicas, curve);
    await scale(this.#fleet, this.#name, replicas);
    if (isMore) this.#hearing.push(this.#askOnceHeard(replicas, curve));
  }

  #ask(replicas: number, { ms }: ReadyCurve): void {
    this.#asked = [...this.#asked, { ms, replicas }];
  }

  async #askOnceHeard(replicas: number, curve: ReadyCurve): Promise<void> {
    const isOver = () => this.#wanted !== replicas;
    const isHeard = async () => (await inSpecs(this.#fleet, this.#name)) >= replicas;
    await eventually(async () => isOver() || (await isHeard()), true, SETTLED_MS);
    if (!isOver()) this.#ask(replicas, curve);
  }

  /** At least one of them gets something, and often one of them nothing. */
  #weights(): Readonly<Record<string, number>> {
    const all = ['member1', 'member2', 'member3'].map((name) => [name, this.#dice.number(0, 4)] as const);
    const some = all.filter(([, weight]) => weight > 0);
    return some.length > 0 ? Object.fromEntries(some) : { member1: 1 };
  }

  /** One kind of weights takes the place of the other. */
  async #weigh(weights: Readonly<Record<string, number>> | undefined): Promise<void> {
    const { weightPreference } = (weights === undefined ? DYNAMIC_WEIGHT : weighted(weights)) as {
      weightPreference: object;
    };
    const none = { dynamicWeight: null, staticWeightList: null };
    const replicaScheduling = { weightPreference: { ...none, ...weightPreference } };
    await this.#fleet.api.merge(`${paths.policies}/${this.#name}`, { spec: { placement: { replicaScheduling } } });
  }

  async #isSettled(): Promise<boolean> {
    const { assigned, running } = await whereabouts(this.#fleet, this.#name);
    const { spec } = await bindingOf(this.#fleet, this.#name);
    const sum = Object.values(assigned).reduce<number>((all, one = 0) => all + one, 0);
    const isThere = Object.keys(running).every((member) => running[member] === (assigned[member] ?? 0));
    const isHeld = Object.keys(await held(this.#fleet, this.#name)).length > 0;
    return !isHeld && isThere && sum === this.#wanted && (spec.clusters ?? []).length > 0;
  }

  /**
   * A pod may go only while as many as are asked for stay ready. Asked for is the least of what was asked in the last
   * seconds: 12, scaled to 8, are 8 at once; 8, scaled to 12, are still 8 while what was let go for 8 goes.
   */
  #losses({ points }: ReadyCurve): readonly string[] {
    return points.flatMap((point, index) => {
      const before = points[index - 1];
      if (before === undefined || point.total >= before.total) return [];
      const least = this.#leastAsked(point.ms);
      if (point.total >= least) return [];
      return [
        `${Math.round(point.ms)} ms: ${before.total} to ${point.total}, asked for ${least} (${JSON.stringify(point.ready)})`,
      ];
    });
  }

  #leastAsked(ms: number): number {
    const ofLate = this.#asked.filter((one, index) => {
      const until = this.#asked[index + 1]?.ms ?? Infinity;
      return one.ms <= ms && until > ms - HEARD_MS;
    });
    return Math.min(...ofLate.map(({ replicas }) => replicas));
  }
}
