/** Waits for and prints the replicas of a story: for stories on the practice hub, which reports ready replicas. */

import type { ObjectKey } from '../../shared/kubernetes/object-key.ts';
import type { MemberShare } from '../practice-hub/fleet.ts';
import type { StoryWorkload } from './manifests.ts';
import { type PracticeScene, type Scene, until, whereReplicasAre } from './scene.ts';

export type StoryReplicas = Pick<StoryWorkload, 'name' | 'replicas'>;

export function bindingKeyIn({ namespace }: Scene, { name }: Pick<StoryReplicas, 'name'>): ObjectKey {
  return { namespace, name: `${name}-deployment` };
}

/** By cluster: assigned and ready replicas; a single number means that all are ready. */
export type ExpectedReplicas = Readonly<Record<string, number | readonly [assigned: number, ready: number]>>;

/** Waits until all replicas are assigned, and these clusters have as many assigned and ready. */
export async function become(
  scene: PracticeScene,
  workload: StoryReplicas,
  {
    claim,
    wanted,
    timeoutMs = scene.timing.timeoutMs,
  }: { claim: string; wanted: ExpectedReplicas; timeoutMs?: number },
): Promise<void> {
  const binding = bindingKeyIn(scene, workload);
  const what = { claim, timeoutMs, instead: () => whereReplicasAre(scene.fleet, binding) };
  await until(what, async () => {
    const shares = await scene.fleet.distribution(binding);
    const assigned = [...shares.values()].reduce((sum, share) => sum + share.assigned, 0);
    const holds = Object.entries(wanted).every(([name, counts]) => isAt(shares.get(name), counts));
    return assigned === workload.replicas && holds ? true : undefined;
  });
}

function isAt(share: MemberShare | undefined, wanted: ExpectedReplicas[string]): boolean {
  const [assigned, ready] = typeof wanted === 'number' ? [wanted, wanted] : wanted;
  return (share?.assigned ?? 0) === assigned && (share?.ready ?? 0) === ready;
}

export async function printDistribution(scene: PracticeScene, workload: StoryReplicas, why: string): Promise<void> {
  scene.print(`${why}\n  now: ${await whereReplicasAre(scene.fleet, bindingKeyIn(scene, workload))}`);
}
