/** Sends one query to many member clusters concurrently, and returns each answer or fault: a failing cluster does not affect the others. */
import { asFault, type Fault } from '../core/fault.ts';

export interface Answers<T> {
  readonly answers: ReadonlyMap<string, T>;
  readonly faults: ReadonlyMap<string, Fault>;
}

/** An undefined answer is omitted. At most `inFlight` queries run concurrently. */
export async function askClusters<T>(
  names: readonly string[],
  inFlight: number,
  ask: (cluster: string) => Promise<T | undefined>,
): Promise<Answers<T>> {
  const answers = new Map<string, T>();
  const faults = new Map<string, Fault>();
  const left = names.values();
  const askOn = async (): Promise<void> => {
    for (const name of left) {
      try {
        const answer = await ask(name);
        if (answer !== undefined) answers.set(name, answer);
      } catch (thrown) {
        faults.set(name, asFault(thrown));
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(inFlight, names.length) }, askOn));
  return { answers, faults };
}
