/** Times several tasks in turn, round by round, so that a slow phase of the machine affects all of them. */

/** Milliseconds per round, for each task; three warm-up rounds are not counted. */
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
