/** CEL expressions that read and write entries of the replicaReductionQueue: for the rules that create entries and those that reject them. */
import { DEFAULT_GRACE_SECONDS } from '../core/settings.ts';
import { GRACE_PERIOD, SUPPRESS_DELETION } from './replica-reduction.ts';

/** A string literal. */
export const literal = (value: string) => JSON.stringify(value);

/** The object's annotations; empty if it has none. */
export function notesOf(object: string): string {
  return `(has(${object}.metadata.annotations) ? ${object}.metadata.annotations : {})`;
}

const SIZE = `'"replicas": *[0-9]{1,9}[^0-9]'`;
const GRACE = `'"gracePeriodSeconds": *[^,}]*'`;
const CREATED = `'"creationTimestamp": *"[0-9][^"]*"'`;

const found = (entry: string, pattern: string) => `${entry}.find(${pattern}).replace(' ', '')`;
const copied = (entry: string, pattern: string) =>
  `(${entry}.matches(${pattern}) ? ',' + ${found(entry, pattern)} : '')`;

/** Replicas that an entry keeps, in any JSON formatting; 0 if that is not a number. Karmada runs this number of replicas in the member cluster. */
export function sizeIn(entry: string): string {
  const digits = `${found(entry, `'"replicas": *[0-9]+'`)}.replace('"replicas":', '')`;
  return `(${entry}.matches(${SIZE}) ? int(${digits}) : 0)`;
}

export const matchesSuppression = (entry: string) => `${entry}.matches('"suppressDeletion": *true')`;
export const matchesGrace = (entry: string) => `${entry}.matches(${GRACE})`;
/** The raw value, valid or not. */
export const graceIn = (entry: string) => `${found(entry, GRACE)}.replace('"gracePeriodSeconds":', '')`;

/** A positive number of seconds within int32. */
export function isGrace(word: string): string {
  return `(${word}.matches('^[1-9][0-9]{0,9}$') && int(${word}) <= 2147483647)`;
}

/** The raw grace period of the entry. Other rules reject invalid values. */
export function gracePeriodIn(entry: string): string {
  return `${copied(entry, GRACE)} + (${matchesSuppression(entry)} ? ',"suppressDeletion":true' : '')`;
}

export const matchesCreation = (entry: string) => `${entry}.matches(${CREATED})`;
export const createdIn = (entry: string) => copied(entry, CREATED);

/** `time` is an expression that yields an RFC 3339 time. */
export const creation = (time: string) => `',"creationTimestamp":"' + ${time} + '"'`;

interface GraceSources {
  /** The entry that supplies the grace period. */
  readonly timeout: string;
  /** The entry that supplies the creation time. */
  readonly created: string;
}

/**
 * Whether the grace period was over at `time`. Both are UTC strings with whole seconds, which sort by time. An entry with an
 * invalid time never expires: parsing it would fail the expression, and the whole write would pass unchanged.
 */
export function hasGraceOver({ timeout, created }: GraceSources, time: string): string {
  const grace = `(${matchesGrace(timeout)} && ${isGrace(graceIn(timeout))} ? ${graceIn(timeout)} : '${DEFAULT_GRACE_SECONDS}')`;
  const latest = `string(timestamp(${time}) - duration(${grace} + 's'))`;
  return `(!${matchesSuppression(timeout)} && ${matchesCreation(created)} && ${createdIn(created)} <= ${creation(latest)})`;
}

/** The grace period of a new entry, from the binding's annotations. */
export function gracePeriodOfNotes(notes: string): string {
  const [grace, suppress] = [literal(GRACE_PERIOD), literal(SUPPRESS_DELETION)];
  return (
    `(${suppress} in ${notes} && ${notes}[${suppress}] == 'true' ? ',"suppressDeletion":true' : ` +
    `${grace} in ${notes} && ${isGrace(`${notes}[${grace}]`)} ? ',"gracePeriodSeconds":' + ${notes}[${grace}] : '')`
  );
}
