/**
 * What every bench keeps of a run, in one shape: the table of `npm run bench`, the figures in the README and the check for regressions
 * read all of them alike.
 */
import { z } from 'zod';
import { median, percentile, rounded } from './figures.ts';

const figureSchema = z.strictObject({
  name: z.string(),
  unit: z.string(),
  min: z.number(),
  median: z.number(),
  max: z.number(),
  /** How many values these are of. */
  rounds: z.number(),
});

const ratioSchema = z.strictObject({
  /** What is compared with what, in words that stand alone. A later run is compared by it. */
  name: z.string(),
  /** How much of a difference is none: see regressions.ts. */
  kind: z.enum(['time', 'memory', 'count']),
  better: z.enum(['lower', 'higher']),
  /** Of the rounds' ratios: the quartile below, the middle, the quartile above. */
  low: z.number(),
  median: z.number(),
  high: z.number(),
  rounds: z.number(),
  /** What it is to be at most; at least, where higher is better. */
  goal: z.number().optional(),
  /** Whether the README tells it. */
  inReadme: z.boolean().optional(),
});

export const resultSchema = z.strictObject({
  bench: z.string(),
  command: z.string(),
  measuredAt: z.string(),
  machine: z.strictObject({
    cores: z.number(),
    memoryGb: z.number(),
    cpu: z.string(),
    node: z.string(),
    /** What else the machine did in the minute before. */
    loadBefore: z.number(),
  }),
  /** Of what was measured beside ours: "kube-apiserver" → "v1.35.4". */
  versions: z.record(z.string(), z.string()),
  figures: z.array(figureSchema).readonly(),
  ratios: z.array(ratioSchema).readonly(),
  /** What this bench alone tells. */
  details: z.unknown().optional(),
});

export type Figure = z.infer<typeof figureSchema>;
export type Ratio = z.infer<typeof ratioSchema>;
export type Result = z.infer<typeof resultSchema>;

export function figure(name: string, unit: string, values: readonly number[]): Figure {
  return {
    ...{ name, unit, rounds: values.length },
    ...{
      min: rounded(Math.min(...values)),
      median: rounded(median(values)),
      max: rounded(Math.max(...values)),
    },
  };
}

interface Compared extends Pick<Ratio, 'kind' | 'better'> {
  /** One a round. */
  readonly values: readonly number[];
  /** What each is divided by: that of the same round. A round that one of the two lacks is left out. */
  readonly base: readonly number[];
  readonly goal?: number;
  readonly inReadme?: boolean;
}

/** Round by round, then the middle: a machine that slows down in one round slows both of that round. */
export function ratio(name: string, { values, base, ...rest }: Compared): Ratio {
  const ratios = values.slice(0, base.length).map((value, round) => value / (base[round] ?? Number.NaN));
  return {
    name,
    low: rounded(percentile(ratios, 25)),
    median: rounded(median(ratios)),
    high: rounded(percentile(ratios, 75)),
    rounds: ratios.length,
    ...rest,
  };
}
