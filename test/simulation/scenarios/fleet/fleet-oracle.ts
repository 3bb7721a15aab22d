/**
 * The promises of proposals 003 and 004, at each of our writes and in the end: no hold is released before its replacement is ready or its
 * grace period is over, no ready replica is evicted, only workloads with a rescheduling policy are, and in the end all replicas are assigned and ready without holds.
 */
import type { KubeObject } from '../../../../local/practice-hub/store/objects.ts';
import type { System } from '../../system/system.ts';
import type { Violations } from '../../violations.ts';
import { assignedOf, type Held, queueOf, readyOf } from './binding-fields.ts';
import type { FleetLife } from './fleet-life.ts';
import { bindingKeyOf, policyAnnotations, workloadNames } from './parts.ts';

const DEFAULT_GRACE_MS = 600_000;
/** A recorded decision is carried out by a later delivery, although an estimator reports less by then. */
const DECIDED_MS = 15 * 60_000;
/** Longer than an invocation takes. */
const INVOCATION_MS = 180_000;

export class FleetOracle {
  readonly #system: System;
  readonly #life: FleetLife;
  readonly #violations: Violations;
  readonly #skewMs: number;
  /** By name of a ClusterDrain: its cluster, and until when its moves may be written. */
  readonly #drains = new Map<string, { readonly cluster: string; readonly until: number }>();

  constructor(system: System, life: FleetLife, { violations, skewMs }: { violations: Violations; skewMs: number }) {
    this.#system = system;
    this.#life = life;
    this.#violations = violations;
    this.#skewMs = skewMs;
    system.hub.store.onChange(({ type, plural, object, previous }) => {
      if (plural === 'clusterdrains')
        this.#drains.set(object.metadata.name, {
          cluster: String(object.spec?.cluster),
          until: type === 'DELETED' ? system.clock.now() + INVOCATION_MS : Number.POSITIVE_INFINITY,
        });
      if (plural !== 'resourcebindings' || !system.hub.isOurWrite || previous === undefined) return;
      this.#onRelease(object, previous);
      this.#onEviction(object, previous);
    });
  }

  #onRelease(object: KubeObject, previous: KubeObject): void {
    for (const [cluster, held] of queueOf(previous)) {
      if (queueOf(object).has(cluster) || this.#isGone(cluster)) continue;
      const others = [...assignedOf(object)].filter(([name]) => name !== cluster);
      const waiting = others.filter(([name, replicas]) => (readyOf(previous).get(name) ?? 0) < replicas);
      const isBack = (assignedOf(object).get(cluster) ?? 0) >= (held.replicas ?? 0);
      if (waiting.length > 0 && !isBack && !this.#isGraceOver(held))
        this.#violations.add(
          'no hold is released before its replacement is ready',
          `${object.metadata.name}: ${cluster} ${JSON.stringify(held)}, waiting for ${waiting.join(' ')} at ${new Date(this.#system.clock.now()).toISOString()}`,
        );
    }
  }

  #isGone(cluster: string): boolean {
    return this.#system.hub.store.get('clusters', { namespace: '', name: cluster }) === undefined;
  }

  #isGraceOver({ creationTimestamp, gracePeriodSeconds }: Held): boolean {
    const grace = gracePeriodSeconds === undefined ? DEFAULT_GRACE_MS : gracePeriodSeconds * 1000;
    return (
      creationTimestamp !== undefined &&
      Date.parse(creationTimestamp) + grace <= this.#system.clock.now() + this.#skewMs
    );
  }

  #onEviction(object: KubeObject, previous: KubeObject): void {
    const name = workloadNames.find((each) => bindingKeyOf(each).name === object.metadata.name);
    const before = assignedOf(previous);
    const after = assignedOf(object);
    const taken = [...before].filter(
      ([cluster, replicas]) => (after.get(cluster) ?? 0) < replicas && !this.#isDrained(cluster),
    );
    if (taken.length === 0 || name === undefined) return;
    const detail = `${name}: ${JSON.stringify([...before])} to ${JSON.stringify([...after])}`;
    if (!('evenkeel.dev/rescheduling-policy' in policyAnnotations[name]))
      this.#violations.add('only workloads with a rescheduling policy are descheduled', detail);
    for (const [cluster, replicas] of taken) {
      const pending = this.#life.fleet.unschedulable(cluster, bindingKeyOf(name), 0) ?? 0;
      if (
        replicas - (after.get(cluster) ?? 0) >
        Math.max(pending, this.#system.mostUnschedulable(name, cluster, DECIDED_MS))
      )
        this.#violations.add('no schedulable replica is evicted', `${detail}: ${pending} pending on ${cluster}`);
      if ((after.get(cluster) ?? 0) < (readyOf(previous).get(cluster) ?? 0))
        this.#violations.add('no ready replica is evicted', `${detail}, ready ${readyOf(previous).get(cluster)}`);
    }
  }

  #isDrained(cluster: string): boolean {
    const now = this.#system.clock.now();
    return [...this.#drains.values()].some((drain) => drain.cluster === cluster && drain.until >= now);
  }

  atRest(): void {
    for (const name of workloadNames) this.#workloadAtRest(name);
  }

  #workloadAtRest(name: string): void {
    const { store } = this.#system.hub;
    const binding = store.get('resourcebindings', bindingKeyOf(name));
    const wanted = Number(store.get('deployments', { namespace: 'shop', name })?.spec?.replicas);
    if (binding === undefined) return;
    const assigned = [...assignedOf(binding).values()].reduce((sum, replicas) => sum + replicas, 0);
    const shares = this.#life.fleet.distribution(bindingKeyOf(name));
    const detail = `${name}: ${wanted} wanted, ${JSON.stringify([...shares])}`;
    if (queueOf(binding).size > 0)
      this.#violations.add('no hold remains in the end', `${detail}: ${JSON.stringify([...queueOf(binding)])}`);
    if (assigned !== wanted) this.#violations.add('every replica is assigned in the end', detail);
    if ([...shares.values()].some(({ assigned: here, ready }) => here !== ready))
      this.#violations.add('exactly the assigned replicas are ready in the end', detail);
  }
}
