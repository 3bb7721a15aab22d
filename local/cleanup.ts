/** The cleanup of a local run, in the reverse order of its start. Not AsyncDisposableStack, which needs Node 24: the local run also starts on 20 and 22. */
export class Cleanup {
  readonly #steps: (() => unknown)[] = [];

  /** Registers `end` for the part, and returns the part. */
  adopt<Part>(part: Part, end: (part: Part) => unknown): Part {
    this.#steps.push(() => end(part));
    return part;
  }

  defer(end: () => unknown): void {
    this.#steps.push(end);
  }

  /** Runs every step once, even after a failure; then throws the first failure. */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step();
      } catch (thrown) {
        failures.push(thrown);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
