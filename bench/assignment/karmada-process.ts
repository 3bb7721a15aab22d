/** Karmada's own replica division, in a process that computes the requested decision and reports its duration. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { ClusterReplicas } from '../../shared/karmada/assignment/assign-replicas.ts';

export interface KarmadaMeasurement {
  readonly ns: number;
  readonly decisions: number;
  readonly shares: readonly ClusterReplicas[];
}

export class KarmadaProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: Interface;
  readonly #ended: Promise<unknown>;

  constructor(program: string, casesFile: string) {
    this.#child = spawn(program, [casesFile]);
    this.#child.stderr.pipe(process.stderr);
    this.#lines = createInterface({ input: this.#child.stdout });
    this.#ended = once(this.#child, 'close');
  }

  /** Repeats the case for this long; 0 for once. */
  async decide(index: number, ms: number): Promise<KarmadaMeasurement> {
    const answered = once(this.#lines, 'line');
    this.#child.stdin.write(`${JSON.stringify({ case: index, ms })}\n`);
    const first = await Promise.race([answered, this.#ended.then(() => undefined)]);
    if (first === undefined) throw new Error('the program that asks Karmada ended before it answered; see above');
    const [line] = first as [string];
    const { ns, decisions, shares } = JSON.parse(line) as Omit<KarmadaMeasurement, 'shares'> & {
      shares: KarmadaMeasurement['shares'] | null;
    };
    return { ns, decisions, shares: shares ?? [] };
  }

  close(): void {
    this.#child.stdin.end();
  }
}
