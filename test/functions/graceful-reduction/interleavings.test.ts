/** Ten thousand orders, five thousand per condition, in which a scheduler, Karmada's controllers, users and our release act on one binding: no hold is lost, none stays forever, none ends early. */
import { describe, expect, it } from 'vitest';
import { QUEUE } from '../../../shared/graceful-reduction/replica-reduction.ts';
import { cases } from '../../depth.ts';
import { seededRandom } from '../../fakes/seeded-random.ts';
import {
  type BindingObject,
  CLUSTERS,
  GRACE_SECONDS,
  queueIn,
  SmallHub,
  textOf,
  US,
  type Written,
} from './small-hub.ts';

const CHUNKS = cases({ few: 1, all: 5 });
const RUNS = cases({ few: 60, all: 1000 });
const STEPS = 40;
const STRATEGY = 'evenkeel.dev/replica-reduction-strategy';

type Random = () => number;

/** What may happen in a run: everything, or only what must never cost a ready replica. */
type Weather = 'rough' | 'calm';

class Run {
  readonly hub: SmallHub;
  readonly floor: number;
  readonly #random: Random;
  readonly #weather: Weather;
  /** Reconciles of our function that have read, and not written yet. */
  #pending: (() => void)[] = [];

  constructor(seed: number, weather: Weather) {
    this.#random = seededRandom(seed);
    this.#weather = weather;
    const initial = this.#shares(6 + this.#below(6), CLUSTERS);
    this.hub = new SmallHub({ initial, readyAfterSeconds: () => this.#below(weather === 'calm' ? 90 : 400) });
    this.floor = this.hub.ready;
  }

  #below(n: number): number {
    return Math.floor(this.#random() * n);
  }

  #pick<T>(from: readonly T[]): T | undefined {
    return from[this.#below(from.length)];
  }

  #shares(replicas: number, names: readonly string[]): Record<string, number> {
    const shares: Record<string, number> = {};
    for (let left = replicas; left > 0; left--) {
      const name = this.#pick(names) ?? '';
      shares[name] = (shares[name] ?? 0) + 1;
    }
    return Object.fromEntries(Object.entries(shares).sort());
  }

  /** Actions, as often as they stand here. */
  #actions(): readonly (() => void)[] {
    const { hub } = this;
    const common = [
      () => this.#schedule(),
      () => this.#schedule(),
      () => hub.syncWorks(),
      () => hub.syncWorks(),
      () => hub.runWorks(),
      () => hub.runWorks(),
      () => hub.reportStatus(),
      () => hub.reportStatus(),
      () => this.#pass(this.#below(this.#weather === 'calm' ? 10 : 60)),
      () => this.#pass(this.#below(this.#weather === 'calm' ? 10 : 60)),
      () => this.#look(),
      () => this.#look(),
      () => this.#finishLook(),
      () => this.#finishLook(),
      () => hub.changeTemplate(),
      () => hub.changeTemplate((spec) => (spec.replicas = (spec.replicas ?? 0) + this.#below(4))),
    ];
    if (this.#weather === 'calm') return common;
    return [
      ...common,
      () => hub.changeTemplate((spec) => (spec.replicas = this.#below(12))),
      () => this.#fail(),
      () => this.#recover(),
      () => this.#evict(),
      () => hub.endEvictions(),
      () => this.#user(),
    ];
  }

  #schedule(): void {
    const { usable, binding } = this.hub;
    if (usable.length > 0) this.hub.schedule(this.#shares(binding.spec.replicas ?? 0, usable));
  }

  #pass(seconds: number): void {
    this.hub.now += seconds * 1000;
  }

  #look(): void {
    this.#pending.push(this.hub.look());
  }

  /** Some are lost: the function was killed before it wrote. */
  #finishLook(): void {
    const write = this.#pending.shift();
    if (this.#weather === 'calm' || this.#random() > 0.1) write?.();
  }

  #fail(): void {
    const name = this.#pick(CLUSTERS);
    if (name !== undefined && this.hub.failed.size < 2) this.hub.failed.add(name);
    const workload = this.hub.workloads.get(name ?? '');
    // The pods of a failed member start anew when it is back.
    workload?.readyAt.fill(this.hub.now + 60_000);
  }

  #recover(): void {
    const name = this.#pick([...this.hub.failed]);
    if (name !== undefined) this.hub.failed.delete(name);
  }

  #evict(): void {
    const name = this.#pick([...this.hub.failed].filter((failed) => this.hub.assigned(failed) > 0));
    if (name !== undefined) this.hub.evict(name);
  }

  #user(): void {
    const { hub } = this;
    const held = this.#pick(hub.queue);
    const cluster = this.#pick(CLUSTERS) ?? '';
    const edits: readonly ((object: BindingObject) => void)[] = [
      ({ metadata }) => {
        if (held !== undefined) delete metadata.annotations[QUEUE + held];
      },
      ({ metadata }) => {
        if (held !== undefined)
          metadata.annotations[QUEUE + held] =
            '{"replicas": 1, "gracePeriodSeconds": 5, "creationTimestamp": "2001-01-01T00:00:00Z"}';
      },
      ({ metadata }) => {
        delete metadata.annotations[STRATEGY];
      },
      ({ metadata }) => {
        metadata.annotations[STRATEGY] = 'DelayWorkDeletion';
      },
      ({ spec }) => {
        const names = spec.suspension?.dispatchingOnClusters?.clusterNames ?? [];
        if (!names.includes(cluster))
          spec.suspension = { dispatchingOnClusters: { clusterNames: [...names, cluster] } };
      },
      ({ spec }) => {
        spec.suspension = {
          ...spec.suspension,
          ...(spec.suspension?.dispatching ? { dispatching: false } : { dispatching: true }),
        };
      },
    ];
    const edit = this.#pick(edits);
    if (edit !== undefined) hub.write('a-user', edit);
  }

  step(): void {
    this.#pick(this.#actions())?.();
  }

  /** All actors finish their steps; all members are healthy, nothing is suspended, and time passes with a resync every five minutes. */
  calmDown(): void {
    const { hub } = this;
    hub.failed.clear();
    hub.endEvictions();
    hub.write('a-user', ({ spec }) => {
      if (spec.suspension?.dispatching) delete spec.suspension.dispatching;
    });
    this.#pending = [];
    const assigned = CLUSTERS.reduce((sum, name) => sum + hub.assigned(name), 0);
    if (assigned !== (hub.binding.spec.replicas ?? 0) && hub.usable.length > 0) this.#schedule();
    for (let passed = 0; passed <= 3 * GRACE_SECONDS; passed += 300) {
      hub.syncWorks();
      hub.runWorks();
      this.#pass(300);
      hub.reportStatus();
      hub.look()();
    }
    hub.syncWorks();
    hub.runWorks();
  }
}

/** What is wrong with what a write made of holds; undefined where nothing is. */
function whatIsWrong({ by, at, before, after }: Written): string | undefined {
  const asks = after.metadata.annotations[STRATEGY] === 'DelayWorkDeletion' && (after.spec.replicas ?? 0) > 0;
  const queue = queueIn(after);
  const tasks = after.spec.gracefulEvictionTasks ?? [];
  const suspended = after.spec.suspension?.dispatchingOnClusters?.clusterNames ?? [];
  const byOthers = tasks.map(({ fromCluster }) => fromCluster);
  const ours = (after.spec.requiredBy ?? []).flatMap((line) => line.clusters.map(({ name }) => name));
  const isAssigned = (name: string) => after.spec.clusters?.some((cluster) => cluster.name === name) ?? false;
  const released = queueIn(before).filter((name) => !queue.includes(name));
  for (const name of released) {
    const entry = JSON.parse(before.metadata.annotations[QUEUE + name] ?? '') as { replicas: number };
    const replicas = Math.min(entry.replicas, after.spec.replicas ?? 0);
    const isLet = by === 'a-user' || by === US || !asks || byOthers.includes(name) || isPastGrace(before, name, at);
    if (!isLet && replicasOn(after, name) < replicas) return `the hold of ${name} was lost`;
    const isDue = !asks || byOthers.includes(name) || replicasOn(after, name) >= replicas;
    if (by === US && !isDue && whyEarly(name, before, at) !== undefined)
      return `${name} was released early: ${whyEarly(name, before, at)}`;
  }
  const isSuspended = [before, after].some(({ spec }) => spec.suspension?.dispatching === true);
  const late = queue.find((name) => isPastGrace(after, name, at));
  if (late !== undefined && !isSuspended && by !== US) return `${late} stays held past its grace`;
  const personal = before.spec.suspension?.dispatchingOnClusters?.clusterNames ?? [];
  const grows = (after.spec.clusters ?? []).some(({ name, replicas }) => replicas > replicasOn(before, name));
  const isNew = queue.find((name) => !queueIn(before).includes(name));
  if (isNew !== undefined && !grows && by !== US) return `${isNew} is held though no cluster grows`;
  for (const { name, replicas } of before.spec.clusters ?? []) {
    const isHeld = queue.includes(name) || byOthers.includes(name) || (isAssigned(name) && personal.includes(name));
    const shrinks = replicasOn(after, name) < replicas;
    if (shrinks && grows && asks && !isHeld && !released.includes(name)) return `${name} shrinks and is not held`;
  }
  for (const name of queue) {
    if (isAssigned(name) && !suspended.includes(name)) return `${name} is queued and not suspended`;
    if (!isAssigned(name) && !ours.includes(name)) return `${name} is queued and not required`;
    if (isAssigned(name) && ours.includes(name)) return `${name} is assigned and required by us`;
  }
  const stray = ours.find((name) => !queue.includes(name));
  return stray && `${stray} is required by us and not queued`;
}

/** By the hub's clock, to the second. */
function isPastGrace({ metadata }: BindingObject, name: string, at: number): boolean {
  const entry = JSON.parse(metadata.annotations[QUEUE + name] ?? '') as Entry;
  const since = Date.parse(entry.creationTimestamp ?? '');
  return Math.floor(at / 1000) * 1000 - since >= (entry.gracePeriodSeconds ?? GRACE_SECONDS) * 1000;
}

interface Entry {
  readonly creationTimestamp?: string;
  readonly gracePeriodSeconds?: number;
}

/** By the reports that were there to be read, or by the time. */
function whyEarly(name: string, binding: BindingObject, at: number): string | undefined {
  const { spec, status } = binding;
  if (isPastGrace(binding, name, at)) return undefined;
  const reports = (status.aggregatedStatus ?? []) as { clusterName: string; status?: { readyReplicas?: number } }[];
  const behind = (spec.clusters ?? []).find((cluster) => {
    const report = reports.find(({ clusterName }) => clusterName === cluster.name);
    return cluster.name !== name && (report?.status?.readyReplicas ?? 0) < cluster.replicas;
  });
  if (behind !== undefined) return `${behind.name} is not ready with ${behind.replicas}`;
  const assigned = (spec.clusters ?? []).reduce((sum, { replicas }) => sum + replicas, 0);
  return assigned < (spec.replicas ?? 0) ? 'not all is assigned' : undefined;
}

function replicasOn({ spec }: BindingObject, name: string): number {
  return spec.clusters?.find((cluster) => cluster.name === name)?.replicas ?? 0;
}

/** The story of a run up to where it went wrong, to be read. */
function failureOf({ hub }: Run, seed: number, what: string): string {
  return [`seed ${seed}: ${what}`, ...hub.story].join('\n');
}

/** Holds that were made, released by us, and put back where a controller wiped them. */
function count(written: readonly Written[], seen: Record<'held' | 'released' | 'wiped', number>): void {
  for (const { by, before, after } of written) {
    const [was, is] = [queueIn(before), queueIn(after)];
    seen.held += is.filter((name) => !was.includes(name)).length;
    if (by === US) seen.released += was.filter((name) => !is.includes(name)).length;
    const isSuspended = (before.spec.suspension?.dispatchingOnClusters?.clusterNames ?? []).length > 0;
    if (isSuspended && before.spec.resource.resourceVersion !== after.spec.resource.resourceVersion) seen.wiped += 1;
  }
}

const chunks = Array.from({ length: CHUNKS }, (_, i) => i);

describe('whatever happens in whatever order', () => {
  it.each(chunks)('no write loses a hold, and none is left when all is calm (part %i)', (chunk) => {
    const wrong: string[] = [];
    const seen = { held: 0, released: 0, wiped: 0 };
    for (let seed = chunk * RUNS; seed < (chunk + 1) * RUNS && wrong.length === 0; seed++) {
      const run = new Run(seed, 'rough');
      for (let step = 0; step < STEPS; step++) run.step();
      run.calmDown();
      const { hub } = run;
      count(hub.written, seen);
      const mistake = hub.written.map(whatIsWrong).find((each) => each !== undefined);
      if (mistake !== undefined) wrong.push(failureOf(run, seed, mistake));
      if (hub.queue.length > 0) wrong.push(failureOf(run, seed, `still held at the end: ${textOf(hub.binding)}`));
    }
    expect(wrong).toEqual([]);
    // So that it is known to have been about something.
    expect(seen.held).toBeGreaterThan(RUNS);
    expect(seen.released).toBeGreaterThan(RUNS / 2);
    expect(seen.wiped).toBeGreaterThan(RUNS / 2);
  });
});

describe('holds while no member fails, no user scales down or interferes, and pods are ready within the grace', () => {
  it.each(chunks)('there are never fewer ready than there were (part %i)', (chunk) => {
    const wrong: string[] = [];
    for (let seed = chunk * RUNS; seed < (chunk + 1) * RUNS && wrong.length === 0; seed++) {
      const run = new Run(seed, 'calm');
      for (let step = 0; step < STEPS && wrong.length === 0; step++) {
        run.step();
        if (run.hub.ready < run.floor) wrong.push(failureOf(run, seed, `${run.hub.ready} of ${run.floor} are ready`));
      }
      run.calmDown();
      if (run.hub.queue.length > 0) wrong.push(failureOf(run, seed, 'still held at the end'));
      if (run.hub.ready < run.floor)
        wrong.push(failureOf(run, seed, `in the end ${run.hub.ready} of ${run.floor} are ready`));
    }
    expect(wrong).toEqual([]);
  });
});
