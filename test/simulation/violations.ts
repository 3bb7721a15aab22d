/** What must hold in every history, whatever befalls. Written from the proposals, not from the code: it sees the hub as anybody does. */

export interface Violation {
  /** Which promise. */
  readonly oracle: string;
  readonly says: string;
}

export class Violations {
  readonly found: Violation[] = [];

  /** Keeps the first of each: one fault often breaks a promise again and again. */
  add(oracle: string, says: string): void {
    if (!this.found.some((violation) => violation.oracle === oracle)) this.found.push({ oracle, says });
  }
}
