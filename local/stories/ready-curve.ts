/** The number of ready replicas of a workload in all members over time: sampled while a story plays, and drawn as text. */

import type { ObjectKey } from '../../shared/kubernetes/object-key.ts';
import type { SimulatedFleet } from '../practice-hub/fleet.ts';

const EVERY_MS = 100;

/** Pods that are ready now, including those that are no longer assigned. */
function readyNow(fleet: Pick<SimulatedFleet, 'distribution'>, binding: ObjectKey): number {
  return [...fleet.distribution(binding).values()].reduce((sum, { ready }) => sum + ready, 0);
}

/** Samples every 100 ms until the result is requested. */
export function watchReady(fleet: Pick<SimulatedFleet, 'distribution'>, binding: ObjectKey): () => readonly number[] {
  const seen = [readyNow(fleet, binding)];
  const timer = setInterval(() => seen.push(readyNow(fleet, binding)), EVERY_MS);
  return () => {
    clearInterval(timer);
    return seen;
  };
}

/** A column per sample, rows for `top` and for each step below; filled if at least that many were ready. */
export function drawReady(seen: readonly number[], { top, step }: { top: number; step: number }): readonly string[] {
  return Array.from({ length: Math.floor(top / step) }, (_, i) => {
    const level = top - step * i;
    const columns = seen.map((ready) => (ready >= level ? '█' : ' ')).join('');
    return `${String(level).padStart(6)} │${columns}`.trimEnd();
  });
}
