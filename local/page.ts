/** The page of a local run: built where it is not, or no more, and served with the API beside it. */
import { join } from 'node:path';
import { type ConsoleServer, startConsoleServer } from '../cli/operator/console-server.ts';
import { packageRoot } from '../infra/function-paths.ts';
import type { Answerers } from '../shared/edge/operator-app.ts';

export interface PageOptions {
  readonly port: number;
  readonly answerers: Answerers;
  readonly print: (line: string) => void;
}

export async function startPage({ port, answerers, print }: PageOptions): Promise<ConsoleServer> {
  const folder = join(packageRoot(), 'dist', 'console');
  await build(folder).catch((thrown: unknown) => {
    // The hub and the functions are what the run is for; the API is served all the same.
    print(`The page can't be built: ${thrown instanceof Error ? thrown.message.split('\n', 1)[0] : ''}`);
  });
  return startConsoleServer({ port, answerers, folder });
}

/** Its builder is a large thing to load: only where there are sources, and not in the packed package. */
async function build(folder: string): Promise<void> {
  const { buildConsole, isConsoleStale } = await import('../scripts/build-console.ts');
  if (isConsoleStale(folder)) await buildConsole(folder);
}
