/** Time as Kubernetes writes it: RFC 3339 in UTC, whole seconds. Inside, an instant is milliseconds since 1970. */

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

export const SECOND = 1000;
export const DAY = 24 * 3600 * SECOND;

/** Writes an instant as metav1.Time does: the fraction of a second is cut off, never rounded up. */
export function toTimestamp(instant: Instant): string {
  return new Date(Math.floor(instant / SECOND) * SECOND).toISOString().replace('.000Z', 'Z');
}

/** Parses an RFC 3339 timestamp; undefined if it is invalid. */
export function fromTimestamp(text: string): Instant | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)) return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}

/** The whole second of an instant, for comparing Kubernetes timestamps. */
export function wholeSecond(instant: Instant): Instant {
  return Math.floor(instant / SECOND) * SECOND;
}
