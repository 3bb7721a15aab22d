/** Where a story's replicas are, awaited and told: for stories on the practice hub, which know what is ready. */
import type { Share } from '../practice-hub/fleet.ts';
import { type BindingKey, type PracticeScene, until, whereReplicasAre } from './scene.ts';

export interface StoryReplicas {
  readonly binding: BindingKey;
  readonly total: number;
}

/** By cluster: how many are assigned, and how many of them are ready; all where only one number is said. */
export type Wanted = Readonly<Record<string, number | readonly [assigned: number, ready: number]>>;

/** All replicas are assigned, and these clusters have so many assigned and ready. */
export async function become(
  scene: PracticeScene,
  { binding, total }: StoryReplicas,
  { claim, wanted, patienceMs = scene.pace.patienceMs }: { claim: string; wanted: Wanted; patienceMs?: number },
): Promise<void> {
  const what = { claim, patienceMs, instead: () => whereReplicasAre(scene.fleet, binding) };
  await until(what, async () => {
    const shares = await scene.fleet.distribution(binding);
    const assigned = [...shares.values()].reduce((sum, share) => sum + share.assigned, 0);
    const holds = Object.entries(wanted).every(([name, counts]) => isAt(shares.get(name), counts));
    return assigned === total && holds ? true : undefined;
  });
}

function isAt(share: Share | undefined, wanted: Wanted[string]): boolean {
  const [assigned, ready] = typeof wanted === 'number' ? [wanted, wanted] : wanted;
  return (share?.assigned ?? 0) === assigned && (share?.ready ?? 0) === ready;
}

export async function tell(scene: PracticeScene, { binding }: StoryReplicas, why: string): Promise<void> {
  scene.print(`${why}\n  now: ${await whereReplicasAre(scene.fleet, binding)}`);
}
