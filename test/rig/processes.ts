/** Processes that outlive the command that starts them. Each has a record file, so that only recorded processes are ended. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { lastLines } from './command.ts';
import { RigFailure } from './failure.ts';

export interface ProcessSpec {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Resolves when it is ready; retried while it rejects. */
  ready(): Promise<unknown>;
  /** Default 60 s. */
  readonly readyWithinMs?: number;
}

/** The kernel reuses pids, so a process is identified by pid and start time. */
interface ProcessRecord {
  readonly pid: number;
  readonly startedAt: string;
  readonly order: number;
}

const POLL_MS = 100;
const STOP_WITHIN_MS = 15_000;
const LOG_LINES = 20;

export class Processes {
  readonly #folder: string;
  readonly #stopWithinMs: number;

  constructor(folder: string, { stopWithinMs = STOP_WITHIN_MS } = {}) {
    this.#folder = folder;
    this.#stopWithinMs = stopWithinMs;
  }

  /** In the order of their start. */
  get names(): readonly string[] {
    return readdirSync(this.#folder)
      .filter((file) => file.endsWith('.pid.json'))
      .map((file) => file.slice(0, -'.pid.json'.length))
      .sort((a, b) => (this.#record(a)?.order ?? 0) - (this.#record(b)?.order ?? 0));
  }

  pid(name: string): number | undefined {
    const record = this.#record(name);
    return record !== undefined && startTime(record.pid) === record.startedAt ? record.pid : undefined;
  }

  log(name: string): string {
    const file = this.logFile(name);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  logFile(name: string): string {
    return join(this.#folder, `${name}.log`);
  }

  /** Starts it unless it runs, and waits until it is ready; otherwise throws a RigFailure with the end of its log. */
  async start(spec: ProcessSpec): Promise<void> {
    if (this.pid(spec.name) === undefined) await this.#spawn(spec);
    await this.#ready(spec);
  }

  /** Sends the signal, and SIGKILL if the process does not end in time. */
  async stop(name: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const pid = this.pid(name);
    if (pid !== undefined) {
      process.kill(pid, signal);
      for (let waited = 0; this.pid(name) !== undefined; waited += POLL_MS) {
        if (waited > this.#stopWithinMs) process.kill(pid, 'SIGKILL');
        await wait(POLL_MS);
      }
    }
    rmSync(this.#recordFile(name), { force: true });
  }

  /** Its resident memory (VmRSS) in MiB. */
  memoryMiB(name: string): number {
    const pid = this.pid(name);
    const status = pid === undefined ? '' : readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
  }

  async #spawn({ name, command: [file, ...args], env, cwd }: ProcessSpec): Promise<void> {
    const order = Math.max(0, ...this.names.map((known) => this.#record(known)?.order ?? 0)) + 1;
    const log = openSync(this.logFile(name), 'a', 0o600);
    const child = spawn(file, args, {
      cwd: cwd ?? this.#folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', log, log],
      detached: true,
    });
    closeSync(log);
    const pid = await new Promise<number>((resolve, reject) => {
      child.once('spawn', () => resolve(child.pid as number));
      child.once('error', (error) => reject(new RigFailure(`${name}: ${file} does not start: ${error.message}`)));
    });
    child.unref();
    const record: ProcessRecord = { pid, startedAt: startTime(pid) ?? '', order };
    writeFileSync(this.#recordFile(name), JSON.stringify(record));
  }

  async #ready({ name, ready, readyWithinMs = 60_000 }: ProcessSpec): Promise<void> {
    const end = performance.now() + readyWithinMs;
    for (;;) {
      try {
        await ready();
        return;
      } catch (thrown) {
        const gone = this.pid(name) === undefined;
        if (!gone && performance.now() < end) {
          await wait(POLL_MS);
          continue;
        }
        const why = thrown instanceof Error ? thrown.message : String(thrown);
        const what = gone ? 'ended' : `is not ready after ${readyWithinMs / 1000} s (${why})`;
        throw new RigFailure(`${name} ${what}; the end of its log:\n${lastLines(this.log(name), LOG_LINES)}`);
      }
    }
  }

  #record(name: string): ProcessRecord | undefined {
    const file = this.#recordFile(name);
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ProcessRecord) : undefined;
  }

  #recordFile(name: string): string {
    return join(this.#folder, `${name}.pid.json`);
  }
}

/**
 * The kernel's start time of this process; undefined if there is none, or only a zombie. A process whose first thread is
 * dead is no zombie while other threads are ending: they still hold its ports.
 */
function startTime(pid: number): string | undefined {
  try {
    // The name in parentheses may hold spaces; state is the third field and starttime the 22nd.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const isZombie = fields[0] === 'Z' && readdirSync(`/proc/${pid}/task`).length <= 1;
    return isZombie ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
