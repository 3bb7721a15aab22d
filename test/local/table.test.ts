import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startTable } from '../../local/table.ts';

const ROWS = 400;
const QUERIES = 8;
const RECEIVED = 'http.server.request.start';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-table-'));
afterEach(() => rmSync(folder, { recursive: true }));

/** Resolves when the table has received this many more requests. */
function received(count: number): Promise<void> {
  return new Promise((resolve) => {
    let left = count;
    const onRequest = (): void => {
      left -= 1;
      if (left > 0) return;
      unsubscribe(RECEIVED, onRequest);
      resolve();
    };
    subscribe(RECEIVED, onRequest);
  });
}

it('answers the queries that it has received before it closes', async () => {
  const table = await startTable(folder);
  const now = Date.now();
  const events = Array.from({ length: ROWS }, (_, index) => ({
    ...({ type: 'Other', id: `event-${index}` } as const),
    ...{ startsAt: now, receivedAt: now },
  }));
  await Promise.all(events.map((event) => table.externalEvents.save(event, 0)));
  const begun = received(QUERIES);
  const answers = Promise.all(Array.from({ length: QUERIES }, () => table.externalEvents.list(now)));
  await begun;
  await table.close();
  expect((await answers).map((found) => found.length)).toEqual(Array.from({ length: QUERIES }, () => ROWS));
});
