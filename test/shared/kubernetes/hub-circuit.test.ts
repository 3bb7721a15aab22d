import { describe, expect, it } from 'vitest';
import { type Circuit, circuitOpen, isCircuitOpen, isOpen, opened } from '../../../shared/kubernetes/hub-circuit.ts';

const seconds = (circuit: Circuit, now: number) => (circuit.openUntil - now) / 1000;

describe('the circuit of a hub', () => {
  it('opens for 2 s, and each further time in a row for twice as long, up to a minute', () => {
    let now = 1_000_000;
    let circuit: Circuit | undefined;
    const pauses: number[] = [];
    for (let i = 0; i < 8; i++) {
      circuit = opened(circuit, now);
      pauses.push(seconds(circuit, now));
      now = circuit.openUntil + 500;
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('opens for 2 s again if it has been closed for two minutes', () => {
    const before = { openUntil: 100_000, streak: 7 };
    expect(opened(before, 100_000 + 119_999)).toEqual({ openUntil: 279_999, streak: 8 });
    expect(opened(before, 100_000 + 120_000)).toEqual({ openUntil: 222_000, streak: 1 });
  });

  it('is open until its time', () => {
    expect([
      isOpen(undefined, 0),
      isOpen({ openUntil: 5, streak: 1 }, 4),
      isOpen({ openUntil: 5, streak: 1 }, 5),
    ]).toEqual([false, true, false]);
  });

  it('rejects requests with the time of the next one, at least a second', () => {
    const fault = circuitOpen('karmada', { openUntil: 9400, streak: 3 }, 1000);
    expect([fault.retryClass, fault.retryAfterMs, isCircuitOpen(fault)]).toEqual(['limited', 8400, true]);
    expect(fault.message).toBe(
      'hub karmada gave no proper response to several requests in a row; the next is sent in 9 s',
    );
    expect(circuitOpen('karmada', { openUntil: 1001, streak: 1 }, 1000).retryAfterMs).toBe(1000);
  });
});
