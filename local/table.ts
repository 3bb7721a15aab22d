/** The table of the local run: dynalite, with DynamoDB's wire protocol, on disk. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import dynalite from 'dynalite';
import { openLocalTable, type TableStores } from '../shared/aws/dynamodb/local-table.ts';

export interface RunningTable extends TableStores {
  readonly endpoint: string;
  readonly close: () => Promise<void>;
}

/** Starts it on a free port; in memory without a folder. */
export async function startTable(folder?: string): Promise<RunningTable> {
  const server = dynalite({ ...(folder !== undefined && { path: folder }), createTableMs: 0 });
  // Once the server closes, a connection ends with its answer, and not when its keep-alive ends.
  server.on('request', (_, response) =>
    response.once('close', () => server.listening || server.closeIdleConnections()),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const table = await openLocalTable(endpoint);
  return {
    ...table,
    endpoint,
    close: async () => {
      // A query that is still read when the database closes would end the process: the answers first.
      await new Promise<void>((resolve) => server.close(() => resolve()));
      table.close();
    },
  };
}
