/** For tests: our command in a pseudo-terminal, with interrupts. */
import { once } from 'node:events';
import { spawn } from '@lydell/node-pty';

export interface TerminalSession {
  /** The output so far, with control sequences and colours. */
  readonly seen: () => string;
  /** Resolves when this text is on the terminal; the time limit of the test ends it otherwise. */
  readonly until: (text: string) => Promise<void>;
  readonly press: (keys: string) => void;
  /** The exit code. */
  readonly ended: Promise<number>;
}

export const CTRL_C = '\u0003';

interface Given {
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export function onTerminal(args: readonly string[], { columns = 80, env = {} }: Given = {}): TerminalSession {
  const { NO_COLOR: _, FORCE_COLOR: __, ...rest } = process.env;
  const terminal = spawn(process.execPath, ['cli/evenkeel.ts', ...args], {
    ...{ cols: columns, rows: 24, name: env.TERM ?? 'xterm-256color' },
    env: { ...rest, ...env },
  });
  let text = '';
  const written = new EventTarget();
  terminal.onData((part) => {
    text += part;
    written.dispatchEvent(new Event('more'));
  });
  return {
    seen: () => text,
    async until(wanted) {
      while (!text.includes(wanted)) await once(written, 'more');
    },
    press: (keys) => terminal.write(keys),
    ended: new Promise((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode))),
  };
}

/** The visible text: without colours, the last state of each line. */
export function asRead(text: string): readonly string[] {
  const plain = text.replaceAll(/\u001B\[[\d;]*m/g, '');
  return plain.split(/\r?\n/).map((line) => line.split(/\r\u001B\[K/).at(-1) ?? '');
}
