/** How far a function has compared the bindings of a hub, so that its next resync reads only what changed since. */
import { DAY, type Instant } from '../core/time.ts';
import type { ObjectKey } from '../kubernetes/object-key.ts';

/** The functions with a position for each hub. */
export const positionFunctions = ['find-unscheduled', 'find-reductions'] as const;

export interface PositionKey {
  readonly hub: string;
  readonly function: (typeof positionFunctions)[number];
}

export interface ResyncPosition {
  /** By plural: all changes up to this resourceVersion are compared. */
  readonly versions: Readonly<Record<string, string>>;
  /** keyText of the bindings that may be due without a change of theirs: they are read each time. */
  readonly open: readonly string[];
  /** The other objects that the decisions depend on. If they change, every binding is compared. */
  readonly context: string;
  /** When every binding was compared last. */
  readonly listedAt: Instant;
  /** What is left of a comparison of every binding. */
  readonly rest?: RestOfComparison;
}

/** Where a list of all bindings goes on: with the page of this token, or the first page, of this kind. */
export interface RestOfList {
  readonly plural: string;
  readonly token: string;
}

/** A comparison that a fault ended, such as the end of its invocation's time: the next invocation goes on. */
export interface RestOfComparison extends RestOfList {
  readonly began: Instant;
  /** Numbers for the log and the metrics, of what is compared. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface StoredPosition extends ResyncPosition {
  /** Counts the writes of its row. */
  readonly revision: number;
}

export interface ResyncPositions {
  /** Strongly consistent. */
  read(key: PositionKey): Promise<StoredPosition | undefined>;
  /** False if another invocation has saved one since `before` was read. */
  save(key: PositionKey, position: ResyncPosition, before: StoredPosition | undefined): Promise<boolean>;
  /** Deletes the positions of a hub, of which there may be none: those of one API server mean nothing on another. */
  forget(hub: string): Promise<void>;
}

/** How long a decision may be late that depends on something no position contains, such as a setting. */
const COMPLETE_EVERY_MS = DAY / 4;

/** Below the 400 kB of a row in DynamoDB. */
const MOST_CHARACTERS = 200_000;

/** The position from which only changes need to be compared, or the rest of all bindings; undefined if every binding is to be. */
export function followed(
  position: StoredPosition | undefined,
  { now, context }: { readonly now: Instant; readonly context?: string },
): StoredPosition | undefined {
  if (position === undefined) return undefined;
  if (position.rest === undefined && now - position.listedAt >= COMPLETE_EVERY_MS) return undefined;
  return context === undefined || context === position.context ? position : undefined;
}

/** The comparison of a resync, which began at `began`. */
export interface Comparison extends Pick<ResyncPosition, 'versions' | 'open' | 'context'> {
  /** Whether every binding was compared. */
  readonly isComplete: boolean;
  readonly began: Instant;
  readonly counts: RestOfComparison['counts'];
}

/** The position after a comparison. */
export function positionAfter(
  { versions, open, context, isComplete, began }: Omit<Comparison, 'counts'>,
  before: StoredPosition | undefined,
): ResyncPosition {
  return withinLimit({ versions, open, context, listedAt: isComplete ? began : (before?.listedAt ?? 0) });
}

/** The position after a fault ended a comparison of every binding; undefined if nothing is left of it to go on with. */
export function positionWithin(
  { versions, open, context, began, counts }: Comparison,
  rest: RestOfList | undefined,
): ResyncPosition | undefined {
  if (rest === undefined || context.length > MOST_CHARACTERS) return undefined;
  const position = { versions, open, context, listedAt: 0, rest: { ...rest, began, counts } };
  if (isWithinLimit(position)) return position;
  // Ends as one that is too large does.
  return { ...position, open: [], rest: { ...position.rest, began: 0 } };
}

/** A position too large for a row is saved without a time, so that the next resync compares every binding. */
function withinLimit(position: ResyncPosition): ResyncPosition {
  return isWithinLimit(position) ? position : { ...position, open: [], context: '', listedAt: 0 };
}

function isWithinLimit({ open, context }: ResyncPosition): boolean {
  return open.join('').length + context.length <= MOST_CHARACTERS;
}

/** The inverse of keyText. */
export function keyOfText(text: string): ObjectKey {
  const [namespace = '', name = ''] = text.split('/');
  return { namespace, name };
}
