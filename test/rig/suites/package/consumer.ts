/** A consumer of the package: a folder outside the repository, in which npm installs the packed file. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { type PackageName, packedFile } from '../../../../scripts/packages/package-table.ts';
import { run } from '../../command.ts';

const PACKAGES = resolve('dist', 'packages');

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** Of a package that `npm run pack` has made. */
export function manifestOf(name: PackageName): Manifest {
  return JSON.parse(readFileSync(join(PACKAGES, name, 'package.json'), 'utf8')) as Manifest;
}

/** The file that npm installs. */
export function packed(name: PackageName): string {
  return join(PACKAGES, packedFile(name, manifestOf(name).version));
}

/** The lowest version of a caret range. */
export function lowestOf(range: string): string {
  const version = /^\^(\d+\.\d+\.\d+)$/.exec(range)?.[1];
  if (version === undefined) throw new Error(`${range} is not a caret range`);
  return version;
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'evenkeel-package-'));
}

export interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

export class Consumer {
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;

  /** `node`: the folder with the command `node`. */
  constructor(folder: string, node: string) {
    this.folder = folder;
    // Without the commands of this repository on PATH.
    const others = (process.env.PATH ?? '').split(delimiter).filter((each) => !each.startsWith(resolve('.')));
    this.#env = { ...process.env, PATH: [node, ...others].join(delimiter) };
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  /** Installs with npm on this Node. Fails if a package's engines exclude this Node, or if peer dependencies conflict. */
  async install(...packages: readonly string[]): Promise<void> {
    const npm = process.env.npm_execpath;
    if (npm === undefined) throw new Error('npm_execpath is not set; run this suite by: npm run test:package');
    this.write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
    const flags = ['--engine-strict', '--prefer-offline', '--no-audit', '--no-fund'];
    await run('node', [npm, 'install', ...flags, ...packages], { cwd: this.folder, env: this.#env, attempts: 3 });
  }

  /** Runs a command that the package installed, as a shell does: its first line finds Node. */
  command(name: string, ...args: readonly string[]): Ended {
    return this.#ended(join('node_modules', '.bin', name), args);
  }

  /** The same, with these environment variables besides its own. */
  commandWith(env: Readonly<Record<string, string>>, name: string, ...args: readonly string[]): Ended {
    return this.#ended(join('node_modules', '.bin', name), args, env);
  }

  node(...args: readonly string[]): Ended {
    return this.#ended('node', args);
  }

  /** The packages that are installed. */
  installed(): readonly string[] {
    const lock = JSON.parse(readFileSync(join(this.folder, 'package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, unknown>>;
    };
    return Object.keys(lock.packages).flatMap((path) => (path === '' ? [] : path.replace('node_modules/', '')));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #ended(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Ended {
    const { status, stdout, stderr, error } = spawnSync(command, args, {
      cwd: this.folder,
      env: { ...this.#env, ...env },
      encoding: 'utf8',
    });
    if (error) throw error;
    return { status, out: stdout, err: stderr };
  }
}
