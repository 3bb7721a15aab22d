/** The command line beside a whole deployment on virtual time, which it calls over HTTP like a local run. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import { program } from '../../../cli/main.ts';
import { type ConsoleServer, startConsoleServer } from '../../../local/console-server.ts';
import type { World } from '../../fakes/world.ts';

/** Returns a function that runs `evenkeel` with arguments and returns its output. */
export function commandOnWorld(make: () => Promise<World>): (...args: readonly string[]) => Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-no-page-'));
  let server: ConsoleServer;
  beforeEach(async () => {
    const { answerers } = await make();
    server = await startConsoleServer({ port: 0, answerers, folder });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    process.exitCode = undefined;
    await server.close();
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return async (...args) => {
    const written: string[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    vi.stubEnv('EVENKEEL_API', server.url);
    await program().parseAsync([...args], { from: 'user' });
    return written.join('');
  };
}
