/** The figures of the descheduling bench, computed from invented sweeps. */
import { describe, expect, it } from 'vitest';
import { type Course, figuresOf, ratiosOf, type Sweep } from '../../bench/descheduling/summary.ts';

function sweep(ms: number, peakMb = 100, requests = 20): Sweep {
  return { ms, peakMb, requests };
}

const course: Course = {
  what: '10 replicas taken out',
  unschedulable: 1,
  sweeps: {
    ours: [sweep(1000), sweep(2000)],
    unlimited: [sweep(3000, 50), sweep(6000, 50)],
    // One round: it takes minutes.
    defaults: [sweep(50_000, 50)],
  },
};

describe('sweeps of the descheduler', () => {
  it("are compared round by round: Karmada's time and memory as a multiple of ours", () => {
    expect(ratiosOf('100 bindings', course).map(({ name, median, rounds }) => [name, median, rounds])).toEqual([
      ["100 bindings, 10 replicas taken out: Karmada's without a limit on its client, to ours", 3, 2],
      ["100 bindings, 10 replicas taken out: peak memory of Karmada's without a limit on its client, to ours", 0.5, 2],
      ["100 bindings, 10 replicas taken out: Karmada's at its defaults, to ours", 50, 1],
    ]);
  });

  it('are reported with time, memory and requests of each', () => {
    const ours = figuresOf('100 bindings', course).filter(({ name }) => /: ours/.test(name));
    expect(ours.map(({ name, unit, median }) => [name, unit, median])).toEqual([
      ['100 bindings, 10 replicas taken out: ours', 'ms', 1500],
      ['100 bindings, 10 replicas taken out: ours, peak memory', 'MB', 100],
      ['100 bindings, 10 replicas taken out: ours, requests on bindings', 'requests', 20],
    ]);
  });
});
