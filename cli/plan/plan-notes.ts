/** Notes on a plan for stderr: what it omits, and where Karmada may count differently. */
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { referenceLabel } from '../../shared/kubernetes/object-reference.ts';
import type { ForecastInput } from './plan-input.ts';

export function notesOf(input: ForecastInput, chosen: readonly PlacedBinding[]): readonly string[] {
  return [...leftOut(chosen), ...clusterNotes(input)];
}

export function clusterNotes(input: Pick<ForecastInput, 'modelled' | 'withoutEnablements'>): readonly string[] {
  return [...modelNote(input), ...enablementsNote(input)];
}

/** Chosen bindings that are not planned, because no scheduler assigns them. */
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

function modelNote({ modelled }: Pick<ForecastInput, 'modelled'>): readonly string[] {
  const [first] = modelled;
  if (first === undefined) return [];
  return [
    `${modelled.size} of the clusters have resource models (the first: ${first}); if Karmada estimates by them, it finds less capacity than this plan`,
  ];
}

function enablementsNote({ withoutEnablements }: Pick<ForecastInput, 'withoutEnablements'>): readonly string[] {
  const [first] = withoutEnablements;
  if (first === undefined) return [];
  return [
    `${withoutEnablements.size} of the clusters have no status.apiEnablements (the first: ${first}); assumed to serve every kind`,
  ];
}
