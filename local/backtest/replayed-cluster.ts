/** A cluster of a recorded hub in a backtest: as it was recorded, with the replicas of the backtest in place of the recorded ones. */
import { type Instant, SECOND } from '../../shared/core/time.ts';
import { availableReplicas } from '../../shared/karmada/assignment/available-replicas.ts';
import type { ResourceSummary, ServedKinds } from '../../shared/karmada/assignment/cluster.ts';
import { amountOf, type Quantities } from '../../shared/karmada/assignment/quantity.ts';
import { type Member, parseMember } from '../../shared/karmada/member-cluster.ts';
import type { RecordedObject } from '../recording/recorded-object.ts';
import { addReplicas, type ClusterTally } from './cluster-tally.ts';

export class ReplayedCluster {
  recorded: RecordedObject = { apiVersion: '', kind: '', metadata: { name: '' } };
  readonly #tally: ClusterTally;
  readonly #apis: readonly ServedKinds[];
  readonly #now: () => Instant;
  #parsed: Member | undefined;
  #member: Member | undefined;
  /** What others than the recorded bindings take, by resource. */
  #others = new Map<string, number>();
  /** What replicas of the backtest take: those that run, and all that are assigned. */
  readonly #running = new Map<string, number>();
  readonly #assigned = new Map<string, number>();
  #since: Instant | undefined;
  #object: object = {};
  /** The member of which it is. */
  #objectOf: Member | undefined;

  constructor(tally: ClusterTally, apis: readonly ServedKinds[], now: () => Instant) {
    this.#tally = tally;
    this.#apis = apis;
    this.#now = now;
  }

  get name(): string {
    return this.recorded.metadata.name;
  }

  get ready(): boolean {
    return this.member.ready;
  }

  put(object: RecordedObject): void {
    this.countHours();
    this.recorded = object;
    this.#parsed = parseMember({ ...object, metadata: { ...object.metadata, resourceVersion: '0' } });
    this.#member = undefined;
  }

  /** What the cluster reports as allocated includes the recorded replicas that it runs then. */
  observe(): void {
    const { allocatable = {}, allocated, allocating } = this.#reported;
    this.#others = new Map(
      Object.keys(allocatable ?? {}).map((resource) => {
        const taken = amountOf(resource, allocated) + amountOf(resource, allocating);
        return [resource, Math.max(0, taken - (this.#tally.recorded.get(resource) ?? 0))];
      }),
    );
    this.#member = undefined;
  }

  /** Replicas of the backtest start or end here. */
  use(request: Quantities | undefined, running: number, assigned = 0): void {
    this.countHours();
    addReplicas(this.#running, request, running);
    addReplicas(this.#assigned, request, assigned);
    if (assigned !== 0) this.#member = undefined;
  }

  /** How many more replicas can start. */
  fitting(request: Quantities | undefined): number {
    return availableReplicas({ summary: this.#summary(this.#running), request });
  }

  get member(): Member {
    if (this.#parsed === undefined) throw new Error('a cluster is read before it is recorded');
    const { cluster, ...rest } = this.#parsed;
    this.#member ??= {
      ...rest,
      cluster: { ...cluster, apis: this.#apis, resourceSummary: this.#summary(this.#assigned) },
    };
    return this.#member;
  }

  /** As the API server would send it; the same one until it changes, so that it is parsed once. */
  get object(): object {
    if (this.#objectOf === this.member) return this.#object;
    const { metadata, status } = this.recorded;
    const apiEnablements = this.#apis.map(({ groupVersion, kinds }) => ({
      groupVersion,
      resources: kinds.map((kind) => ({ name: kind.toLowerCase(), kind })),
    }));
    const { resourceSummary } = this.member.cluster;
    this.#objectOf = this.member;
    this.#object = { ...this.recorded, metadata, status: { ...status, apiEnablements, resourceSummary } };
    return this.#object;
  }

  /** Counts the hours of its replicas until now, at its price until now. */
  countHours(): void {
    const now = this.#now();
    const hours = (now - (this.#since ?? now)) / (3600 * SECOND);
    const { price } = this.#parsed ?? {};
    this.#tally.replicaHours += (this.#assigned.get('pods') ?? 0) * hours;
    const coreHours = ((this.#assigned.get('cpu') ?? 0) / 1000) * hours;
    if (price !== undefined) this.#tally.cost = (this.#tally.cost ?? 0) + coreHours * price;
    this.#since = now;
  }

  get #reported(): ResourceSummary {
    return this.#parsed?.cluster.resourceSummary ?? {};
  }

  #summary(own: ReadonlyMap<string, number>): ResourceSummary {
    const { allocatable } = this.#reported;
    const allocated = Object.keys(allocatable ?? {}).map((resource) => {
      const amount = (this.#others.get(resource) ?? 0) + (own.get(resource) ?? 0);
      return [resource, resource === 'cpu' ? `${amount}m` : String(amount)] as const;
    });
    return { allocatable, allocated: Object.fromEntries(allocated) };
  }
}
