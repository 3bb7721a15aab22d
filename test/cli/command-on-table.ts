/** The command line beside a table of its own, as it is beside a deployment's. */
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { program } from '../../cli/main.ts';
import { type RunningTable, startTable } from '../../local/table.ts';

/** Gives what runs `evenkeel` with these arguments and tells what it printed. */
export function commandOnTable(
  common: readonly string[],
  fill: (table: RunningTable) => Promise<void>,
): (...args: readonly string[]) => Promise<string> {
  let table: RunningTable;
  beforeAll(async () => {
    table = await startTable();
    await fill(table);
    vi.stubEnv('AWS_ENDPOINT_URL', table.endpoint);
    vi.stubEnv('AWS_REGION', 'local');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  });
  afterEach(() => vi.restoreAllMocks());
  afterAll(async () => {
    vi.unstubAllEnvs();
    await table.close();
  });
  return async (...args) => {
    const written: string[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    await program().parseAsync([...common, ...args], { from: 'user' });
    return written.join('');
  };
}
