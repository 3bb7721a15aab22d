/** The table of the local run: dynalite, with DynamoDB's wire protocol, on disk. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import dynalite from 'dynalite';
import { openLocalTable } from '../shared/aws/dynamodb/local-table.ts';
import type { DeschedulingStore } from '../shared/descheduling/descheduling-store.ts';
import type { ElasticStore } from '../shared/elastic-workload/elastic-store.ts';
import type { ExternalEventStore } from '../shared/external-events/external-event-store.ts';
import type { AssignmentStore } from '../shared/karmada/assignment/recent-assignments.ts';
import type { ResyncPositions } from '../shared/karmada/resync-position.ts';
import type { MoveLedger } from '../shared/move-budget/move-ledger.ts';
import type { HistoryStore } from '../shared/placement-history/history-store.ts';
import type { PolicyStore } from '../shared/rebalance-policy/policy-store.ts';
import type { TaskStore } from '../shared/workload-rebalancer/task-store.ts';

export interface RunningTable {
  readonly endpoint: string;
  readonly tasks: TaskStore;
  readonly descheduling: DeschedulingStore;
  readonly policies: PolicyStore;
  readonly elastic: ElasticStore;
  readonly positions: ResyncPositions;
  readonly assignments: AssignmentStore;
  readonly ledger: MoveLedger;
  readonly externalEvents: ExternalEventStore;
  readonly history: HistoryStore;
  close(): Promise<void>;
}

/** Starts it on a free port; in memory without a folder. */
export async function startTable(folder?: string): Promise<RunningTable> {
  const server = dynalite({ ...(folder !== undefined && { path: folder }), createTableMs: 0 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const table = await openLocalTable(endpoint);
  return {
    endpoint,
    tasks: table.tasks,
    descheduling: table.descheduling,
    policies: table.policies,
    elastic: table.elastic,
    positions: table.positions,
    assignments: table.assignments,
    ledger: table.ledger,
    externalEvents: table.externalEvents,
    history: table.history,
    close: async () => {
      table.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
