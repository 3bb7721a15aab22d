/** Turns the turns of the rebalance bench into its figures and ratios; each ratio is of two turns of one round. */
import { type Figure, figure, type Ratio, ratio } from '../result.ts';
import type { Beside } from './beside.ts';
import type { ContestantName } from './contestants.ts';
import type { Turn } from './rounds.ts';

type Value = (turn: Turn) => number | undefined;

/** One request per workload, and 2 % more. */
const REQUESTS_GOAL = 1.02;
const goals = { floor: 1.15, firstPatchMs: 100 };
const LARGE = 3000;

export function figuresOf(turns: readonly Turn[]): readonly Figure[] {
  return perSizeAndName(turns).flatMap(({ label, some }) => [
    ...figuresIf(`${label}: from create to finish`, 'ms', some, ({ ms }) => ms),
    ...figuresIf(`${label}: from the event at the hook to finish`, 'ms', some, fromEvent),
    ...figuresIf(`${label}: from create to the first trigger`, 'ms', some, ({ firstMs }) => firstMs),
    ...figuresIf(`${label}: from the event at the hook to the first trigger`, 'ms', some, firstFromEvent),
    ...figuresIf(
      `${label}: audit event waits for the API server's batch`,
      'ms',
      some,
      ({ stages }) => stages?.received,
    ),
    ...figuresIf(`${label}: plan`, 'ms', some, ({ stages }) => stages && stages.planned - stages.received),
    ...figuresIf(`${label}: triggers`, 'ms', some, ({ stages }) => stages && stages.triggered - stages.planned),
    ...figuresIf(`${label}: last report`, 'ms', some, ({ stages }) => stages && stages.reported - stages.triggered),
    ...figuresIf(`${label}: requests a workload`, 'requests', some, ({ use, workloads }) => use.total / workloads),
    ...figuresIf(`${label}: sent a workload`, 'bytes', some, ({ use, workloads }) => use.sentBytes / workloads),
    ...figuresIf(`${label}: read a workload`, 'bytes', some, ({ use, workloads }) => use.readBytes / workloads),
    ...figuresIf(`${label}: API server's CPU a workload`, 'ms', some, (turn) => turn.serverCpuMs / turn.workloads),
    ...figuresIf(`${label}: own CPU a workload`, 'ms', some, (turn) => turn.cpuMs / turn.workloads),
    ...figuresIf(`${label}: most memory`, 'MiB', some, ({ memory }) => memory.peakMiB),
  ]);
}

export function ratiosOf(turns: readonly Turn[]): readonly Ratio[] {
  const sizes = [...new Set(turns.map(({ workloads }) => workloads))];
  return [...sizes.flatMap((workloads) => atSize(turns, workloads)), ...growth(turns, sizes)];
}

function atSize(turns: readonly Turn[], workloads: number): readonly Ratio[] {
  const isLarge = workloads === LARGE;
  const at = (name: ContestantName, value: Value) => ({ turns, name, workloads, value });
  const ms: Value = (turn) => turn.ms;
  const shown = isLarge ? { published: true } : {};
  const goal = (value: number) => (isLarge ? { goal: value, ...shown } : {});
  const lower = { kind: 'time', better: 'lower' } as const;
  const higher = { kind: 'time', better: 'higher' } as const;
  const ours = at('Evenkeel', ms);
  const of = `${workloads} workloads:`;
  return [
    ...compared(`${of} Evenkeel from create, to the floor`, ours, at('floor', ms), { ...lower, ...goal(goals.floor) }),
    ...compared(`${of} Evenkeel from the event, to the floor`, at('Evenkeel', fromEvent), at('floor', ms), {
      ...lower,
      ...goal(goals.floor),
    }),
    ...compared(`${of} Karmada unlimited, to Evenkeel from create`, at('Karmada, unlimited', ms), ours, {
      ...higher,
      ...shown,
    }),
    ...compared(`${of} Karmada at its defaults, to Evenkeel from create`, at('Karmada, defaults', ms), ours, {
      ...higher,
      ...shown,
    }),
    // The maximum possible speedup on this API server, by a client that only writes.
    ...compared(`${of} Karmada unlimited, to the floor`, at('Karmada, unlimited', ms), at('floor', ms), higher),
    ...compared(`${of} Karmada at its defaults, to the floor`, at('Karmada, defaults', ms), at('floor', ms), {
      ...higher,
      ...shown,
    }),
    ...compared(
      `${of} API server's CPU for Evenkeel, to that for the floor`,
      at('Evenkeel', (turn) => turn.serverCpuMs),
      at('floor', (turn) => turn.serverCpuMs),
      lower,
    ),
    ...compared(
      `${of} Evenkeel's requests, to the workloads`,
      at('Evenkeel', ({ use }) => use.total),
      at('Evenkeel', () => workloads),
      { kind: 'count', better: 'lower', ...goal(REQUESTS_GOAL) },
    ),
    ...compared(
      `${of} first trigger after the event, to ${goals.firstPatchMs} ms`,
      at('Evenkeel', firstFromEvent),
      at('Evenkeel', (turn) => (firstFromEvent(turn) === undefined ? undefined : goals.firstPatchMs)),
      { ...lower, goal: 1, published: true },
    ),
  ];
}

/** Time as the number of workloads grows, in proportion: 1 is linear. */
function growth(turns: readonly Turn[], sizes: readonly number[]): readonly Ratio[] {
  const [large = 0, small = 0] = [...sizes].sort((a, b) => b - a);
  if (small === 0) return [];
  const each = (workloads: number, value: Value) => ({ turns, name: 'Evenkeel' as const, workloads, value });
  const perWorkload: Value = (turn) => (fromEvent(turn) ?? turn.ms) / turn.workloads;
  const peak: Value = ({ memory }) => memory.peakMiB;
  return [
    ...compared(`a workload of ${large}, to one of ${small}`, each(large, perWorkload), each(small, perWorkload), {
      kind: 'time',
      better: 'lower',
    }),
    ...compared(`Evenkeel's memory at ${large} workloads, to that at ${small}`, each(large, peak), each(small, peak), {
      kind: 'memory',
      better: 'lower',
    }),
  ];
}

export function besideFigures(all: readonly Beside[]): readonly Figure[] {
  return [...Map.groupBy(all, ({ name }) => name)].flatMap(([name, some]) => {
    const label = `busy API server, beside ${name}`;
    const of = (what: string, unit: string, value: (one: Beside) => number | undefined) => {
      const values = some.flatMap((one) => value(one) ?? []);
      return values.length === 0 ? [] : [figure(`${label}: ${what}`, unit, values)];
    };
    return [
      ...of("the other's write, p50", 'ms', ({ other }) => other.p50Ms),
      ...of("the other's write, p99", 'ms', ({ other }) => other.p99Ms),
      ...of("the other's writes", 'per second', ({ other }) => other.perSecond),
      ...of('from create to finish', 'ms', ({ ms }) => ms),
      ...of('requests at once, at the least', 'requests', ({ inFlight }) => inFlight),
    ];
  });
}

/** The other client's latency during each rebalance, to that without one. */
export function besideRatios(all: readonly Beside[]): readonly Ratio[] {
  const of = (name: Beside['name'], value: (one: Beside) => number) =>
    all.filter((one) => one.name === name).map(value);
  const alone = (value: (one: Beside) => number) => of('no client', value);
  const names = [...new Set(all.map(({ name }) => name))].filter((name) => name !== 'no client');
  return names.flatMap((name) =>
    (['p50Ms', 'p99Ms'] as const).map((which) =>
      ratio(`busy API server: another's write (${which.slice(0, 3)}) beside ${name}, to beside no client`, {
        values: of(name, ({ other }) => other[which]),
        base: alone(({ other }) => other[which]),
        kind: 'time',
        better: 'lower',
      }),
    ),
  );
}

const fromEvent: Value = ({ ms, stages }) => stages && ms - stages.received;
const firstFromEvent: Value = ({ firstMs, stages }) =>
  firstMs === undefined || !stages ? undefined : firstMs - stages.received;

interface Series {
  readonly turns: readonly Turn[];
  readonly name: ContestantName;
  readonly workloads: number;
  readonly value: Value;
}

/** Over the rounds in which both have a value; empty without such a round. */
function compared(
  name: string,
  ours: Series,
  base: Series,
  rest: Pick<Ratio, 'kind' | 'better' | 'goal' | 'published'>,
): readonly Ratio[] {
  const others = byRound(base);
  const pairs = [...byRound(ours)].flatMap(([round, value]) => {
    const other = others.get(round);
    return other === undefined ? [] : [{ value, other }];
  });
  if (pairs.length === 0) return [];
  const { goal, published, ...kind } = rest;
  return [
    ratio(name, {
      values: pairs.map(({ value }) => value),
      base: pairs.map(({ other }) => other),
      ...kind,
      ...(goal !== undefined && { goal }),
      ...(published !== undefined && { published }),
    }),
  ];
}

function byRound({ turns, name, workloads, value }: Series): ReadonlyMap<number, number> {
  const own = turns.filter((turn) => turn.name === name && turn.workloads === workloads);
  return new Map(
    own.flatMap((turn) => {
      const found = value(turn);
      return found === undefined ? [] : [[turn.round, found] as const];
    }),
  );
}

function perSizeAndName(turns: readonly Turn[]): readonly { readonly label: string; readonly some: readonly Turn[] }[] {
  const groups = Map.groupBy(turns, ({ name, workloads }) => `${workloads} workloads, ${name}`);
  return [...groups].map(([label, some]) => ({ label, some }));
}

function figuresIf(name: string, unit: string, turns: readonly Turn[], value: Value): readonly Figure[] {
  const values = turns.flatMap((turn) => value(turn) ?? []);
  return values.length === 0 ? [] : [figure(name, unit, values)];
}
