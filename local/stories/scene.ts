/** What a story is played on, and how it tells what happens. */
import { setTimeout as wait } from 'node:timers/promises';
import { rebalancePolicies } from '../../shared/model/rebalance-policy/rebalance-policy.ts';
import { resourcePath } from '../../shared/model/resource.ts';
import { workloadRebalancers } from '../../shared/model/workload-rebalancer.ts';
import type { Settings } from '../../shared/settings.ts';
import type { SpokeOptions } from '../practice-hub/controllers/ocm/spoke-cluster.ts';
import type { Fleet, Share } from '../practice-hub/fleet.ts';
import type { HubServer } from '../practice-hub/hub-server.ts';
import type { KubeObject } from '../practice-hub/store/objects.ts';
import type { Stack } from '../stack.ts';

export interface BindingKey {
  readonly namespace: string;
  readonly name: string;
}

/** A fleet as its people see it, whoever plays it. */
export interface StoryFleet {
  readonly memberNames: readonly string[];
  /** Takes the member's replicas away, as an outage does; says how. */
  fail(member: string): Promise<string>;
  recover(member: string): Promise<string>;
  distribution(binding: BindingKey): Promise<ReadonlyMap<string, Share>>;
}

export interface Scene {
  readonly hubName: string;
  /** A person's request to the hub; undefined for 404. */
  readonly ask: (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ) => Promise<KubeObject | undefined>;
  readonly fleet: StoryFleet;
  /** The story's objects are in it; on a hub of somebody's it is there for nothing else. */
  readonly namespace: string;
  readonly pace: Pace;
  readonly stack: Stack;
  readonly print: (line: string) => void;
}

export interface Pace {
  /** How long a step may take to come true. */
  readonly patienceMs: number;
  /** Long enough for a scheduler to have moved something, had it wanted to. */
  readonly inertMs: number;
}

export interface PracticeScene extends Scene {
  readonly practice: { readonly server: HubServer; readonly fleet: Fleet };
}

/** A story: each step awaits what it claims, so that a step that does not come true ends the story with an error that names it. */
export type Story = About &
  (
    | { readonly on: 'any hub'; play(scene: Scene): Promise<void> }
    | { readonly on: 'the practice hub'; play(scene: PracticeScene): Promise<void> }
  );

interface About {
  readonly title: string;
  /** So that nobody waits for minutes; what the environment says counts more. */
  readonly settings?: Partial<Settings>;
  /** Has the practice hub be one of Open Cluster Management, with these clusters. */
  readonly spokes?: readonly SpokeOptions[];
}

export class StepFailed extends Error {}

const LOOK_MS = 25;

interface Claim {
  readonly claim: string;
  readonly patienceMs: number;
  readonly instead: () => string | Promise<string>;
}

/** Waits until `looks` gives something; then tells it. Throws StepFailed with the claim and what is the case instead. */
export async function until<T>(
  { claim, patienceMs, instead }: Claim,
  looks: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const seen = await looks();
    if (seen !== undefined) return seen;
    if (Date.now() > deadline)
      throw new StepFailed(
        `${claim}: this did not come true within ${patienceMs / 1000} s; instead: ${await instead()}`,
      );
    await wait(LOOK_MS);
  }
}

export const paths = {
  namespaces: '/api/v1/namespaces',
  deployments: (namespace: string) => `/apis/apps/v1/namespaces/${namespace}/deployments`,
  policies: (namespace: string) => `/apis/policy.karmada.io/v1alpha1/namespaces/${namespace}/propagationpolicies`,
  binding: ({ namespace, name }: BindingKey) =>
    `/apis/work.karmada.io/v1alpha2/namespaces/${namespace}/resourcebindings/${name}`,
  clusters: '/apis/cluster.karmada.io/v1alpha1/clusters',
  rebalancers: resourcePath(workloadRebalancers),
  rebalancer: (name: string) => resourcePath(workloadRebalancers, { name }),
  rebalancePolicies: resourcePath(rebalancePolicies),
  rebalancePolicy: (name: string) => resourcePath(rebalancePolicies, { name }),
};

/** "member1 4, member2 4, member3 4 (12 of 12 ready)". */
export async function whereReplicasAre(fleet: StoryFleet, binding: BindingKey): Promise<string> {
  const shares = await fleet.distribution(binding);
  const parts = fleet.memberNames.map((name) => `${name} ${shares.get(name)?.assigned ?? 0}`);
  const all = [...shares.values()];
  const assigned = all.reduce((sum, share) => sum + share.assigned, 0);
  const ready = all.reduce((sum, share) => sum + Math.min(share.ready, share.assigned), 0);
  return `${parts.join(', ')} (${ready} of ${assigned} ready)`;
}
