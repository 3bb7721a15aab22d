/** What is said beside a plan, on stderr: what it leaves out, and where it counts otherwise than Karmada may. */
import { referenceLabel } from '../../shared/model/object-reference.ts';
import type { PlacedBinding } from '../../shared/model/placed-binding.ts';
import type { PlanInput } from './plan-input.ts';

export function notesOf(input: PlanInput, chosen: readonly PlacedBinding[]): readonly string[] {
  return [...leftOut(chosen), ...clusterNotes(input)];
}

export function clusterNotes(input: Pick<PlanInput, 'modelled' | 'unsaid'>): readonly string[] {
  return [...modelNote(input), ...unsaidNote(input)];
}

/** What was chosen and is not planned, since no scheduler assigns it. */
function leftOut(chosen: readonly PlacedBinding[]): readonly string[] {
  const leaving = chosen.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  const unplaced = chosen.filter(
    ({ spec, metadata }) => spec.placement == null && metadata.deletionTimestamp === undefined,
  );
  return [
    ...left(leaving, 'being deleted'),
    ...left(unplaced, 'without a placement of their own: no scheduler assigns them'),
  ];
}

function left(bindings: readonly PlacedBinding[], why: string): readonly string[] {
  const [first] = bindings;
  if (first === undefined) return [];
  const { resource } = first.spec;
  return [`left out ${bindings.length} ${why} (the first: that of ${referenceLabel(resource)})`];
}

function modelNote({ modelled }: Pick<PlanInput, 'modelled'>): readonly string[] {
  const [first] = modelled;
  if (first === undefined) return [];
  return [
    `${modelled.size} of the clusters report their nodes in grades (the first: ${first}); where Karmada counts by them, it sees less room than this plan`,
  ];
}

function unsaidNote({ unsaid }: Pick<PlanInput, 'unsaid'>): readonly string[] {
  const [first] = unsaid;
  if (first === undefined) return [];
  return [
    `${unsaid.size} of the clusters do not say what they serve (status.apiEnablements; the first: ${first}); taken to serve all that is asked of them`,
  ];
}
