/** Runs a tool to its end. */
import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { RigFailure } from './failure.ts';

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
  /** The maximum number of attempts, for tools that download. */
  readonly attempts?: number;
  /** The delay before the second attempt; twice as long before the third. */
  readonly pauseMs?: number;
}

/** The installation hint for each missing tool. */
const tools: Readonly<Record<string, string>> = {
  go: 'Go 1.26 or newer is needed to build the Kubernetes and Karmada binaries: https://go.dev/dl',
  python3: 'Python 3.11 or newer, with venv, is needed for the AWS emulator: https://www.python.org/downloads',
  java: 'A JDK of Java 17 or newer is needed for DynamoDB Local: https://adoptium.net',
  mvn: 'Maven is needed to get DynamoDB Local: https://maven.apache.org/install.html',
};

const ATTEMPT_PAUSE_MS = 5000;

/** Returns what it wrote to standard output. Throws a RigFailure with the end of its standard error. */
export async function run(command: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { attempts = 1, pauseMs = ATTEMPT_PAUSE_MS } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(command, args, options);
    } catch (thrown) {
      if (attempt >= attempts || !(thrown instanceof CommandFailure)) throw thrown;
      console.error(`attempt ${attempt} of ${attempts} failed: ${thrown.message}`);
      await wait(attempt * pauseMs);
    }
  }
}

class CommandFailure extends RigFailure {}

function runOnce(command: string, args: readonly string[], { cwd, env, input }: CommandOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env } });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => out.push(part));
    child.stderr.on('data', (part: Buffer) => err.push(part));
    child.on('error', (error: NodeJS.ErrnoException) => {
      const advice = error.code === 'ENOENT' && cwd === undefined ? tools[command] : undefined;
      reject(new RigFailure(advice ?? `${command}: ${error.message}`));
    });
    child.on('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(out).toString('utf8'));
      else {
        const output = lastLines(Buffer.concat([...err, ...out]).toString('utf8'), 20);
        reject(
          new CommandFailure(`${command} ${args.join(' ').slice(0, 200)} ended with ${code ?? signal}:\n${output}`),
        );
      }
    });
    // A tool that ends before it has read its input reports the reason itself.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

export function lastLines(text: string, count: number): string {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
