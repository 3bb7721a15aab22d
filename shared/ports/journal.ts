/** What the functions logged, for people who ask how something came to be. The log is the record: nothing is kept twice for this. */
import type { LogCode } from '../model/log-codes.ts';
import type { Instant } from '../model/time.ts';
import type { Fields } from './telemetry.ts';

export interface JournalLine {
  readonly at: Instant;
  readonly code: LogCode;
  readonly fields: Fields;
}

export interface JournalQuestion {
  /** Lines that carry all fields of any of these, `code` among them, with these very values. At least one. */
  readonly about: readonly Readonly<Record<string, string>>[];
  readonly since: Instant;
  readonly limit: number;
}

export interface Journal {
  /** At most `limit`, newest first; a line comes seconds after what it tells of. */
  lines(question: JournalQuestion): Promise<readonly JournalLine[]>;
}
