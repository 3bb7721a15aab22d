/** Samples of a workload's replicas over time, collected by the page. */

export interface Sample {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly shares: Readonly<Record<string, number>>;
  /** In all clusters. */
  readonly ready: number;
}

/** Two hours at one per second are 7,200; beyond this limit, the older half is thinned to half the detail. */
const MOST = 1200;

export function withSample(samples: readonly Sample[], next: Sample): readonly Sample[] {
  const last = samples.at(-1);
  const beforeLast = samples.at(-2);
  // The clock was set back.
  if (last && next.at <= last.at) return samples;
  // Of a stretch without changes, only its ends are kept.
  const same = last && beforeLast && isSame(last, next) && isSame(beforeLast, next);
  const grown = same ? [...samples.slice(0, -1), next] : [...samples, next];
  return grown.length > MOST ? thinned(grown) : grown;
}

function isSame(a: Sample, b: Sample): boolean {
  if (a.ready !== b.ready) return false;
  const names = new Set([...Object.keys(a.shares), ...Object.keys(b.shares)]);
  return [...names].every((name) => (a.shares[name] ?? 0) === (b.shares[name] ?? 0));
}

function thinned(samples: readonly Sample[]): readonly Sample[] {
  const half = Math.floor(samples.length / 2);
  return [...samples.slice(0, half).filter((_, place) => place % 2 === 0), ...samples.slice(half)];
}

export interface StackedSamples {
  /** From the bottom up. */
  readonly names: readonly string[];
  /** Seconds. */
  readonly times: readonly number[];
  /** By name: the cumulative sum up to and including it, at each time. */
  readonly sums: readonly (readonly number[])[];
  /** Replicas that are ready, at each time. */
  readonly ready: readonly number[];
}

const OTHERS = 'others';

/** The clusters with the most replicas, stacked; all beyond `most` are one layer. */
export function stacked(samples: readonly Sample[], most: number): StackedSamples {
  const peaks = new Map<string, number>();
  for (const { shares } of samples)
    for (const [name, share] of Object.entries(shares)) peaks.set(name, Math.max(share, peaks.get(name) ?? 0));
  const ranked = [...peaks].filter(([, peak]) => peak > 0).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const chosen = ranked.slice(0, ranked.length > most ? most - 1 : most).map(([name]) => name);
  // Sorted by name, not by size, so that each keeps its layer while numbers change.
  const named = chosen.toSorted();
  const names = ranked.length > most ? [...named, OTHERS] : named;
  const totals = samples.map(({ shares }) => Object.values(shares).reduce((sum, share) => sum + share, 0));
  const running = samples.map(() => 0);
  const sums = names.map((name) =>
    samples.map(({ shares }, place) => {
      const sum = name === OTHERS ? (totals[place] ?? 0) : (running[place] ?? 0) + (shares[name] ?? 0);
      running[place] = sum;
      return sum;
    }),
  );
  return { names, times: samples.map(({ at }) => at / 1000), sums, ready: samples.map(({ ready }) => ready) };
}
