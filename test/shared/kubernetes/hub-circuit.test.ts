import { describe, expect, it } from 'vitest';
import {
  admissionOf,
  type Circuit,
  circuitOpen,
  closed,
  isCircuitOpen,
  opened,
  probing,
  silentAfter,
} from '../../../shared/kubernetes/hub-circuit.ts';

const seconds = (circuit: Circuit, now: number) => (circuit.openUntil - now) / 1000;
const open: Circuit = { state: 'Open', openUntil: 100_000, streak: 7, silentAfterMs: 2000 };

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
    const before: Circuit = { ...open, state: 'Closed' };
    expect(opened(before, 100_000 + 119_999)).toMatchObject({ openUntil: 279_999, streak: 8 });
    expect(opened(before, 100_000 + 120_000)).toMatchObject({ openUntil: 222_000, streak: 1 });
  });

  it.each([
    [undefined, 0, 'send'],
    [open, 99_999, 'wait'],
    [open, 100_000, 'probe'],
    [probing(open, 100_000), 114_999, 'wait'],
    [probing(open, 100_000), 115_000, 'probe'],
    [closed(open, 100_000, 5), 100_000, 'send'],
  ])('%o admits at %i: %s', (circuit, now, admission) => {
    expect(admissionOf(circuit, now)).toBe(admission);
  });

  it('keeps its streak while it is probed, and when it closes', () => {
    expect([probing(open, 100_000).streak, closed(open, 100_000, 5).streak]).toEqual([7, 7]);
  });

  it('is silent after two seconds, and for an hour after four times what a slow hub took to respond to a probe', () => {
    const [fast, slow] = [closed(open, 100_000, 499), closed(open, 100_000, 501)];
    expect([silentAfter(undefined, 0), silentAfter(fast, 100_000), silentAfter(slow, 100_000)]).toEqual([
      2000, 2000, 2004,
    ]);
    expect([silentAfter(slow, 3_699_999), silentAfter(slow, 3_700_000)]).toEqual([2004, 2000]);
    expect([opened(slow, 100_001).silentAfterMs, opened(slow, 3_700_000).silentAfterMs]).toEqual([2004, 2000]);
  });

  it('of a slow hub stays so when a later probe is fast, until the hour is over', () => {
    const slow = closed(open, 100_000, 2500);
    const after = (now: number) => closed(opened(slow, now), now, 5).silentAfterMs;
    expect([after(200_000), after(3_700_000)]).toEqual([10_000, 2000]);
  });

  it('rejects requests with the time of the next one, at least a second, and two while it is probed', () => {
    const fault = circuitOpen('karmada', { ...open, openUntil: 9400 }, 1000);
    expect([fault.retryClass, fault.retryAfterMs, isCircuitOpen(fault)]).toEqual(['limited', 8400, true]);
    expect(fault.message).toBe('hub karmada gave no proper response to the last requests; the next is sent in 9 s');
    expect(circuitOpen('karmada', { ...open, openUntil: 1001 }, 1000).retryAfterMs).toBe(1000);
    expect(circuitOpen('karmada', probing(open, 1000), 1000).retryAfterMs).toBe(2000);
    expect(circuitOpen('karmada', probing(open, 1000), 14_500).retryAfterMs).toBe(1500);
  });
});
