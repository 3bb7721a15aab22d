/** The local run as users start it, on a hub that outlives it, in a folder that is kept from one life to the next. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type FastTime, withSpeed } from './fast-time.ts';
import type { Death, Life } from './lives.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const UP = 'The functions are up on the hub';
/** For a busy machine; no result depends on it. */
const START_LIMIT_MS = 600_000;
/** So long one that is to die in a write may take to come to it, once it is up. */
const TIME_TO_WRITE_MS = 2000;

export interface Place {
  readonly kubeconfig: string;
  readonly data: string;
  readonly port: number;
}

export interface LocalProcess {
  /** Resolves when it reports that it is up; false where it killed itself before. Throws with what it printed where it ended otherwise. */
  up(): Promise<boolean>;
  /** As `kill -9`; false where it had killed itself. Throws where it had ended otherwise. */
  kill(): Promise<boolean>;
  /** As Ctrl-C; its exit code. */
  stop(): Promise<number | null>;
  /** What it has printed. */
  text(): string;
}

function startLocal({ kubeconfig, data, port }: Place, time: FastTime, death?: Death): LocalProcess {
  const child = spawn(
    process.execPath,
    [
      '--import',
      join(import.meta.dirname, 'preload.ts'),
      join(ROOT, 'local', 'main.ts'),
      '--kubeconfig',
      kubeconfig,
    ].concat(['--data', data, '--port', String(port)]),
    {
      cwd: ROOT,
      env: {
        ...process.env,
        NO_COLOR: '1',
        EVENKEEL_SOAK: JSON.stringify({ time, death }),
        // Several chunks a rebalancer, with lists of dozens.
        EVENKEEL_CHUNK_SIZE: '10',
      },
    },
  );
  let text = '';
  child.stdout.on('data', (part: Buffer) => (text += part.toString()));
  child.stderr.on('data', (part: Buffer) => (text += part.toString()));
  const closed = once(child, 'close');
  const faulty = () => hasEnded(child) && child.signalCode !== 'SIGKILL';
  const assertNotFaulty = () => {
    if (faulty()) throw new Error(`the local run ended by itself (${child.exitCode ?? child.signalCode}): ${text}`);
  };
  return {
    async up() {
      const end = performance.now() + START_LIMIT_MS;
      while (!text.includes(UP) && !hasEnded(child)) {
        if (performance.now() > end) throw new Error(`the local run is not up after ${START_LIMIT_MS} ms: ${text}`);
        await wait(20);
      }
      assertNotFaulty();
      return !hasEnded(child);
    },
    async kill() {
      assertNotFaulty();
      const isOurs = child.kill('SIGKILL');
      await closed;
      assertNotFaulty();
      return isOurs;
    },
    async stop() {
      child.kill('SIGTERM');
      await closed;
      return child.exitCode;
    },
    text: () => text,
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** What a start takes on an idle machine. */
const IDLE_START_MS = 1500;

/** One life after the other, in one folder. On a busy machine time runs slower, because the timeouts of the local run are in it. */
export class Lives {
  time: FastTime;
  readonly #place: Place;
  readonly #speed: number;
  /** What the last start took that came to its end. */
  #startMs = IDLE_START_MS;

  constructor(place: Place, time: FastTime) {
    this.#place = place;
    this.#speed = time.speed;
    this.time = time;
  }

  start(death?: Death): LocalProcess {
    const speed = Math.min(this.#speed, Math.max(1, (this.#speed * IDLE_START_MS) / this.#startMs));
    this.time = withSpeed(this.time, speed, Date.now());
    return startLocal(this.#place, this.time, death);
  }

  /** From start to kill; how it really ended. */
  async live(life: Life): Promise<Life['ends']> {
    const process = this.start(life.ends === 'writing' ? life.death : undefined);
    if (life.ends === 'starting') {
      await wait(life.after * this.#startMs);
      await process.kill();
      return 'starting';
    }
    const begun = performance.now();
    if (!(await process.up())) return 'writing';
    this.#startMs = performance.now() - begun;
    await wait(life.ends === 'at work' ? life.afterMs : TIME_TO_WRITE_MS);
    return (await process.kill()) ? 'at work' : 'writing';
  }
}
