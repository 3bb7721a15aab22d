/** What holds for every load of a small fleet: policies by pressure and price end, never move back and forth, and are close to the optimum. */
import { describe, expect, it } from 'vitest';
import { SECOND } from '../../../shared/core/time.ts';
import { seeds } from '../../depth.ts';
import { seededRandom } from '../../fakes/seeded-random.ts';
import type { Numbers } from '../../placed-objects.ts';
import { NOW } from './candidates.ts';
import { fewestMoves } from './fewest-moves.ts';
import { afterRun, percentIn, planFleet, randomFleet, type ShiftFleet, shiftPolicy } from './shift-fleet.ts';

/** EVENKEEL_SHIFT_SEEDS=10000 npm run test:deep -- test/shared/rebalance-policy/shifts.properties.test.ts takes about 15 minutes. */
const deep = Number(process.env.EVENKEEL_SHIFT_SEEDS ?? 1500);
const all = seeds({ few: 60, all: deep });
/** With an exhaustive search each. */
const searched = seeds({ few: 60, all: Math.ceil(deep * 0.3) });
/** Twenty plans each. */
const fewer = seeds({ few: 10, all: Math.ceil(deep / 10) });
const [HIGH, LOW] = [80, 60];
const TARGET = (HIGH + LOW) / 2;
const level = shiftPolicy({ pressure: { high: HIGH, low: LOW } });
const quick = shiftPolicy({ pressure: { high: HIGH, low: LOW } }, { strategy: { coolDown: '10m' } });
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const COOL_DOWN = 10 * MINUTE;

/** A run every hour, until one moves nothing; the fleet before each, and after the last. */
function runsOf(fleet: ShiftFleet, policy = level): readonly ShiftFleet[] {
  const fleets = [fleet];
  for (let run = 0; run < 20; run++) {
    const now = NOW + run * HOUR;
    const last = fleets.at(-1) ?? fleet;
    const planned = planFleet(last, policy, now);
    if (planned.waves.length === 0) return fleets;
    fleets.push(afterRun(last, planned, now));
  }
  throw new Error('20 runs, and none of them moved nothing');
}

/** Every cluster gets another load of its own. */
function withOtherLoad(fleet: ShiftFleet, random: () => number): ShiftFleet {
  const clusters = Object.entries(fleet.clusters).map(([name, cluster]) => {
    const otherCpu = Math.floor(cluster.cpu * 0.8 * random());
    return [name, { ...cluster, otherCpu }] as const;
  });
  return { ...fleet, clusters: Object.fromEntries(clusters) };
}

const names = ({ clusters }: ShiftFleet) => Object.keys(clusters);

describe('a policy by pressure, on any fleet', () => {
  it('ends with the first or second run, brings no cluster above the target, and takes replicas only off clusters above the high watermark', () => {
    for (const seed of all) {
      const fleets = runsOf(randomFleet(seed));
      for (const [i, after] of fleets.entries()) {
        const before = fleets[i - 1];
        if (before === undefined) continue;
        for (const name of names(before)) {
          const [was, is] = [percentIn(before, name), percentIn(after, name)];
          if (is > was)
            expect({ seed, name, was: was < LOW, is: is <= TARGET }).toEqual({ seed, name, was: true, is: true });
          if (is < was) expect({ seed, name, was: was > HIGH }).toEqual({ seed, name, was: true });
        }
      }
      expect({ seed, runs: fleets.length - 1 <= 2 }).toEqual({ seed, runs: true });
    }
  });

  it('never gives a workload replicas on a cluster that the workload has left', () => {
    for (const seed of all) {
      const left = new Set<string>();
      const fleets = runsOf(randomFleet(seed));
      for (const [i, after] of fleets.entries()) {
        for (const [workload, { on }] of Object.entries(after.workloads)) {
          const before = fleets[i - 1]?.workloads[workload]?.on ?? on;
          for (const name of names(after)) {
            const change = (on[name] ?? 0) - (before[name] ?? 0);
            if (change > 0) expect({ seed, back: left.has(`${workload} ${name}`) }).toEqual({ seed, back: false });
            if (change < 0) left.add(`${workload} ${name}`);
          }
        }
      }
    }
  });

  it('never gives a workload replicas on a cluster that it left within the cool-down, whatever happens to the load of the clusters', () => {
    for (const seed of fewer) {
      const random = seededRandom(seed);
      let fleet = randomFleet(seed);
      const leftAt = new Map<string, number>();
      for (let minute = 0; minute < 40; minute += 2) {
        const now = NOW + minute * MINUTE;
        const planned = planFleet(fleet, quick, now);
        for (const { workload, current, next } of planned.waves.flat())
          for (const name of names(fleet)) {
            const change = (next[name] ?? 0) - (current[name] ?? 0);
            const key = `${workload.name} ${name}`;
            const since = now - (leftAt.get(key) ?? Number.NEGATIVE_INFINITY);
            if (change > 0) expect({ seed, key, since: since >= COOL_DOWN }).toEqual({ seed, key, since: true });
            if (change < 0) leftAt.set(key, now);
          }
        fleet = withOtherLoad(afterRun(fleet, planned, now), () => random());
      }
    }
  });

  it('brings every cluster under the high watermark where that is possible, and the moves are at most 1.2 times the fewest', () => {
    const sums = { moves: 0, fewest: 0, cases: 0 };
    for (const seed of searched) {
      const fleet = randomFleet(seed);
      const fewest = fewestMoves(fleet, { high: HIGH, low: LOW, target: TARGET });
      if (fewest === undefined || fewest === 0) continue;
      const planned = planFleet(fleet, level);
      const after = afterRun(fleet, planned, NOW);
      const above = names(fleet).filter((name) => percentIn(after, name) > HIGH);
      expect({ seed, above }).toEqual({ seed, above: [] });
      const moves = planned.waves.flat().reduce((sum, decision) => sum + decision.moves, 0);
      sums.cases += 1;
      sums.moves += moves;
      sums.fewest += fewest;
      expect({ seed, moves, within: moves <= fewest * 1.2 }).toEqual({ seed, moves, within: true });
    }
    expect(sums.cases).toBeGreaterThan(searched.length / 10);
    // In sum far below that.
    expect(sums.moves / sums.fewest).toBeLessThan(1.02);
  });
});

function costOf({ clusters, workloads }: ShiftFleet): number {
  const costs = Object.values(workloads).flatMap(({ cpu, on }) =>
    Object.entries(on).map(([name, replicas]) => cpu * replicas * (clusters[name]?.price ?? 0)),
  );
  return costs.reduce((sum, cost) => sum + cost, 0);
}

describe('a policy by price, on any fleet', () => {
  it('ends, each run with less cost and every move with a score of at least the threshold, within the capacity of the clusters', () => {
    let runs = 0;
    for (const seed of all) {
      const minScore = [10, 50, 120][seed % 3] ?? 50;
      const fleets = runsOf(randomFleet(seed), shiftPolicy({ price: { minScore } }));
      runs += fleets.length - 1;
      for (const [i, after] of fleets.entries()) {
        const before = fleets[i - 1];
        if (before === undefined) continue;
        expect({ seed, cheaper: costOf(after) < costOf(before) }).toEqual({ seed, cheaper: true });
        for (const [name, { on, cpu }] of Object.entries(after.workloads)) {
          const was = before.workloads[name]?.on ?? on;
          const score = scoreOf({ was, on, cpu }, before);
          if (score !== undefined)
            expect({ seed, name, enough: score >= minScore - 1e-6 }).toEqual({ seed, name, enough: true });
        }
        for (const name of names(after)) {
          const [is, had] = [percentIn(after, name), percentIn(before, name)];
          if (is > had) expect({ seed, name, fits: is <= 100 }).toEqual({ seed, name, fits: true });
        }
      }
    }
    expect(runs).toBeGreaterThan(all.length / 4);
  });
});

/** In percent, computed from the sums of both assignments; undefined if nothing moved. */
function scoreOf(
  { was, on, cpu }: { readonly was: Numbers; readonly on: Numbers; readonly cpu: number },
  { clusters }: ShiftFleet,
): number | undefined {
  const cost = (assignment: Numbers) => costOf({ clusters, workloads: { one: { cpu, memory: 0, on: assignment } } });
  const replicas = Object.values(was).reduce((sum, each) => sum + each, 0);
  const moved = Object.entries(was).reduce((sum, [name, each]) => sum + Math.max(0, each - (on[name] ?? 0)), 0);
  return moved === 0 ? undefined : ((cost(was) - cost(on)) / cost(was) / (moved / replicas)) * 100;
}
