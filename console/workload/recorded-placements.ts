/** Recorded placements as samples of the chart, and as moments of the history. */

import { actorText, changeText } from '../../shared/console-api/history-text.ts';
import type { Moment } from '../../shared/console-api/operations/fleet.ts';
import type { PlacementsAnswer, RecordedPlacement } from '../../shared/console-api/operations/history.ts';
import type { Sample } from './samples.ts';

/** Oldest first, from the begin of the range. */
export function recordedSamples(answer: PlacementsAnswer, from: string): readonly Sample[] {
  const { placements, before, next } = answer;
  // Between the state at the begin and the oldest row of a first page, other rows may be missing.
  const begin = before === undefined || next !== undefined ? [] : [{ ...before, at: from }];
  return [...begin, ...placements.toReversed()].map(({ at, assigned, ready }) => ({
    at: Date.parse(at),
    shares: assigned,
    ready: Object.values(ready).reduce((sum, replicas) => sum + replicas, 0),
  }));
}

/** Changes of the assignment; those of ready replicas are in the chart. */
export function recordedMoments({ placements, before }: PlacementsAnswer): readonly Moment[] {
  return placements.flatMap((row, i): readonly Moment[] => {
    const moment = momentOf(row, placements[i + 1] ?? before);
    return moment === undefined ? [] : [moment];
  });
}

function momentOf(row: RecordedPlacement, before: RecordedPlacement | undefined): Moment | undefined {
  const { at, cause } = row;
  if (cause === undefined) return undefined;
  const change = changeText({ row, before });
  return {
    at,
    who: actorText(cause),
    what: 'written',
    text: cause.why === undefined ? change : `${change}: ${cause.why}`,
  };
}

/** The samples of the page go on where the records end. */
export function joinedSamples(recorded: readonly Sample[], live: readonly Sample[]): readonly Sample[] {
  const end = recorded.at(-1)?.at ?? 0;
  return [...recorded, ...live.filter(({ at }) => at > end)];
}
