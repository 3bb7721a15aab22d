/** A finding about a hub, and its remedy. */

export interface Finding {
  readonly state: 'ok' | 'warn' | 'fail';
  /** A word or two: "rights", "clock". */
  readonly about: string;
  readonly what: string;
  /** A complete command, or an instruction for the operator. */
  readonly mend?: string;
}

export function ok(about: string, what: string): Finding {
  return { state: 'ok', about, what };
}

export function warn(about: string, what: string, mend: string): Finding {
  return { state: 'warn', about, what, mend };
}

export function fail(about: string, what: string, mend: string): Finding {
  return { state: 'fail', about, what, mend };
}
