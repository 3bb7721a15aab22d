/** A process of a benchmark that answers one request at a time, so that the measured client does not share a thread with the measuring code. */
import { type ChildProcess, fork, type Serializable } from 'node:child_process';
import { once } from 'node:events';

/** The response of the child process. */
export type ProcessReply<T> = { readonly answer: T } | { readonly failed: string };

export function startProcess(module: URL | string): ChildProcess {
  return fork(module, { stdio: 'inherit' });
}

export async function askProcess<T>(child: ChildProcess, request: Serializable, withinMs: number): Promise<T> {
  const answered = new AbortController();
  const signal = AbortSignal.any([answered.signal, AbortSignal.timeout(withinMs)]);
  const left = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`a process of the bench ended with ${String(code)}`);
  });
  try {
    const message = once(child, 'message', { signal });
    child.send(request);
    const [reply] = (await Promise.race([message, left])) as [ProcessReply<T>];
    if ('failed' in reply) throw new Error(reply.failed);
    return reply.answer;
  } finally {
    answered.abort();
    // Its rejection is irrelevant now.
    left.catch(() => undefined);
  }
}

/** The child process's side; it ends with its parent. */
export function answerRequests<Q, T>(answer: (request: Q) => Promise<T>): void {
  process.on('message', (request: Q) => {
    answer(request).then(
      (value) => process.send?.({ answer: value } satisfies ProcessReply<T>),
      (thrown: unknown) => process.send?.({ failed: String(thrown) } satisfies ProcessReply<T>),
    );
  });
  process.once('disconnect', () => process.exit(0));
}
