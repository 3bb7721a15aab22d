/** The environment of a story, and its output. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Settings } from '../../shared/core/settings.ts';
import type { ObjectKey } from '../../shared/kubernetes/object-key.ts';
import { resourcePath } from '../../shared/kubernetes/resource.ts';
import { rebalancePolicies } from '../../shared/rebalance-policy/rebalance-policy.ts';
import { workloadRebalancers } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import type { ManagedClusterOptions } from '../practice-hub/controllers/ocm/managed-cluster-simulator.ts';
import type { MemberShare, SimulatedFleet } from '../practice-hub/fleet.ts';
import type { HubServer } from '../practice-hub/hub-server.ts';
import type { KubeObject } from '../practice-hub/store/objects.ts';
import type { LocalStack } from '../stack.ts';

/** The clusters of a story, on the practice hub or a real one. */
export interface StoryFleet {
  readonly memberNames: readonly string[];
  /** Removes the member's replicas, as an outage does; returns a description. */
  fail(member: string): Promise<string>;
  recover(member: string): Promise<string>;
  distribution(binding: ObjectKey): Promise<ReadonlyMap<string, MemberShare>>;
}

export interface Scene {
  readonly hubName: string;
  /** A user's request to the hub; undefined for 404. */
  readonly ask: (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ) => Promise<KubeObject | undefined>;
  readonly fleet: StoryFleet;
  /** The namespace of the story's objects; on a user's hub only for them. */
  readonly namespace: string;
  readonly timing: Timing;
  readonly stack: LocalStack;
  readonly print: (line: string) => void;
}

export interface Timing {
  /** How long a step may take to succeed. */
  readonly timeoutMs: number;
  /** Long enough for a scheduler to move replicas, if it would. */
  readonly inertMs: number;
}

export interface PracticeScene extends Scene {
  readonly practice: { readonly server: HubServer; readonly fleet: SimulatedFleet };
}

/** A story: each step waits for its claim; a step that fails ends the story with an error that contains the claim. */
export type Story = StoryOptions &
  (
    | { readonly on: 'any hub'; play(scene: Scene): Promise<void> }
    | { readonly on: 'the practice hub'; play(scene: PracticeScene): Promise<void> }
  );

interface StoryOptions {
  readonly title: string;
  /** Shorter timeouts for the story; environment variables override them. */
  readonly settings?: Partial<Settings>;
  /** Makes the practice hub one of Open Cluster Management, with these clusters. */
  readonly managedClusters?: readonly ManagedClusterOptions[];
}

export class StepFailed extends Error {}

const POLL_MS = 25;

interface StoryClaim {
  readonly claim: string;
  readonly timeoutMs: number;
  readonly instead: () => string | Promise<string>;
}

/** Polls `check` until it returns a value, and returns it. Throws StepFailed with the claim and the actual state. */
export async function until<T>(
  { claim, timeoutMs, instead }: StoryClaim,
  check: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const seen = await check();
    if (seen !== undefined) return seen;
    if (Date.now() > deadline)
      throw new StepFailed(`${claim}: this did not happen within ${timeoutMs / 1000} s; instead: ${await instead()}`);
    await wait(POLL_MS);
  }
}

/** Waits until the functions have handled every due message, and logged their decisions. */
export async function allHandled({ stack, timing }: Scene): Promise<void> {
  const what = { claim: 'every message that is due is handled', instead: () => `${stack.due()} are not` };
  await until({ ...what, timeoutMs: timing.timeoutMs }, () => (stack.due() === 0 ? true : undefined));
}

export const paths = {
  namespaces: '/api/v1/namespaces',
  deployments: (namespace: string) => `/apis/apps/v1/namespaces/${namespace}/deployments`,
  policies: (namespace: string) => `/apis/policy.karmada.io/v1alpha1/namespaces/${namespace}/propagationpolicies`,
  binding: ({ namespace, name }: ObjectKey) =>
    `/apis/work.karmada.io/v1alpha2/namespaces/${namespace}/resourcebindings/${name}`,
  clusters: '/apis/cluster.karmada.io/v1alpha1/clusters',
  rebalancers: resourcePath(workloadRebalancers),
  rebalancer: (name: string) => resourcePath(workloadRebalancers, { name }),
  rebalancePolicies: resourcePath(rebalancePolicies),
  rebalancePolicy: (name: string) => resourcePath(rebalancePolicies, { name }),
};

/** "member1 4, member2 4, member3 4 (12 of 12 ready)". */
export async function whereReplicasAre(fleet: StoryFleet, binding: ObjectKey): Promise<string> {
  const shares = await fleet.distribution(binding);
  const parts = fleet.memberNames.map((name) => `${name} ${shares.get(name)?.assigned ?? 0}`);
  const all = [...shares.values()];
  const assigned = all.reduce((sum, share) => sum + share.assigned, 0);
  const ready = all.reduce((sum, share) => sum + Math.min(share.ready, share.assigned), 0);
  return `${parts.join(', ')} (${ready} of ${assigned} ready)`;
}
