/** Violations that the oracles find. The oracles are written from the proposals, not from the code, and only see what any client of the hub sees. */

export interface Violation {
  /** The violated promise. */
  readonly oracle: string;
  /** The objects and values that violate it. */
  readonly detail: string;
}

export class Violations {
  readonly found: Violation[] = [];

  /** Records the first violation of each oracle, because one fault often violates a promise repeatedly. */
  add(oracle: string, detail: string): void {
    if (!this.found.some((violation) => violation.oracle === oracle)) this.found.push({ oracle, detail });
  }
}
