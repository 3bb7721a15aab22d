/** Decides which combination of groups of clusters (regions) a workload goes to, as in karmada-scheduler (v1.18). */

export interface Group {
  readonly name: string;
  /** Number of clusters, at least 1. */
  readonly size: number;
  /** Not negative. */
  readonly score: number;
}

export interface GroupLimits {
  /** Number of groups. */
  readonly min: number;
  readonly max: number;
  /** Clusters that the groups must have together. */
  readonly members: number;
}

/**
 * The combination with the highest sum of scores; of several, the one with the most clusters; of these, the first that the search
 * finds. If its best groups alone are a combination too, only these. In order of score, then name; empty if no combination has
 * enough clusters.
 *
 * Groups are added in the order of `byDemand` until the limits are met, and no further: a combination is one that no group was added to after it
 * sufficed. The search is exponential upstream; here it leaves out branches that can't lead to a better combination.
 */
export function chooseGroups<G extends Group>(groups: readonly G[], limits: GroupLimits): readonly G[] {
  const best = new Search(groups, limits).best();
  const ordered = [...best].sort((a, b) => b.score - a.score || compareNames(a, b));
  const first = ordered.findIndex((_, index) => isCombination(ordered.slice(0, index + 1), limits));
  return ordered.slice(0, first + 1);
}

/** The smallest first, then those with the highest score, then by name: the order in which the search adds them. */
function byDemand(a: Group, b: Group): number {
  return a.size - b.size || b.score - a.score || compareNames(a, b);
}

/** No two groups have the same name. */
function compareNames(a: Group, b: Group): number {
  return a.name < b.name ? -1 : 1;
}

/** Whether the search finds these groups: together they suffice, and without the last ones they do not. */
function isCombination(groups: readonly Group[], { min, max, members }: GroupLimits): boolean {
  let sum = 0;
  const added = [...groups].sort(byDemand);
  const sufficient = added.findIndex(({ size }, index) => (sum += size) >= members && index + 1 >= min);
  return sufficient === groups.length - 1 && groups.length <= max;
}

/** Sums over the first groups of the rest: [0, first, first two, …]. */
type Sums = readonly number[];

interface Sum {
  readonly size: number;
  readonly score: number;
}

class Search<G extends Group> {
  readonly #groups: readonly G[];
  readonly #limits: GroupLimits;
  /** Of the groups from each position on: the sizes of the first, which are the smallest, and the highest scores and sizes. */
  readonly #smallest: readonly Sums[];
  readonly #highestScores: readonly Sums[];
  readonly #largest: readonly Sums[];
  #best: readonly G[] = [];
  #sum: Sum = { size: -1, score: -1 };

  constructor(groups: readonly G[], limits: GroupLimits) {
    this.#groups = [...groups].sort(byDemand);
    this.#limits = limits;
    const rests = [...this.#groups.keys(), groups.length].map((begin) => this.#groups.slice(begin));
    const descending = (numbers: readonly number[]) => sums([...numbers].sort((a, b) => b - a));
    this.#smallest = rests.map((rest) => sums(rest.map(({ size }) => size)));
    this.#largest = rests.map((rest) => descending(rest.map(({ size }) => size)));
    this.#highestScores = rests.map((rest) => descending(rest.map(({ score }) => score)));
  }

  best(): readonly G[] {
    this.#extend([], 0, { size: 0, score: 0 });
    return this.#best;
  }

  #extend(chosen: readonly G[], begin: number, sum: Sum): void {
    const { min, max, members } = this.#limits;
    if (sum.size >= members && chosen.length >= min && chosen.length <= max) {
      if (compareSums(sum, this.#sum) > 0) [this.#best, this.#sum] = [chosen, sum];
      return;
    }
    for (let at = begin; at < this.#groups.length; at++) {
      const group = this.#groups[at];
      if (group === undefined || !this.#canImprove(chosen.length, at, sum)) return;
      this.#extend([...chosen, group], at + 1, { size: sum.size + group.size, score: sum.score + group.score });
    }
  }

  /** Whether groups from this position on can lead to a better combination than the best so far. */
  #canImprove(count: number, begin: number, sum: Sum): boolean {
    const { min, max, members } = this.#limits;
    const smallest = this.#smallest[begin] ?? [];
    const largest = this.#largest[begin] ?? [];
    const atMost = Math.min(max - count, smallest.length - 1);
    if (atMost < Math.max(1, min - count)) return false;
    if (sum.size + (largest[atMost] ?? 0) < members) return false;
    // As many as suffice even if they are the smallest; the search adds none after that.
    const sufficient = smallest.findIndex(
      (size, more) => more > 0 && sum.size + size >= members && count + more >= min,
    );
    const most = sufficient === -1 ? atMost : Math.min(atMost, sufficient);
    const bound = {
      size: sum.size + (largest[most] ?? 0),
      score: sum.score + (this.#highestScores[begin]?.[most] ?? 0),
    };
    return compareSums(bound, this.#sum) > 0;
  }
}

function compareSums(a: Sum, b: Sum): number {
  return a.score - b.score || a.size - b.size;
}

function sums(numbers: readonly number[]): Sums {
  let sum = 0;
  return [0, ...numbers.map((number) => (sum += number))];
}
