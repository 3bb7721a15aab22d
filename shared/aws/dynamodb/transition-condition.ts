/** A transition of the table in shared/workload-rebalancer/task-transitions.ts as a DynamoDB condition: written once there, never again here. */
import { type Transition, type TransitionName, transitions } from '../../workload-rebalancer/task-transitions.ts';

export interface TransitionCondition {
  readonly expression: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The condition that the stored task may make the transition, decided on `plan`. Placeholders start with `c`, so that they meet no others. */
export function conditionOf(name: TransitionName, plan: string): TransitionCondition {
  const { from, samePlan, allChunksDone }: Transition = transitions[name];
  const states = from.filter((state) => state !== 'none');
  const stateValues = Object.fromEntries(states.map((state, i) => [`:cState${i}`, state]));
  const clauses = [`#cState IN (${Object.keys(stateValues).join(', ')})`];
  if (samePlan) clauses.push('#cPlan = :cPlan');
  if (allChunksDone) clauses.push('attribute_not_exists(#cPending)');
  return {
    expression: clauses.join(' AND '),
    names: {
      '#cState': 'state',
      ...(samePlan && { '#cPlan': 'plan' }),
      ...(allChunksDone && { '#cPending': 'pendingChunks' }),
    },
    values: { ...stateValues, ...(samePlan && { ':cPlan': plan }) },
  };
}
