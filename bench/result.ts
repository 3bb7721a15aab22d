/**
 * The common result format of all benchmarks, read by the table of `npm run bench`, the generated docs and the check for
 * regressions.
 */
import { z } from 'zod';
import { median, percentile, rounded } from './figures.ts';

const figureSchema = z.strictObject({
  name: z.string(),
  unit: z.string(),
  min: z.number(),
  median: z.number(),
  max: z.number(),
  /** Number of values. */
  rounds: z.number(),
});

const ratioSchema = z.strictObject({
  /** A self-contained description, and the key for comparisons with later runs. */
  name: z.string(),
  /** Determines the tolerance: see regressions.ts. */
  kind: z.enum(['time', 'memory', 'count']),
  better: z.enum(['lower', 'higher']),
  /** Lower quartile, median and upper quartile of the rounds' ratios. */
  low: z.number(),
  median: z.number(),
  high: z.number(),
  rounds: z.number(),
  /** The maximum, or the minimum if higher is better. */
  goal: z.number().optional(),
  /** Whether docs/proof/benchmarks.md shows it. */
  published: z.boolean().optional(),
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
    /** Load of the machine in the minute before. */
    loadBefore: z.number(),
  }),
  /** Of other measured components: "kube-apiserver" → "v1.35.4". */
  versions: z.record(z.string(), z.string()),
  figures: z.array(figureSchema).readonly(),
  ratios: z.array(ratioSchema).readonly(),
  /** Results that only this benchmark has. */
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

interface ComparedRatio extends Pick<Ratio, 'kind' | 'better'> {
  /** One per round. */
  readonly values: readonly number[];
  /** The divisors, by round. A round without one of the two values is skipped. */
  readonly base: readonly number[];
  readonly goal?: number;
  readonly published?: boolean;
}

/** Divides by round, then takes the median: a slow round affects both values of that round. */
export function ratio(name: string, { values, base, ...rest }: ComparedRatio): Ratio {
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
