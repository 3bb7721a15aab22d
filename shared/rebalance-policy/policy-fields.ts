/** Fields that the kinds of policies share: names and durations. */
import * as z from 'zod/mini';
import { describe, text } from '../kubernetes/crd-fields.ts';

export function texts(description: string) {
  return describe(description, z.optional(z.array(text(1, 253)).check(z.maxLength(256))));
}

/** Go's duration format: "30s", "5m", "1h30m". */
const DURATION = /^([0-9]{1,3}h)?([0-9]{1,5}m)?([0-9]{1,6}s)?$/;

/** The API server and the functions check its format only; its range is a rule. */
export function durationText() {
  return text(2, 12).check(z.regex(DURATION));
}

export function duration(description: string, fallback: string) {
  return describe(description, z._default(durationText(), fallback));
}

/** An invalid duration counts as out of range: "5 minutes" has no length to compare. */
export function durationWithin(field: string, least: string, most: string): string {
  const length = `duration(${field})`;
  return `${field}.matches('${DURATION.source}') && ${length} >= duration('${least}') && ${length} <= duration('${most}')`;
}
