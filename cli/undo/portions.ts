/** Divides what is restored among WorkloadRebalancers: the annotation of each has to fit in an object. */
import type { RestoredWorkload } from './plan-undo.ts';

/** As of a wave. */
const MOST_WORKLOADS = 500;
/** An object's annotations have 256 KiB together. */
const MOST_CHARACTERS = 200_000;

export function inPortions(restored: readonly RestoredWorkload[]): readonly (readonly RestoredWorkload[])[] {
  const portions: RestoredWorkload[][] = [];
  let characters = 0;
  for (const each of restored) {
    const length = lengthOf(each);
    const last = portions.at(-1);
    if (last === undefined || last.length >= MOST_WORKLOADS || characters + length > MOST_CHARACTERS) {
      portions.push([each]);
      characters = length;
    } else {
      last.push(each);
      characters += length;
    }
  }
  return portions;
}

function lengthOf({ binding: { metadata }, before }: RestoredWorkload): number {
  return metadata.namespace.length + metadata.name.length + JSON.stringify(before).length + '"/":,'.length;
}
