/** How an entry of the replicaReductionQueue is read and written in an expression: for the rules that make entries and those that refuse one. */
import { GRACE_PERIOD, SUPPRESS_DELETION } from '../graceful-reduction/replica-reduction.ts';

/** A text as a literal. */
export const literal = (value: string) => JSON.stringify(value);

/** The object's annotations; empty where it has none. */
export function notesOf(object: string): string {
  return `(has(${object}.metadata.annotations) ? ${object}.metadata.annotations : {})`;
}

const SIZE = `'"replicas": *[0-9]{1,9}[^0-9]'`;
const GRACE = `'"gracePeriodSeconds": *[^,}]*'`;
const CREATED = `'"creationTimestamp": *"[^"]*"'`;

const found = (entry: string, pattern: string) => `${entry}.find(${pattern}).replace(' ', '')`;
const copied = (entry: string, pattern: string) =>
  `(${entry}.matches(${pattern}) ? ',' + ${found(entry, pattern)} : '')`;

/** How many replicas it keeps, whoever wrote it how; none where that is no number: what is written here Karmada has a member run. */
export function sizeIn(entry: string): string {
  const digits = `${found(entry, `'"replicas": *[0-9]+'`)}.replace('"replicas":', '')`;
  return `(${entry}.matches(${SIZE}) ? int(${digits}) : 0)`;
}

export const saysSuppressed = (entry: string) => `${entry}.matches('"suppressDeletion": *true')`;
export const saysGrace = (entry: string) => `${entry}.matches(${GRACE})`;
/** As it is written, whatever it is. */
export const graceIn = (entry: string) => `${found(entry, GRACE)}.replace('"gracePeriodSeconds":', '')`;

/** A whole number of seconds that an int32 takes. */
export function isGrace(word: string): string {
  return `(${word}.matches('^[1-9][0-9]{0,9}$') && int(${word}) <= 2147483647)`;
}

/** Its patience as it was written, be it as it may: what can't be is refused by rules of its own. */
export function patienceIn(entry: string): string {
  return `${copied(entry, GRACE)} + (${saysSuppressed(entry)} ? ',"suppressDeletion":true' : '')`;
}

export const createdIn = (entry: string) => copied(entry, CREATED);

/** The patience of a new entry, by what the binding says of all. */
export function patienceOfNotes(notes: string): string {
  const [grace, suppress] = [literal(GRACE_PERIOD), literal(SUPPRESS_DELETION)];
  return (
    `(${suppress} in ${notes} && ${notes}[${suppress}] == 'true' ? ',"suppressDeletion":true' : ` +
    `${grace} in ${notes} && ${isGrace(`${notes}[${grace}]`)} ? ',"gracePeriodSeconds":' + ${notes}[${grace}] : '')`
  );
}
