/** Which combination of regions a workload goes to: the search against a list of all combinations. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseGroups, type Group, type GroupLimits } from '../../../../shared/karmada/assignment/choose-groups.ts';

const group = (name: string, size: number, score: number): Group => ({ name, size, score });
const namesOf = (groups: readonly Group[]): readonly string[] => groups.map(({ name }) => name);

describe('a combination of groups', () => {
  const four = [group('a', 1, 50), group('b', 2, 40), group('c', 3, 30), group('d', 4, 20)];

  it.each<[string, GroupLimits, string[]]>([
    ['has the highest scores', { min: 2, max: 2, members: 0 }, ['a', 'b']],
    ['has at least the members', { min: 2, max: 2, members: 5 }, ['a', 'd']],
    ['has more groups if fewer lack members', { min: 1, max: 3, members: 9 }, ['b', 'c', 'd']],
    [
      'has a further group that suffices only with all smaller ones',
      { min: 1, max: 4, members: 9 },
      ['a', 'b', 'c', 'd'],
    ],
    ['has all groups if fewer do not suffice', { min: 4, max: 4, members: 10 }, ['a', 'b', 'c', 'd']],
    ['is none if all together lack members', { min: 1, max: 4, members: 11 }, []],
    ['is none if there are fewer groups', { min: 5, max: 9, members: 1 }, []],
    ['is none if none is required', { min: 0, max: 4, members: 0 }, []],
    ['is none if none is allowed', { min: 1, max: 0, members: 1 }, []],
  ])('%s', (_, limits, expected) => {
    expect(namesOf(chooseGroups(four, limits))).toEqual(expected);
    expect(namesOf(chooseGroups([...four].reverse(), limits))).toEqual(expected);
  });

  it('has, of equal scores, the most members, and of equal members the first names', () => {
    const equal = [group('c', 2, 10), group('b', 2, 10), group('a', 1, 10)];
    expect(namesOf(chooseGroups(equal, { min: 1, max: 1, members: 1 }))).toEqual(['b']);
    expect(namesOf(chooseGroups(equal, { min: 2, max: 2, members: 1 }))).toEqual(['b', 'c']);
  });

  it('has only the best groups of the best combination if they are a combination too', () => {
    const small = [group('a', 1, 1), group('b', 1, 1), group('c', 9, 100)];
    expect(namesOf(chooseGroups(small, { min: 1, max: 3, members: 9 }))).toEqual(['c']);
  });

  it('is found among 60 groups with more combinations than can be listed', () => {
    const many = Array.from({ length: 60 }, (_, i) => group(`r${i}`, 1 + ((i * 7) % 5), 1000 * ((i * 13) % 17)));
    const found = chooseGroups(many, { min: 3, max: 30, members: 40 });
    expect(found.length).toBeGreaterThan(2);
  });

  const limits = fc.record({ min: fc.nat(5), max: fc.nat(6), members: fc.nat(14) });
  const groups = fc.array(fc.record({ size: fc.integer({ min: 1, max: 4 }), score: fc.nat(3) }), { maxLength: 8 });

  it('is the best of all combinations', () => {
    fc.assert(
      fc.property(groups, limits, (all, asked) => {
        const named = all.map(({ size, score }, index) => group(`g${index}`, size, score));
        expect(namesOf(chooseGroups(named, asked))).toEqual(namesOf(bestOfAll(named, asked)));
      }),
      { numRuns: 500 },
    );
  });
});

/** Lists every combination, orders them, and then follows the combinations that begin the best one. */
function bestOfAll(groups: readonly Group[], { min, max, members }: GroupLimits): readonly Group[] {
  const ordered = [...groups].sort((a, b) => a.size - b.size || b.score - a.score || (a.name < b.name ? -1 : 1));
  const found: (readonly Group[])[] = [];
  const visit = (chosen: readonly Group[], from: number): void => {
    if (total(chosen).size >= members && chosen.length >= min && chosen.length <= max) {
      found.push(chosen);
      return;
    }
    for (let at = from; chosen.length < max && at < ordered.length; at++)
      visit([...chosen, ...ordered.slice(at, at + 1)], at + 1);
  };
  visit([], 0);
  const byRank = found
    .map((chosen, id) => ({
      chosen: [...chosen].sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1)),
      id,
      ...total(chosen),
    }))
    .sort((a, b) => b.score - a.score || b.size - a.size || a.id - b.id)
    .map(({ chosen }) => chosen);
  return byRank.reduce<readonly Group[]>(
    (best, next) => (next.length < best.length && next.every((each, index) => each === best[index]) ? next : best),
    byRank[0] ?? [],
  );
}

function total(groups: readonly Group[]): { readonly size: number; readonly score: number } {
  return groups.reduce((sum, { size, score }) => ({ size: sum.size + size, score: sum.score + score }), {
    size: 0,
    score: 0,
  });
}
