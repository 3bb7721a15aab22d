/** Divides what is restored among WorkloadRebalancers: the annotation of each has to fit in an object. */
import { assignedCharacters, MOST_ASSIGNED_CHARACTERS } from '../../shared/workload-rebalancer/given-assignment.ts';
import type { RestoredWorkload } from './plan-undo.ts';

/** As of a wave. */
const MOST_WORKLOADS = 500;

export function inPortions(restored: readonly RestoredWorkload[]): readonly (readonly RestoredWorkload[])[] {
  const portions: RestoredWorkload[][] = [];
  let characters = 0;
  for (const each of restored) {
    const length = assignedCharacters(each.binding.metadata, each.before);
    const last = portions.at(-1);
    if (last === undefined || last.length >= MOST_WORKLOADS || characters + length > MOST_ASSIGNED_CHARACTERS) {
      portions.push([each]);
      characters = length;
    } else {
      last.push(each);
      characters += length;
    }
  }
  return portions;
}
