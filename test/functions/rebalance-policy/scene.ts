/** A fleet that is kept by policies, in virtual time: the practice hub's store and controllers, and the real functions between bus, schedules and table. */

import type { MemberOptions } from '../../../local/practice-hub/controllers/member-cluster.ts';
import { type SimulatedFleet, startFleet } from '../../../local/practice-hub/fleet.ts';
import type { KubeObject } from '../../../local/practice-hub/store/objects.ts';
import type { PolicyRun, WorkloadDecision } from '../../../shared/rebalance-policy/policy-run.ts';
import { readRuns } from '../../../shared/rebalance-policy/read-run.ts';
import { deployment, policy as propagation, user } from '../../fakes/practice-fleet.ts';
import { World, type WorldOptions } from '../../fakes/world.ts';
import { DYNAMIC } from '../../placed-objects.ts';

export const three: readonly MemberOptions[] = ['member1', 'member2', 'member3'].map((name) => ({
  name,
  capacity: 40,
  readyDelayMs: 2000,
}));

const TOLERATION_MS = 30_000;

export class PolicyWorld extends World {
  readonly fleet: SimulatedFleet;

  constructor(members: readonly MemberOptions[] = three, options: WorldOptions = {}) {
    super({ scheduler: false, ...options });
    this.fleet = startFleet({ store: this.store, clock: this.clock, members, tolerationMs: TOLERATION_MS });
  }

  /** Deployment shop/<name>, spread by available replicas of clusters by default. */
  run(name: string, replicas: number, placement: object = { replicaScheduling: DYNAMIC }): void {
    this.store.create('propagationpolicies', propagation(name, placement), user);
    this.store.create('deployments', deployment(name, { replicas }), user);
  }

  policy(name: string, spec: object): KubeObject {
    const object = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'RebalancePolicy', metadata: { name }, spec };
    return this.store.create('rebalancepolicies', object, user);
  }

  editPolicy(name: string, spec: object): void {
    this.store.patch('rebalancepolicies', { namespace: '', name }, { type: 'merge', body: { spec } }, user);
  }

  annotate(plural: string, name: string, annotations: Readonly<Record<string, string>>): void {
    this.store.patch(plural, { namespace: '', name }, { type: 'merge', body: { metadata: { annotations } } }, user);
  }

  deletePolicy(name: string): void {
    this.store.delete('rebalancepolicies', { namespace: '', name }, user);
  }

  status(name: string): Record<string, unknown> {
    return this.store.get('rebalancepolicies', { namespace: '', name })?.status ?? {};
  }

  /** Cluster name → replicas, of the binding's spec. */
  assigned(name: string): Record<string, number> {
    const binding = this.store.get('resourcebindings', { namespace: 'shop', name: `${name}-deployment` });
    const clusters = (binding?.spec?.clusters ?? []) as { name: string; replicas: number }[];
    return Object.fromEntries(clusters.map((cluster) => [cluster.name, cluster.replicas]));
  }

  /** Minutes, with a scheduled resync every five of them. */
  async passResyncing(minutes: number): Promise<void> {
    for (let passed = 0; passed < minutes; passed += 5) {
      await this.resync();
      await this.pass(300);
    }
  }

  /** Names of WorkloadRebalancers that were ever made by policies, in order. */
  get waves(): readonly string[] {
    return this.hub.calls.flatMap(({ verb, plural, name }) =>
      verb === 'create' && plural === 'workloadrebalancers' ? [name] : [],
    );
  }

  /** Runs of a policy, the oldest first. */
  async runs(name: string): Promise<readonly RunRecordOf[]> {
    const found = await readRuns(this.policies, 'karmada', 1000);
    return found
      .filter((record) => record.name === name)
      .map(({ run }) => run)
      .reverse();
  }

  async decisions(name: string): Promise<readonly WorkloadDecision[]> {
    const uid = this.store.get('rebalancepolicies', { namespace: '', name })?.metadata.uid ?? '';
    const run = (await this.runs(name)).at(-1)?.run ?? '';
    const { waves, skipped } = await this.policies.decisions({ hub: 'karmada', uid, run });
    return [...waves, ...skipped].flatMap(({ workloads }) => workloads);
  }
}

type RunRecordOf = Omit<PolicyRun, 'plan' | 'before'>;
