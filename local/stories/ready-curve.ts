/** How many replicas of a workload are ready over time, in all members: watched while a story plays, and drawn in text. */

import type { Fleet } from '../practice-hub/fleet.ts';
import type { BindingKey } from './scene.ts';

const EVERY_MS = 100;

/** Pods that are ready now, those as well that the hub has assigned no longer. */
function readyNow(fleet: Pick<Fleet, 'distribution'>, binding: BindingKey): number {
  return [...fleet.distribution(binding).values()].reduce((sum, { ready }) => sum + ready, 0);
}

/** Looks every 100 ms until it is asked for what it saw. */
export function watchReady(fleet: Pick<Fleet, 'distribution'>, binding: BindingKey): () => readonly number[] {
  const seen = [readyNow(fleet, binding)];
  const timer = setInterval(() => seen.push(readyNow(fleet, binding)), EVERY_MS);
  return () => {
    clearInterval(timer);
    return seen;
  };
}

/** A column a look, rows for `top` and for each step below; a row is filled where at least so many were ready. */
export function drawReady(seen: readonly number[], { top, step }: { top: number; step: number }): readonly string[] {
  return Array.from({ length: Math.floor(top / step) }, (_, i) => {
    const level = top - step * i;
    const columns = seen.map((ready) => (ready >= level ? '█' : ' ')).join('');
    return `${String(level).padStart(6)} │${columns}`.trimEnd();
  });
}
