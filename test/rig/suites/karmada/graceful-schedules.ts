/** Random courses of events: actions of users and policies on a workload while its reductions are held, and the losses of ready pods meanwhile. */
import { setTimeout as wait } from 'node:timers/promises';
import { READY_AFTER } from '../../parts/kwok-stages.ts';
import { type propagate, scale } from './acts.ts';
import { type GracefulFleet, held, inTemplate, reviseTemplate } from './graceful-fleet.ts';
import { DYNAMIC_WEIGHT, HALF_CORE, NONE_UNAVAILABLE, paths, rebalancer, weighted } from './manifests.ts';
import { bindingOf, eventually, readyOfSpecs, whereabouts } from './observed-state.ts';
import { ReadyCurve } from './ready-curve.ts';
import { Dice } from './scheduling/dice.ts';

const STEPS = 8;
const FIRST_REPLICAS = 8;
const SETTLED_MS = 90_000;
/** A scale-up counts this long after its replicas are ready: until then controllers may delete pods that were released before, and the extra pods of a rollout. */
const SCALE_UP_DELAY_MS = 5000;

interface RequestedReplicas {
  /** The time of the request or, for a scale-up, the time at which that many were ready, extra pods of rollouts apart. */
  readonly ms: number;
  readonly replicas: number;
}

export interface Course {
  /** The actions with their times, for the message of a failed test. */
  readonly steps: readonly string[];
  /** The times at which pods were removed and fewer were left ready than requested; must be empty. */
  readonly losses: readonly string[];
}

interface CourseOptions {
  readonly name: string;
  readonly seed: number;
  readonly how: typeof propagate;
}

/** The course of one workload, until nothing is held and every assigned replica is ready. */
export class Schedule {
  readonly #fleet: GracefulFleet;
  readonly #name: string;
  readonly #dice: Dice;
  readonly #propagate: typeof propagate;
  readonly #steps: string[] = [];
  readonly #scaleUps: Promise<void>[] = [];
  #wanted = FIRST_REPLICAS;
  #requests: readonly RequestedReplicas[] = [{ ms: 0, replicas: FIRST_REPLICAS }];

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
      await Promise.all(this.#scaleUps);
      curve.save(this.#name);
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
        const what = `weights ${weights === undefined ? 'by capacity' : JSON.stringify(weights)}`;
        return { what, act: () => this.#weigh(weights) };
      }
      case 'speed': {
        const late = `${dice.number(1, 10)}s`;
        return { what: `pods are ready after ${late}`, act: () => inTemplate(fleet, name, { [READY_AFTER]: late }) };
      }
    }
  }

  async #scale(replicas: number, curve: ReadyCurve): Promise<void> {
    const isMore = replicas > (this.#requests.at(-1)?.replicas ?? 0);
    this.#wanted = replicas;
    if (!isMore) this.#record(replicas, curve);
    await scale(this.#fleet, this.#name, replicas);
    if (isMore) this.#scaleUps.push(this.#recordScaleUp(replicas, curve));
  }

  #record(replicas: number, { ms }: ReadyCurve): void {
    this.#requests = [...this.#requests, { ms, replicas }];
  }

  async #recordScaleUp(replicas: number, curve: ReadyCurve): Promise<void> {
    const isOver = () => this.#wanted !== replicas;
    const isReady = async () => (await readyOfSpecs(this.#fleet, this.#name)) >= replicas;
    await eventually(async () => isOver() || (await isReady()), true, SETTLED_MS);
    if (!isOver()) this.#record(replicas, curve);
  }

  /** At least one weight is positive, and often one is missing. */
  #weights(): Readonly<Record<string, number>> {
    const all = ['member1', 'member2', 'member3'].map((name) => [name, this.#dice.number(0, 4)] as const);
    const some = all.filter(([, weight]) => weight > 0);
    return some.length > 0 ? Object.fromEntries(some) : { member1: 1 };
  }

  /** Replaces dynamic weights by static ones, or static by dynamic ones. */
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
   * A pod may be removed only if as many as requested stay ready. Requested is the lowest request of the last
   * seconds: 12, scaled to 8, count as 8 at once; 8, scaled to 12, still count as 8 while pods released for 8 are removed.
   */
  #losses({ points }: ReadyCurve): readonly string[] {
    return points.flatMap((point, index) => {
      const before = points[index - 1];
      if (before === undefined || point.total >= before.total) return [];
      const least = this.#leastRequested(point.ms);
      if (point.total >= least) return [];
      return [
        `${Math.round(point.ms)} ms: ${before.total} to ${point.total}, requested ${least} (${JSON.stringify(point.ready)})`,
      ];
    });
  }

  #leastRequested(ms: number): number {
    const ofLate = this.#requests.filter((one, index) => {
      const until = this.#requests[index + 1]?.ms ?? Infinity;
      return one.ms <= ms && until > ms - SCALE_UP_DELAY_MS;
    });
    return Math.min(...ofLate.map(({ replicas }) => replicas));
  }
}
