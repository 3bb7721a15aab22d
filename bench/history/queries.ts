/** A history of 30 days, and the queries of the command line and the console on it. */
import { eachAtOnce } from '../../shared/core/each-at-once.ts';
import { DAY, type Instant, toTimestamp } from '../../shared/core/time.ts';
import type { HistoryRange, HistoryStore, NewPlacement } from '../../shared/placement-history/history-store.ts';
import type { ClusterMove, PlacementRow } from '../../shared/placement-history/placement-row.ts';
import { readClusterHistory, readPlacements } from '../../shared/placement-history/read-history.ts';
import { type Figure, figure } from '../result.ts';

const HUB = 'prod';
const WORKLOADS = 10_000;
const DAYS = 30;
/** 1 % of the workloads an hour. */
const CHANGES = (WORKLOADS / 100) * 24 * DAYS;
const CLUSTERS = 10;
const START = Date.parse('2026-10-24T00:00:00Z');
const END = START + DAYS * DAY;
const WRITES_AT_ONCE = 16;
/** One that changes as often as ten others, and the cluster that each change concerns most. */
const BUSY = 7;

export async function writeHistory(history: HistoryStore): Promise<void> {
  const changes = Array.from({ length: CHANGES }, (_, i) => i);
  await eachAtOnce(changes, WRITES_AT_ONCE, (i) => history.recordPlacement(HUB, changeAt(i), END + DAYS * DAY));
}

export async function measureHistory(
  history: HistoryStore,
  { rounds }: { readonly rounds: number },
): Promise<readonly Figure[]> {
  const all: HistoryRange = { from: START, to: END, limit: 1000 };
  const day = { ...all, from: END - DAY };
  const workload = { hub: HUB, binding: bindingOf(BUSY) };
  const cluster = { hub: HUB, cluster: clusterOf(0) };
  return [
    await timed('a workload, 30 days', rounds, async () => (await readPlacements(history, workload, all)).page.rows),
    await timed('a workload, 24 hours', rounds, async () => (await readPlacements(history, workload, day)).page.rows),
    await timed(
      'a cluster, 24 hours',
      rounds,
      async () => (await readClusterHistory(history, cluster, day)).moves.rows,
    ),
    await timed(
      'a cluster, 30 days, the first 1,000 rows',
      rounds,
      async () => (await readClusterHistory(history, cluster, all)).moves.rows,
    ),
  ].flat();
}

async function timed(
  what: string,
  rounds: number,
  read: () => Promise<readonly unknown[]>,
): Promise<readonly Figure[]> {
  const times: number[] = [];
  let rows = 0;
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    rows = (await read()).length;
    times.push(performance.now() - began);
  }
  return [figure(`query: ${what} (${rows} rows)`, 'ms', times)];
}

/** Bytes that DynamoDB bills: of the names and the values of the attributes. */
export function historyRows(): readonly Figure[] {
  const { row, moves } = changeAt(1);
  const [move] = moves;
  return [
    figure('row of a workload: JSON', 'bytes', [Buffer.byteLength(JSON.stringify(row))]),
    figure('row of a move: JSON', 'bytes', [Buffer.byteLength(JSON.stringify(move))]),
    figure('rows a change', 'rows', [1 + moves.length]),
  ];
}

function bindingOf(index: number): { readonly namespace: string; readonly name: string } {
  return { namespace: `team-${index % 50}`, name: `service-${index}-deployment` };
}

function clusterOf(index: number): string {
  return `member-${index % CLUSTERS}`;
}

/** Two replicas of six move from one cluster to another; every hundredth change is of the busy workload. */
function changeAt(index: number): NewPlacement {
  const workload = index % 100 === 0 ? BUSY : (index * 7919) % WORKLOADS;
  const at: Instant = START + Math.floor(((END - START) / CHANGES) * index);
  const version = String(500_000_000 + index * 10);
  const binding = bindingOf(workload);
  const [from, to] = [clusterOf(index), clusterOf(index + 1)];
  const reference = {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
    ...{ namespace: binding.namespace, name: `service-${workload}` },
  };
  const cause = { by: 'RebalancePolicy', name: 'come-home', why: `${toTimestamp(at)}-1a2b3c4d` } as const;
  const row: PlacementRow = {
    ...{ at, version, lastVersion: version, binding, uid: '8f5c1b7e-1c1a-4d6f-9b1c-2f2b7a1d5e3c', workload: reference },
    ...{ total: 6, assigned: { [from]: 4, [to]: 2 }, ready: { [from]: 4, [to]: 2 }, cause, marks: { triggeredAt: at } },
  };
  const move = (cluster: string, before: number, after: number): ClusterMove => ({
    ...{ at, version, binding, workload: reference, cluster, from: before, to: after, cause },
  });
  return { row, moves: [move(from, 6, 4), move(to, 0, 2)] };
}
