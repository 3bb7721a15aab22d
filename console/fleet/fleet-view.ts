/** Decides which workloads and clusters the heat map shows, in which order. */
import type { FleetAnswer, FleetCluster, FleetWorkload } from '../../shared/console-api/operations/fleet.ts';

export type FleetOrder = 'name' | 'replicas' | 'behind' | 'held';
export type FleetSubset = 'all' | 'behind' | 'held';

export interface FleetFilter {
  /** Part of "Deployment shop/web". */
  readonly workload: string;
  readonly cluster: string;
  readonly which: FleetSubset;
  readonly order: FleetOrder;
}

export interface FleetRow {
  readonly workload: FleetWorkload;
  readonly ready: number;
  readonly held: number;
  /** Desired replicas that are not ready. */
  readonly behind: number;
}

export interface ClusterColumn {
  readonly cluster: FleetCluster;
  /** Its index in the response, by which shares refer to it. */
  readonly place: number;
  readonly replicas: number;
}

export interface FleetView {
  readonly rows: readonly FleetRow[];
  readonly columns: readonly ClusterColumn[];
  /** The column of a cluster by its index in the response; -1 if it is filtered out. */
  readonly columnOfPlace: Int32Array;
  /** The most replicas of one workload in one cluster, shown or not, so that a filter changes no colours. */
  readonly most: number;
}

export function viewOf(fleet: FleetAnswer, wanted: FleetFilter): FleetView {
  const perCluster = new Float64Array(fleet.clusters.length);
  let most = 0;
  const rows: FleetRow[] = [];
  for (const workload of fleet.workloads) {
    let ready = 0;
    let held = 0;
    for (const [place, assigned, readyHere, heldHere] of workload.shares) {
      ready += readyHere;
      held += heldHere;
      most = Math.max(most, assigned);
      perCluster[place] = (perCluster[place] ?? 0) + assigned;
    }
    rows.push({ workload, ready, held, behind: Math.max(0, workload.replicas - ready) });
  }
  const columns = fleet.clusters
    .map((cluster, place) => ({ cluster, place, replicas: perCluster[place] ?? 0 }))
    .filter(({ cluster }) => contains(cluster.name, wanted.cluster))
    .toSorted((a, b) => compare(a.cluster.name, b.cluster.name));
  const columnOfPlace = new Int32Array(fleet.clusters.length).fill(-1);
  for (const [column, { place }] of columns.entries()) columnOfPlace[place] = column;
  return {
    rows: ordered(
      rows.filter((row) => isWanted(row, wanted)),
      wanted.order,
    ),
    columns,
    columnOfPlace,
    most,
  };
}

function isWanted(row: FleetRow, { workload, which }: FleetFilter): boolean {
  if (which === 'behind' && row.behind === 0) return false;
  if (which === 'held' && row.held === 0) return false;
  if (workload === '') return true;
  const { kind, namespace, name } = row.workload;
  return contains(`${kind} ${namespace}/${name}`, workload);
}

/** Matches every word of the query, in any case and order: "web shop" finds shop/web. */
export function contains(text: string, typed: string): boolean {
  const lower = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}

function ordered(rows: readonly FleetRow[], order: FleetOrder): readonly FleetRow[] {
  const by: Readonly<Record<FleetOrder, (row: FleetRow) => number>> = {
    name: () => 0,
    replicas: ({ workload }) => -workload.replicas,
    behind: ({ behind }) => -behind,
    held: ({ held }) => -held,
  };
  const rank = by[order];
  return rows.toSorted((a, b) => rank(a) - rank(b) || byName(a.workload, b.workload));
}

function byName(a: FleetWorkload, b: FleetWorkload): number {
  return compare(a.namespace, b.namespace) || compare(a.name, b.name) || compare(a.kind, b.kind);
}

/** Natural order: web-2 before web-10. */
const { compare } = new Intl.Collator('en', { numeric: true });

/** The labels of the panel and of the grid's cells. */
export type ClusterState = 'ready' | 'not ready' | 'draining' | 'drained' | 'tainted' | 'leaving';

export function stateOf({ ready, healthy, taints, drain }: FleetCluster): ClusterState {
  if (!ready) return 'not ready';
  if (drain !== undefined) return drain.state === 'Drained' ? 'drained' : 'draining';
  if (healthy) return 'ready';
  return taints.length > 0 ? 'tainted' : 'leaving';
}

/** The workloads with replicas on the cluster, and those replicas. */
export function onCluster(
  fleet: FleetAnswer,
  cluster: string,
): { readonly workloads: number; readonly replicas: number } {
  const place = fleet.clusters.findIndex(({ name }) => name === cluster);
  const shares = fleet.workloads.flatMap((workload) => workload.shares.filter((share) => share[0] === place));
  const assigned = shares.map(([, replicas]) => replicas).filter((replicas) => replicas > 0);
  return { workloads: assigned.length, replicas: assigned.reduce((sum, replicas) => sum + replicas, 0) };
}
