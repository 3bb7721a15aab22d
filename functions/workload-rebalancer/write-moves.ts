/** Moves replicas of a rebalancer's workloads, the unschedulable ones, those on a drained cluster, or all to a given assignment: each binding in one write, without a trigger. */
import { tryEach } from '../../shared/core/each-at-once.ts';
import { askUnschedulable } from '../../shared/estimator/ask-unschedulable.ts';
import type { ClusterEstimator } from '../../shared/estimator/estimator.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import { bindingKey } from '../../shared/karmada/binding.ts';
import { placedKind } from '../../shared/karmada/placed-binding.ts';
import { readClusters } from '../../shared/karmada/read-clusters.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { emit } from '../../shared/runtime/emit.ts';
import { silentEstimators } from '../../shared/scheduler/decide-assignments.ts';
import { type AssignmentPorts, writeAssignments } from '../../shared/scheduler/write-assignments.ts';
import type { RebalanceTask, TaskWorkload } from '../../shared/workload-rebalancer/rebalance-task.ts';
import { inRounds } from './chunk-progress.ts';
import type { MoveStep } from './moves.ts';
import { movesOf, nextMove, resultsOf } from './next-move.ts';
import { afterAnswers } from './preserve-available.ts';
import type { PendingWorkloads, TriggerResults } from './trigger-bindings.ts';

interface Inputs {
  readonly task: RebalanceTask;
  readonly clusters: readonly Cluster[];
  readonly estimator: ClusterEstimator | undefined;
  readonly ports: AssignmentPorts;
}

/** A fault of one workload leaves that one for later. */
export async function writeMoves(
  hub: Hub,
  { task, workloads }: PendingWorkloads,
  ports: AssignmentPorts,
): Promise<TriggerResults> {
  const inputs = { task, clusters: await readClusters(hub), estimator: await ports.estimators.of(hub.name), ports };
  const results: TriggerResults[] = [];
  for (const some of inRounds(workloads, ports.settings)) results.push(await moveSome(hub, some, inputs));
  return {
    triggered: results.flatMap(({ triggered }) => triggered),
    faults: results.flatMap(({ faults }) => faults),
  };
}

async function moveSome(hub: Hub, workloads: readonly TaskWorkload[], inputs: Inputs): Promise<TriggerResults> {
  const { ports } = inputs;
  const steps = await tryEach(workloads, ports.settings.hubInFlight, (workload) => step(hub, workload, inputs));
  const moves = movesOf(steps);
  const moved = moves.length === 0 ? [] : await writeAssignments(hub, moves, inputs.clusters, ports);
  return resultsOf(steps, moved);
}

async function step(
  hub: Hub,
  workload: TaskWorkload,
  { task, clusters, estimator, ports: { settings, telemetry } }: Inputs,
): Promise<MoveStep> {
  const key = bindingKey(workload.workload);
  const notOlderThan = workload.seen?.resourceVersion;
  const binding = await hub.get(placedKind(key), key, { notOlderThan });
  const read = { task, workload, binding };
  const next = nextMove(read, clusters);
  if (next.step !== 'Ask') return next;
  const input = { task, workload, binding: next.binding };
  if (estimator === undefined) return afterAnswers(input, { answers: new Map(), faults: new Map() });
  const { hubInFlight: inFlight, unschedulableSeconds: seconds } = settings;
  const answers = await askUnschedulable(estimator, { binding: next.binding, seconds, inFlight });
  emit(telemetry, silentEstimators(hub.name, answers.faults));
  return afterAnswers(input, answers);
}
