/** 3,000 bindings on 150 fleets, each scheduled by karmada-scheduler's own code in a process without API server, and by Evenkeel's: the same clusters and reason. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capacityOf } from '../../../../shared/karmada/assignment/available-replicas.ts';
import { type Cluster, parseCluster } from '../../../../shared/karmada/assignment/cluster.ts';
import { effectiveSpread, knownStrategy } from '../../../../shared/karmada/assignment/placement.ts';
import { modeOf, possibleClusters, scheduleBinding } from '../../../../shared/karmada/assignment/plan-scheduling.ts';
import { assignedBy } from '../../../../shared/karmada/assignment/scheduling-decision.ts';
import { isWorkload, type PlacedBinding, parsePlacedBinding } from '../../../../shared/karmada/placed-binding.ts';
import { binary } from '../../cache/go-binaries.ts';
import { bindingCase, type ClusterCase, clusterCases, equalClusters } from './scheduling/cases.ts';
import { Dice } from './scheduling/dice.ts';

const ROUNDS = 15;
const FLEETS_A_ROUND = 10;
const BINDINGS_A_FLEET = 20;
const SEED = 20261125;
/** What the API server adds. */
const STORED = { uid: 'uid', resourceVersion: '1', creationTimestamp: '2026-11-21T10:00:00Z' };

interface Theirs {
  readonly reason: string;
  readonly clusters: readonly Replicas[] | null;
  readonly affinity: string;
}

interface Replicas {
  readonly name: string;
  readonly replicas?: number;
}

interface Fleet {
  readonly clusters: readonly object[];
  readonly bindings: readonly object[];
}

/** The differences that docs/guides/scheduler.md lists, and how often each may occur. */
const LISTED = { 'capacity sums that exceed 32 bits': 30, 'ties of more than 12 clusters': 5 };

const reasons = new Map<string, number>();
const listed = new Map<string, number>();
let process: ReturnType<typeof spawn>;
let ask: (fleet: Fleet) => Promise<readonly Theirs[]>;

beforeAll(async () => {
  const child = spawn(await binary('schedule-bindings'), { stdio: ['pipe', 'pipe', 'inherit'] });
  process = child;
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  ask = async (fleet) => {
    child.stdin.write(`${JSON.stringify(fleet)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error("the program with Karmada's algorithm ended; see above");
    return JSON.parse(value) as readonly Theirs[];
  };
});

afterAll(() => {
  process.kill();
});

describe("karmada-scheduler's algorithm and ours, on the same clusters", () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => round))('round %i', async (round) => {
    const differing: object[] = [];
    for (let index = 0; index < FLEETS_A_ROUND; index++) {
      const fleet = fleetOf(new Dice(SEED + round * FLEETS_A_ROUND + index));
      differing.push(...differencesOf(fleet, await ask(fleet)));
    }
    expect(differing).toEqual([]);
  });

  it('every outcome occurs, and no listed difference more often than expected', () => {
    console.log(`outcomes: ${text(reasons)}; listed differences: ${text(listed)}`);
    expect([...reasons.keys()].sort()).toEqual(['NoClusterFit', 'SchedulerError', 'Success', 'Unschedulable']);
    expect(Math.min(...reasons.values())).toBeGreaterThan(100);
    expect([...reasons.values()].reduce((sum, count) => sum + count, 0)).toBe(
      ROUNDS * FLEETS_A_ROUND * BINDINGS_A_FLEET,
    );
    for (const [difference, most] of Object.entries(LISTED))
      expect(listed.get(difference) ?? 0, difference).toBeLessThanOrEqual(most);
  });
});

/** Bindings with different results, except the listed differences, which are counted. */
function differencesOf({ clusters: objects, bindings }: Fleet, theirs: readonly Theirs[]): readonly object[] {
  const clusters = objects.map(parseCluster);
  return bindings.flatMap((object, at) => {
    const answer = theirs[at];
    if (answer === undefined) throw new Error(`binding ${at} has no answer`);
    reasons.set(answer.reason, (reasons.get(answer.reason) ?? 0) + 1);
    const binding = parsePlacedBinding(object);
    const expected = comparable(answer);
    const ours = decide(binding, clusters);
    if (JSON.stringify(ours) === JSON.stringify(expected)) return [];
    const known = knownDifference(binding, clusters);
    if (known === undefined) return [{ object, ours, expected }];
    listed.set(known, (listed.get(known) ?? 0) + 1);
    return [];
  });
}

/** Of ten fleets two have more than 12 clusters, one of these with equal capacity. */
function fleetOf(dice: Dice): Fleet {
  const size = dice.number(1, 10);
  const count = size > 2 ? dice.number(1, 9) : dice.number(13, 24);
  const names = Array.from({ length: count }, (_, index) => `m${index + 1}`);
  const made = size === 1 ? equalClusters(dice, names) : clusterCases(dice, names);
  return {
    clusters: made.map(withStatus),
    bindings: Array.from({ length: BINDINGS_A_FLEET }, (_, index) => withStatus(bindingCase(dice, `b${index}`, names))),
  };
}

function withStatus({ object, status }: Pick<ClusterCase, 'object' | 'status'>): object {
  const { metadata } = object as { metadata: object };
  return { ...object, metadata: { ...STORED, ...metadata }, status };
}

function decide(binding: PlacedBinding, clusters: readonly Cluster[]): object {
  const scheduling = scheduleBinding({ binding, clusters, available: capacityOf(binding), mode: modeOf(binding) });
  const used = binding.status.schedulerObservingAffinityName ?? '';
  return {
    reason: scheduling.outcome,
    affinity: (scheduling.outcome === 'Success' ? scheduling.affinityName : undefined) ?? used,
    clusters: numbers(assignedBy(scheduling) ?? []),
  };
}

function comparable({ reason, affinity, clusters }: Theirs): object {
  return { reason, affinity, clusters: numbers(clusters ?? []) };
}

function numbers(clusters: readonly Replicas[]): readonly string[] {
  return clusters.map(({ name, replicas = 0 }) => `${name}: ${replicas}`).sort();
}

function knownDifference(binding: PlacedBinding, clusters: readonly Cluster[]): keyof typeof LISTED | undefined {
  // Upstream counts 2³¹ − 1 available replicas on each cluster.
  if (binding.spec.replicas === 0 && isWorkload(binding) && modeOf(binding) === 'Fresh')
    return 'capacity sums that exceed 32 bits';
  const placement = binding.spec.placement ?? {};
  const isTied = knownStrategy(placement)?.kind === 'Aggregated' && effectiveSpread(placement).length === 0;
  return isTied && possibleClusters(binding, clusters).length > 12 ? 'ties of more than 12 clusters' : undefined;
}

function text(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
}
