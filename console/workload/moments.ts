/** Merges the recorded history of a workload with its log lines. */
import type { Moment } from '../../shared/console-api/operations/fleet.ts';

/** Newest first, without duplicates. */
export function merged(known: readonly Moment[], logged: readonly Moment[]): readonly Moment[] {
  const byText = new Map([...known, ...logged].map((moment) => [`${moment.at} ${moment.who} ${moment.text}`, moment]));
  return [...byText.values()].toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}
