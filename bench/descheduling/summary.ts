/** Turns the sweeps of the descheduling bench into its figures and ratios. */
import { type Figure, figure, type Ratio, ratio } from '../result.ts';

/** Time and memory of a sweep, from the start of its process. */
export interface SweepCost {
  readonly ms: number;
  readonly peakMb: number;
}

export interface Sweep extends SweepCost {
  /** Requests on bindings that the API server answered. */
  readonly requests: number;
}

export interface Course {
  readonly what: string;
  readonly unschedulable: number;
  readonly sweeps: Record<SweepContestant, Sweep[]>;
}

export type SweepContestant = 'ours' | 'unlimited' | 'defaults';

const words: Readonly<Record<SweepContestant, string>> = {
  ours: 'ours',
  unlimited: "Karmada's without a limit on its client",
  defaults: "Karmada's at its defaults",
};

export function figuresOf(label: string, { what, sweeps }: Course): readonly Figure[] {
  return (Object.keys(words) as SweepContestant[]).flatMap((way) => {
    const name = `${label}, ${what}: ${words[way]}`;
    const of = (one: keyof Sweep) => sweeps[way].map((sweep) => sweep[one]);
    return [
      figure(name, 'ms', of('ms')),
      figure(`${name}, peak memory`, 'MB', of('peakMb')),
      figure(`${name}, requests on bindings`, 'requests', of('requests')),
    ];
  });
}

/** Ratios of Karmada's to Evenkeel's time and memory. */
export function ratiosOf(label: string, { what, unschedulable, sweeps }: Course): readonly Ratio[] {
  const compared = (way: SweepContestant, one: keyof Sweep) => ({
    values: sweeps[way].map((sweep) => sweep[one]),
    base: sweeps.ours.map((sweep) => sweep[one]),
    better: 'higher' as const,
  });
  const about = `${label}, ${what}`;
  return [
    ratio(`${about}: ${words.unlimited}, to ours`, {
      ...compared('unlimited', 'ms'),
      ...{ kind: 'time', published: true },
    }),
    ratio(`${about}: peak memory of ${words.unlimited}, to ours`, {
      ...compared('unlimited', 'peakMb'),
      ...{ kind: 'memory', published: unschedulable > 0 },
    }),
    ratio(`${about}: ${words.defaults}, to ours`, {
      ...compared('defaults', 'ms'),
      ...{ kind: 'time', published: unschedulable > 0 },
    }),
  ];
}
