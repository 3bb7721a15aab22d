/** The page of a local run: built if it is missing or outdated, and served with the API. */
import { join } from 'node:path';
import { packageRoot } from '../infra/function-paths.ts';
import { type ConsoleServer, type ConsoleServerOptions, startConsoleServer } from './console-server.ts';

export interface PageOptions extends Pick<ConsoleServerOptions, 'port' | 'answerers' | 'metrics'> {
  readonly print: (line: string) => void;
}

export async function startPage({ print, ...options }: PageOptions): Promise<ConsoleServer> {
  const folder = join(packageRoot(), 'dist', 'console');
  await build(folder).catch((thrown: unknown) => {
    // The hub and the functions run without the page; the API is served too.
    print(`The page can't be built: ${thrown instanceof Error ? thrown.message.split('\n', 1)[0] : ''}`);
  });
  return startConsoleServer({ ...options, folder });
}

/** Imported on demand, since the builder is large; the packed package has the page built, and no sources. */
async function build(folder: string): Promise<void> {
  const { buildConsole, isConsoleStale } = await import('../infra/bundling/build-console.ts');
  if (isConsoleStale(folder)) await buildConsole(folder);
}
