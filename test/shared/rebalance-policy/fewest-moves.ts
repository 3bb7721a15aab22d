/** The optimum by exhaustive search: the fewest single replicas that bring each cluster above the high watermark to the target. */
import { possibleClusters } from '../../../shared/karmada/assignment/plan-scheduling.ts';
import { whyNotPlaced } from '../../../shared/rebalance-policy/plan-shifts.ts';
import type { Numbers } from '../../placed-objects.ts';
import { candidateOf, membersOf, percentIn, type ShiftFleet } from './shift-fleet.ts';

const MOST_STATES = 60_000;

type Assignments = Readonly<Record<string, Numbers>>;

/** Undefined if no order of moves does it, or the search is too long. */
export function fewestMoves(
  fleet: ShiftFleet,
  { high, low, target }: { readonly high: number; readonly low: number; readonly target: number },
): number | undefined {
  const names = Object.keys(fleet.clusters);
  const givers = names.filter((name) => percentIn(fleet, name) > high);
  const receivers = names.filter((name) => percentIn(fleet, name) < low);
  const clusters = membersOf(fleet).map(({ cluster }) => cluster);
  const bindings = Object.fromEntries(
    Object.entries(fleet.workloads).map(([name, workload]) => [name, candidateOf(name, workload).binding]),
  );
  const possible = new Map(
    Object.entries(bindings).map(([name, binding]) => {
      const empty = { ...binding, spec: { ...binding.spec, clusters: [] } };
      return [name, new Set(possibleClusters(empty, clusters).map((each) => each.name))];
    }),
  );
  const allowed = new Map<string, boolean>();
  const isAllowed = (workload: string, on: Numbers): boolean => {
    const key = `${workload} ${text(on)}`;
    const binding = bindings[workload];
    if (binding === undefined) return false;
    const known =
      allowed.get(key) ??
      whyNotPlaced(binding, new Map(Object.entries(on).filter(([, n]) => n > 0)), { clusters }) === undefined;
    allowed.set(key, known);
    return known;
  };
  const withAssignments = (assignments: Assignments): ShiftFleet => ({
    ...fleet,
    workloads: Object.fromEntries(
      Object.entries(fleet.workloads).map(([name, workload]) => [name, { ...workload, on: assignments[name] ?? {} }]),
    ),
  });
  let layer: Assignments[] = [Object.fromEntries(Object.entries(fleet.workloads).map(([name, { on }]) => [name, on]))];
  const seen = new Set(layer.map((each) => stateText(each)));
  for (let moves = 0; layer.length > 0; moves++) {
    const next: Assignments[] = [];
    for (const assignments of layer) {
      const now = withAssignments(assignments);
      const hot = givers.filter((name) => percentIn(now, name) > target);
      if (hot.length === 0) return moves;
      for (const from of hot)
        for (const [workload, on] of Object.entries(assignments)) {
          if ((on[from] ?? 0) === 0) continue;
          for (const to of receivers) {
            if (!possible.get(workload)?.has(to)) continue;
            const moved = { ...on, [from]: (on[from] ?? 0) - 1, [to]: (on[to] ?? 0) + 1 };
            const state = { ...assignments, [workload]: moved };
            const key = stateText(state);
            if (seen.has(key) || percentIn(withAssignments(state), to) > target || !isAllowed(workload, moved))
              continue;
            seen.add(key);
            if (seen.size > MOST_STATES) return undefined;
            next.push(state);
          }
        }
    }
    layer = next;
  }
  return undefined;
}

function text(on: Numbers): string {
  return JSON.stringify(
    Object.entries(on)
      .filter(([, n]) => n > 0)
      .sort(),
  );
}

function stateText(assignments: Assignments): string {
  return Object.values(assignments).map(text).join();
}
