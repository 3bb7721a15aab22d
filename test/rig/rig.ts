/** One rig: a folder with its processes, its ports and the completed setup steps, so that `up` can be repeated. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RigFailure } from './failure.ts';
import { runsFolder } from './home.ts';
import { claimPort, releasePort } from './ports.ts';
import { Processes, type ProcessSpec } from './processes.ts';

interface State {
  readonly ports: Record<string, number>;
  readonly done: string[];
}

const OF_A_PROCESS = /^suite-(?<pid>\d+)(-|$)/;

/** The name of the rig of one run of a suite. The rig is obsolete when that process has ended. */
export function nameOfProcess(pid: number): string {
  return `suite-${pid}`;
}

/** Whether a rig of this name is up, also partially. */
export function rigExists(name: string): boolean {
  return existsSync(join(runsFolder, name));
}

/** The rig of this name, and those beside it. */
export function rigsOf(name: string): readonly Rig[] {
  return rigNames()
    .filter((one) => one === name || one.startsWith(`${name}-`))
    .map((one) => new Rig(one));
}

function rigNames(): readonly string[] {
  return existsSync(runsFolder) ? readdirSync(runsFolder) : [];
}

/** Rigs whose process ended without taking them down. */
export function abandonedRigs(): readonly Rig[] {
  const isAbandoned = (name: string) => {
    const pid = OF_A_PROCESS.exec(name)?.groups?.pid;
    return pid !== undefined && !existsSync(`/proc/${pid}`);
  };
  return rigNames()
    .filter(isAbandoned)
    .map((name) => new Rig(name));
}

export class Rig {
  readonly name: string;
  readonly folder: string;
  readonly processes: Processes;
  readonly #state: State;

  /** Opens the rig of this name, and creates its folder if it is new. */
  constructor(name: string) {
    if (process.platform !== 'linux') throw new RigFailure('the rig runs on Linux: it knows its processes by /proc');
    if (!/^[a-z0-9-]{1,40}$/.test(name)) throw new RigFailure(`--name ${name}: must match [a-z0-9-]{1,40}`);
    this.name = name;
    this.folder = join(runsFolder, name);
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    this.processes = new Processes(this.folder);
    this.#state = existsSync(this.#file)
      ? (JSON.parse(readFileSync(this.#file, 'utf8')) as State)
      : { ports: {}, done: [] };
  }

  path(...parts: readonly string[]): string {
    return join(this.folder, ...parts);
  }

  /** The port of this rig for that purpose, always the same; the `following` ports after it are reserved too. */
  async port(purpose: string, following = 0): Promise<number> {
    const known = this.#state.ports[purpose];
    if (known !== undefined) return known;
    const port = await claimPort(this.folder, following);
    this.#state.ports[purpose] = port;
    for (let after = 1; after <= following; after += 1) this.#state.ports[`${purpose} +${after}`] = port + after;
    this.#save();
    return port;
  }

  /** Runs a setup step once per rig. */
  async once(what: string, act: () => Promise<void>): Promise<void> {
    if (this.#state.done.includes(what)) return;
    await act();
    this.#state.done.push(what);
    this.#save();
  }

  start(spec: ProcessSpec): Promise<void> {
    return this.processes.start(spec);
  }

  /** Ends all processes and removes the folder. All processes end at once: no server waits for its clients. */
  async down(): Promise<void> {
    await Promise.all(this.processes.names.map((name) => this.processes.stop(name)));
    for (const port of Object.values(this.#state.ports)) releasePort(port, this.folder);
    rmSync(this.folder, { recursive: true, force: true });
  }

  get #file(): string {
    return join(this.folder, 'rig.json');
  }

  #save(): void {
    writeFileSync(this.#file, JSON.stringify(this.#state, undefined, 2));
  }
}
