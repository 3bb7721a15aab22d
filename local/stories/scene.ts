/** What a story is played on, and how it tells what happens. */
import { setTimeout as wait } from 'node:timers/promises';
import { resourcePath } from '../../shared/model/resource.ts';
import { workloadRebalancers } from '../../shared/model/workload-rebalancer.ts';
import type { Fleet } from '../practice-hub/fleet.ts';
import type { HubServer } from '../practice-hub/hub-server.ts';
import type { KubeObject } from '../practice-hub/store/objects.ts';
import type { Stack } from '../stack.ts';

export interface Scene {
  readonly hubName: string;
  readonly hub: HubServer;
  readonly fleet: Fleet;
  readonly stack: Stack;
  readonly print: (line: string) => void;
}

/** A story: each step awaits what it claims, so that a step that does not come true ends the story with an error that names it. */
export interface Story {
  readonly title: string;
  play(scene: Scene): Promise<void>;
}

export class StepFailed extends Error {}

const PATIENCE_MS = 20_000;
const LOOK_MS = 25;

/** Waits until `looks` gives something; then tells it. Throws StepFailed with the claim and what is the case instead. */
export async function until<T>(
  claim: string,
  looks: () => T | undefined | Promise<T | undefined>,
  instead: () => string,
): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const seen = await looks();
    if (seen !== undefined) return seen;
    if (Date.now() > deadline)
      throw new StepFailed(`${claim}: this did not come true within ${PATIENCE_MS / 1000} s; instead: ${instead()}`);
    await wait(LOOK_MS);
  }
}

/** A person's request to the hub, over HTTP as kubectl makes it. */
export async function ask(
  hub: HubServer,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<KubeObject | undefined> {
  const response = await fetch(`${hub.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'user-agent': 'story' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.status === 404 && method !== 'POST') return undefined;
  const answer = (await response.json()) as KubeObject & { message?: string };
  if (!response.ok) throw new StepFailed(`${method} ${path} was answered ${response.status}: ${answer.message ?? ''}`);
  return answer;
}

export const paths = {
  deployments: '/apis/apps/v1/namespaces/default/deployments',
  policies: '/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies',
  rebalancers: resourcePath(workloadRebalancers),
  rebalancer: (name: string) => resourcePath(workloadRebalancers, { name }),
};

/** "member1 4, member2 4, member3 4 (12 of 12 ready)". */
export function whereReplicasAre(fleet: Fleet, binding: { namespace: string; name: string }): string {
  const shares = fleet.distribution(binding);
  const parts = fleet.memberNames.map((name) => `${name} ${shares.get(name)?.assigned ?? 0}`);
  const all = [...shares.values()];
  const assigned = all.reduce((sum, share) => sum + share.assigned, 0);
  const ready = all.reduce((sum, share) => sum + Math.min(share.ready, share.assigned), 0);
  return `${parts.join(', ')} (${ready} of ${assigned} ready)`;
}
