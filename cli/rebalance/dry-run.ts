/** `evenkeel rebalance --dry-run`: prints the object, and the result of the scheduler's assignment. */
import { stringify } from 'yaml';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { explainPlan } from '../plan/explain-plan.ts';
import { objectsOfHub } from '../plan/objects-of-hub.ts';
import { movesAny, planBindings } from '../plan/plan-bindings.ts';
import { reportPlan } from '../plan/plan-kind.ts';
import { printTable, summary } from '../plan/print-plan.ts';
import { coloursOf } from '../terminal.ts';
import { type NewRebalancer, objectText, workloadsOf } from './new-rebalancer.ts';

export interface DryRun {
  readonly kubeconfig: string;
  readonly context?: string;
  readonly bindings: readonly PlacedBinding[];
  readonly output: 'table' | 'wide' | 'json' | 'yaml' | 'name';
}

/** The exit code, as for `evenkeel plan`. */
export async function dryRun(object: NewRebalancer, { output, bindings, ...place }: DryRun): Promise<number> {
  const input = await objectsOfHub({ ...place, workloads: workloadsOf(bindings) });
  const plan = planBindings(input, { names: [] });
  const code = reportPlan({ notes: plan.notes, unread: input.unread, moves: movesAny(plan.bindings) });
  if (output === 'json' || output === 'yaml' || output === 'name') {
    // In a pipe, stdout contains only the object.
    process.stdout.write(`${objectText(object, output)}\n`);
    process.stderr.write(`evenkeel: ${summary(plan.bindings)}\n`);
  } else {
    const colours = coloursOf();
    const moves =
      output === 'wide' ? explainPlan(plan.bindings, input.clusters, colours) : printTable(plan.bindings, colours);
    process.stdout.write(`${stringify(object)}\n${moves}\nNothing was created (--dry-run).\n`);
  }
  return code;
}
