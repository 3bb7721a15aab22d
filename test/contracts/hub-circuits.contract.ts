/** Requirements of every store of circuit breakers. Run in memory and on DynamoDB's wire protocol. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Circuit, HubCircuits } from '../../shared/kubernetes/hub-circuit.ts';

const first: Circuit = { state: 'Open', openUntil: 1000, streak: 1, silentAfterMs: 2000 };
const second: Circuit = { state: 'Closed', openUntil: 5000, streak: 2, silentAfterMs: 7000 };

export function hubCircuitsContract(name: string, open: () => Promise<HubCircuits>): void {
  describe(`circuits of hubs: ${name}`, () => {
    let circuits: HubCircuits;
    beforeAll(async () => {
      circuits = await open();
    });

    it('returns nothing for a hub that has never failed', async () => {
      expect(await circuits.read('never')).toBeUndefined();
    });

    it('returns what was written, per hub', async () => {
      expect(await circuits.write('one', first, undefined)).toBe('done');
      expect(await circuits.write('one', second, first)).toBe('done');
      expect([await circuits.read('one'), await circuits.read('other')]).toEqual([second, undefined]);
    });

    it('writes over the circuit that was read, and keeps any other', async () => {
      await circuits.write('raced', first, undefined);
      expect(await circuits.write('raced', second, undefined)).toBe('changed');
      expect(await circuits.write('raced', second, { ...first, openUntil: 999 })).toBe('changed');
      expect(await circuits.read('raced')).toEqual(first);
    });

    it('is opened by one of a hundred writers at once', async () => {
      const writers = Array.from({ length: 100 }, (_, i) =>
        circuits.write('crowd', { ...first, openUntil: 1000 + i }, undefined),
      );
      const results = await Promise.all(writers);
      expect(results.filter((result) => result === 'done')).toHaveLength(1);
      expect(await circuits.read('crowd')).toEqual({ ...first, openUntil: 1000 + results.indexOf('done') });
    });
  });
}
