/** One history of what is known of a workload and of what was logged. */
import type { Moment } from '../../shared/operator/operations/fleet.ts';

/** The newest first; what both tell stands once. */
export function merged(known: readonly Moment[], logged: readonly Moment[]): readonly Moment[] {
  const byText = new Map([...known, ...logged].map((moment) => [`${moment.at} ${moment.who} ${moment.text}`, moment]));
  return [...byText.values()].toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}
