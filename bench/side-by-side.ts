/** Times several pieces of work in turn, round by round: a machine that is slow for a while is slow for all of them. */

/** Milliseconds of each round, for each piece of work; three rounds before the first are not counted. */
export function timeSideBySide(work: readonly (() => void)[], rounds: number): readonly (readonly number[])[] {
  const times = work.map((): number[] => []);
  for (const each of work) for (let warm = 0; warm < 3; warm += 1) each();
  for (let round = 0; round < rounds; round += 1)
    for (const [index, each] of work.entries()) times[index]?.push(msOf(each));
  return times;
}

function msOf(work: () => void): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}
