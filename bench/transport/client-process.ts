/** The parent's side of a client's process in the transport bench. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ClientName } from './clients.ts';
import type { Answer, Command, Reply } from './runner.ts';

/** The timeout of a command: a client that hangs must not block the benchmark. */
const DEADLINE_MS = 60_000;

export interface ClientProcess {
  readonly name: ClientName;
  ask(command: Command): Promise<Answer>;
  kill(): void;
}

export function startClient(name: ClientName): ClientProcess {
  const child = fork(fileURLToPath(new URL('./runner.ts', import.meta.url)), { stdio: 'inherit' });

  async function ask(command: Command): Promise<Answer> {
    const answered = new AbortController();
    const signal = AbortSignal.any([answered.signal, AbortSignal.timeout(DEADLINE_MS)]);
    const left = once(child, 'exit', { signal }).then(([code]) => {
      throw new Error(`the process of ${name} ended with ${String(code)}`);
    });
    try {
      const message = once(child, 'message', { signal });
      child.send(command);
      const [reply] = (await Promise.race([message, left])) as [Reply];
      if ('failed' in reply) throw new Error(`${name} failed to ${command.do}: ${reply.failed}`);
      return reply.answer;
    } finally {
      answered.abort();
    }
  }

  return { name, ask, kill: () => child.kill() };
}
