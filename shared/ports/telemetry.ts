/** What a function tells those who run it: one line an outcome, and numbers. */
import type { LogCode } from '../model/log-codes.ts';

export type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Invocation {
  readonly functionName: string;
  readonly requestId: string;
}

export interface Telemetry {
  /** One line an outcome. Fields carry keys and counts, never a whole event and never a secret. */
  outcome(code: LogCode, fields: Fields): void;
  count(metric: string, value: number, dimensions?: Readonly<Record<string, string>>): void;
  /** Called at the start of an invocation: what every line of it carries. */
  begin(invocation: Invocation): void;
}
