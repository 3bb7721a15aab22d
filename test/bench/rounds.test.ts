/** The order in which a bench's clients take their turns. */
import { describe, expect, it } from 'vitest';
import { clientNames } from '../../bench/transport/clients.ts';
import { order } from '../../bench/transport/rounds.ts';

const rounds = Array.from({ length: 20 }, (_, round) => order(clientNames, round));

describe('the order of a bench', () => {
  it('gives every client one turn in every round', () => {
    for (const turns of rounds) expect([...turns].sort()).toEqual([...clientNames].sort());
  });

  it('lets every client follow every other equally often in 20 rounds', () => {
    const neighbours = rounds.flatMap((turns) => turns.slice(1).map((name, index) => `${turns[index]} > ${name}`));
    const times = Map.groupBy(neighbours, (pair) => pair);
    expect(times.size).toBe(5 * 4);
    // 20 rounds of 4 neighbours, on 20 pairs.
    expect([...times.values()].every((each) => each.length === 4)).toBe(true);
  });
});
