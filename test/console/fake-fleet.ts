/** API responses for a fleet of any size, to test the page without a hub. */
import type { FleetAnswer, Moment, WorkloadAnswer } from '../../shared/console-api/operations/fleet.ts';

export interface FleetSize {
  readonly clusters: number;
  readonly workloads: number;
}

const teams = ['shop', 'payments', 'search', 'media', 'identity'];
const jobs = ['web', 'api', 'worker', 'cache', 'mailer', 'indexer', 'gateway', 'reports'];

/** A pseudo-random number from 0 to 999, the same for the same arguments. */
function scattered(a: number, b: number): number {
  return ((a * 2_654_435_761 + b * 40_503 + 12_345) >>> 8) % 1000;
}

export function fakeFleet({ clusters, workloads }: FleetSize): FleetAnswer {
  return {
    clusters: Array.from({ length: clusters }, (_, place) => ({
      name: `member${String(place + 1).padStart(clusters > 99 ? 3 : 1, '0')}`,
      drainable: true,
      healthy: place % 17 !== 1,
      ready: place % 29 !== 3,
      taints: place % 17 === 1 ? ['cluster.karmada.io/not-ready:NoExecute'] : [],
      pods: { allocatable: 110 + (place % 5) * 40, allocated: 20 + (scattered(place, 1) % (80 + (place % 5) * 40)) },
    })),
    workloads: Array.from({ length: workloads }, (_, place) => fakeWorkload(place, clusters)),
  };
}

function fakeWorkload(place: number, clusters: number): FleetAnswer['workloads'][number] {
  // In a large fleet a workload is on dozens of clusters, as with a Duplicated policy.
  const spread = Math.min(clusters, 1 + (scattered(place, 2) % (clusters > 50 ? 60 : 6)));
  const first = scattered(place, 3) % clusters;
  const shares = Array.from({ length: spread }, (_, step): [number, number, number, number] => {
    const assigned = 1 + (scattered(place, 10 + step) % (place % 9 === 0 ? 40 : 8));
    const ready = scattered(place, 30 + step) % 12 === 0 ? Math.floor(assigned / 2) : assigned;
    const held = scattered(place, 50 + step) % 40 === 0 ? 2 : 0;
    return [(first + step * (1 + (place % 3))) % clusters, assigned, ready, held];
  });
  const distinct = [...new Map(shares.map((share) => [share[0], share])).values()];
  const team = teams[place % teams.length] ?? '';
  const name = `${jobs[place % jobs.length]}${place < jobs.length ? '' : `-${Math.floor(place / jobs.length)}`}`;
  return {
    kind: 'Deployment',
    namespace: team,
    name,
    key: { namespace: team, name: `${name}-deployment` },
    replicas: distinct.reduce((sum, [, assigned]) => sum + assigned, 0),
    shares: distinct,
  };
}

/** A workload of the fleet, with a plan that balances it. */
export function fakeWorkloadAnswer(
  { fleet, at }: { readonly fleet: FleetAnswer; readonly at: string },
  key: WorkloadAnswer['key'],
  history: readonly Moment[],
): WorkloadAnswer | undefined {
  const found = fleet.workloads.find((each) => each.key.namespace === key.namespace && each.key.name === key.name);
  if (found === undefined) return undefined;
  const { kind, namespace, name, replicas, shares } = found;
  const names = fleet.clusters
    .slice(0, Math.max(3, Math.min(fleet.clusters.length, shares.length)))
    .map((each) => each.name);
  const nowHere = new Map(shares.map(([place, assigned]) => [fleet.clusters[place]?.name ?? '', assigned]));
  const even = Object.fromEntries(
    names.map((each, place) => [each, Math.floor(replicas / names.length) + (place < replicas % names.length ? 1 : 0)]),
  );
  const steady = Object.fromEntries(nowHere);
  const moves = [...nowHere].reduce((sum, [each, assigned]) => sum + Math.max(0, assigned - (even[each] ?? 0)), 0);
  return {
    key: { ...key },
    workload: { apiVersion: 'apps/v1', kind, namespace, name },
    replicas,
    scheduler: 'default-scheduler',
    triggeredAt: at,
    scheduledAt: at,
    clusters: shares.map(([place, assigned, ready, held]) => ({
      name: fleet.clusters[place]?.name ?? '',
      assigned,
      ready,
      ...(held > 0 && { held: { replicas: held, since: at, until: laterThan(at, 600) } }),
    })),
    plan: {
      steady,
      fresh: even,
      moves,
      outcome: 'Moves',
      reason: 'Fresh divides by the available replicas of the clusters.',
    },
    history: [...history],
  };
}

export function laterThan(time: string, seconds: number): string {
  return new Date(Date.parse(time) + seconds * 1000).toISOString().replace(/\.\d+Z/, 'Z');
}
