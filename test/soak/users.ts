/** Users of a hub: they create, edit, delete and create again, scale, and lose clusters, by lot. */
import { deploymentOf, policyOf } from '../../local/stories/manifests.ts';
import type { ObjectReference } from '../../shared/kubernetes/object-reference.ts';
import { NAMESPACE, type SoakHub, WORKLOADS } from './hub.ts';
import type { Known } from './rebalancer-ledger.ts';

const REBALANCERS = '/apis/apps.karmada.io/v1alpha1/workloadrebalancers';
const DEPLOYMENTS = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`;
const POLICIES = `/apis/policy.karmada.io/v1alpha1/namespaces/${NAMESPACE}/propagationpolicies`;
const NAMES = 30;
/** Of one reference in twenty there is no workload. */
const MISSING = 0.05;

export class Users {
  acts = 0;
  /** Uids of what they deleted. */
  readonly deleted = new Set<string>();
  readonly #hub: SoakHub;
  readonly #random: () => number;
  #failed: string | undefined;

  constructor(hub: SoakHub, random: () => number) {
    this.#hub = hub;
    this.#random = random;
  }

  async begin(): Promise<void> {
    await this.#send('POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE } });
    for (const name of WORKLOADS) {
      const workload = { name, namespace: NAMESPACE, replicas: 1 + this.#below(9) };
      await this.#send('POST', POLICIES, policyOf(workload));
      await this.#send('POST', DEPLOYMENTS, deploymentOf(workload));
    }
  }

  async act(living: readonly Known[]): Promise<void> {
    this.acts += 1;
    const lot = this.#random();
    if (lot < 0.3 || living.length === 0) return this.#create(living);
    const one = living[this.#below(living.length)];
    if (one === undefined) return;
    if (lot < 0.5) return this.#edit(one, { workloads: this.#edited(one.shown.spec.workloads) });
    if (lot < 0.65) return this.#edit(one, { ttlSecondsAfterFinished: this.#ttl() ?? null });
    if (lot < 0.75) return this.#delete(one);
    if (lot < 0.92) return this.#scale();
    return this.#failOrRecover();
  }

  /** All clusters are healthy again, and no user asks for more. */
  end(): void {
    if (this.#failed !== undefined) this.#hub.fleet.recover(this.#failed);
    this.#failed = undefined;
  }

  async #create(living: readonly Known[]): Promise<void> {
    const taken = new Set(living.map(({ name }) => name));
    const free = Array.from({ length: NAMES }, (_, index) => `r${index}`).filter((name) => !taken.has(name));
    const name = free[this.#below(free.length)];
    if (name === undefined) return;
    const size = this.#random() < 0.2 ? 35 : 1 + this.#below(6);
    const workloads = this.#edited(Array.from({ length: size }, () => this.#workload()));
    const ttl = this.#ttl();
    await this.#send('POST', REBALANCERS, {
      apiVersion: 'apps.karmada.io/v1alpha1',
      kind: 'WorkloadRebalancer',
      metadata: { name },
      spec: { workloads, ...(ttl !== undefined && { ttlSecondsAfterFinished: ttl }) },
    });
  }

  /** One is added, one may go, and the order is another. */
  #edited(workloads: readonly ObjectReference[]): readonly ObjectReference[] {
    const kept = this.#random() < 0.5 && workloads.length > 1 ? workloads.slice(1) : workloads;
    const all = [...kept, this.#workload()].reverse();
    return [...new Map(all.map((workload) => [workload.name, workload])).values()];
  }

  async #edit({ name }: Known, spec: object): Promise<void> {
    await this.#send('PATCH', `${REBALANCERS}/${name}`, { spec });
  }

  async #delete({ name, uid }: Known): Promise<void> {
    this.deleted.add(uid);
    // Where it expired this moment, another may have its name now: their delete is of this one alone.
    await this.#send('DELETE', `${REBALANCERS}/${name}`, { preconditions: { uid } });
  }

  async #scale(): Promise<void> {
    const name = WORKLOADS[this.#below(WORKLOADS.length)] ?? '';
    await this.#send('PATCH', `${DEPLOYMENTS}/${name}`, { spec: { replicas: 1 + this.#below(12) } });
  }

  #failOrRecover(): void {
    if (this.#failed !== undefined) return this.end();
    const { memberNames } = this.#hub.fleet;
    this.#failed = memberNames[this.#below(memberNames.length)];
    if (this.#failed !== undefined) this.#hub.fleet.fail(this.#failed);
  }

  #workload(): ObjectReference {
    const name = this.#random() < MISSING ? `gone${this.#below(5)}` : WORKLOADS[this.#below(WORKLOADS.length)];
    return { apiVersion: 'apps/v1', kind: 'Deployment', namespace: NAMESPACE, name: name ?? '' };
  }

  #ttl(): number | undefined {
    const lot = this.#random();
    return lot < 0.3 ? undefined : lot < 0.45 ? 0 : this.#below(120);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  /** 404 and 409 are an answer as well: what was just there may have expired. */
  async #send(method: string, path: string, body: object): Promise<void> {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const { url } = this.#hub.server;
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': type },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok && ![404, 409].includes(answer.status))
      throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  }
}
