/** The DynamoDB actions of each method of the stores and of the registry of hubs. The grants of a function follow from the methods that it calls. */
import type { DeschedulingStore } from '../descheduling/descheduling-store.ts';
import type { ElasticStore } from '../elastic-workload/elastic-store.ts';
import type { ExternalEventStore } from '../external-events/external-event-store.ts';
import type { AssignmentStore } from '../karmada/assignment/recent-assignments.ts';
import type { ResyncPositions } from '../karmada/resync-position.ts';
import type { HubBudgets } from '../kubernetes/hub-budget.ts';
import type { HubCircuits } from '../kubernetes/hub-circuit.ts';
import type { HubRegistry } from '../kubernetes/hub-registry.ts';
import type { MoveLedger } from '../move-budget/move-ledger.ts';
import type { HistoryStore } from '../placement-history/history-store.ts';
import type { PolicyStore } from '../rebalance-policy/policy-store.ts';
import type { TaskStore } from '../workload-rebalancer/task-store.ts';

/** `IndexQuery`: a Query of the index of tasks, which lags: no decision depends on it. */
export type TableAction = 'GetItem' | 'Query' | 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'IndexQuery';

type Actions<Store> = Readonly<Record<keyof Store, readonly TableAction[]>>;

/** Updates on a condition, and reads the row. */
const transition = ['UpdateItem', 'GetItem'] as const;

export const tableActions = {
  tasks: {
    comparedAt: ['GetItem'],
    markCompared: ['UpdateItem'],
    recent: ['IndexQuery'],
    readTask: ['GetItem'],
    readChunk: ['GetItem'],
    readChunks: ['Query'],
    writeChunks: ['PutItem'],
    commitPlan: ['PutItem', 'GetItem'],
    saveChunk: ['UpdateItem'],
    completeChunk: transition,
    markProgressed: transition,
    finish: transition,
    abandon: transition,
    markReported: transition,
    markRescheduling: transition,
  } satisfies Actions<TaskStore>,
  descheduling: {
    beginRun: ['PutItem', 'GetItem'],
    readRun: ['GetItem'],
    writeChunk: ['PutItem'],
    readChunk: ['GetItem'],
    endSweep: ['UpdateItem'],
    reserve: ['UpdateItem'],
    completeChunk: transition,
    lastDecision: ['GetItem'],
    record: ['PutItem'],
    settle: ['PutItem'],
    decisions: ['Query'],
  } satisfies Actions<DeschedulingStore>,
  policies: {
    readObservations: ['GetItem'],
    saveObservations: ['PutItem'],
    readStates: ['Query'],
    readState: ['GetItem'],
    saveState: ['PutItem'],
    writeWave: ['PutItem', 'GetItem'],
    readWave: ['GetItem'],
    writeSkipped: ['PutItem'],
    takeLease: ['PutItem'],
    releaseLease: ['UpdateItem'],
    lastLease: ['GetItem'],
    recordRun: ['PutItem'],
    runs: ['Query'],
    decisions: ['Query'],
  } satisfies Actions<PolicyStore>,
  elastic: {
    read: ['GetItem'],
    save: ['PutItem'],
  } satisfies Actions<ElasticStore>,
  positions: {
    read: ['GetItem'],
    save: ['PutItem'],
    forget: ['DeleteItem'],
  } satisfies Actions<ResyncPositions>,
  assignments: {
    read: ['GetItem'],
    save: ['PutItem'],
  } satisfies Actions<AssignmentStore>,
  ledger: {
    read: ['GetItem'],
    save: ['PutItem'],
  } satisfies Actions<MoveLedger>,
  externalEvents: {
    list: ['Query'],
    read: ['GetItem'],
    save: ['PutItem'],
  } satisfies Actions<ExternalEventStore>,
  history: {
    lastPlacement: ['Query'],
    recordPlacement: ['PutItem'],
    placements: ['Query'],
    lastCluster: ['Query'],
    recordCluster: ['PutItem'],
    clusterStates: ['Query'],
    clusterMoves: ['Query'],
  } satisfies Actions<HistoryStore>,
  circuits: {
    read: ['GetItem'],
    write: ['PutItem'],
  } satisfies Actions<HubCircuits>,
  budgets: {
    take: ['UpdateItem'],
  } satisfies Actions<HubBudgets>,
};

/** Of the registry's own table. A new record replaces an invalid one, so a write may read. */
export const registryActions: Actions<HubRegistry> = {
  list: ['Query'],
  read: ['GetItem'],
  write: ['GetItem', 'PutItem'],
  delete: ['DeleteItem'],
  publishedUntil: ['GetItem'],
  markPublished: ['PutItem'],
};

/** Each once, in alphabetical order. */
export function registryActionsOf(methods: readonly (keyof HubRegistry)[]): readonly TableAction[] {
  return [...new Set(methods.flatMap((method) => registryActions[method]))].sort();
}

/** Methods of the stores. */
export type StoreCalls = {
  readonly [Store in keyof typeof tableActions]?: readonly (keyof (typeof tableActions)[Store])[];
};

export const storeNames = Object.keys(tableActions) as (keyof typeof tableActions)[];

/** Each once, in alphabetical order. */
export function tableActionsOf(calls: StoreCalls): readonly TableAction[] {
  const actions = storeNames.flatMap((store) => {
    const methods: Readonly<Record<string, readonly TableAction[]>> = tableActions[store];
    return (calls[store] ?? []).flatMap((method) => methods[method] ?? []);
  });
  return [...new Set(actions)].sort();
}
