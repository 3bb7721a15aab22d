/**
 * What drains of events do to workloads: no more of a workload's replicas leave a cluster than the share of its drains; and no workload with graceful
 * reduction has fewer ready replicas than it wants while nothing but events, policies and rebalances disturbs it.
 */
import type { KubeObject } from '../../../../local/practice-hub/store/objects.ts';
import { DRAIN_TAINT } from '../../../../shared/karmada/member-cluster.ts';
import { DRAINED } from '../../../../shared/workload-rebalancer/drain-share.ts';
import type { System } from '../../system/system.ts';
import { assignedOf } from '../fleet/binding-fields.ts';
import { CAPACITY } from '../fleet/fleet-life.ts';
import { bindingKeyOf, memberNames } from '../fleet/parts.ts';
import type { ScenarioContext } from '../scenario.ts';
import type { Act } from './acts.ts';
import type { EventLife } from './event-life.ts';

/** A move may be written this long after its drain was deleted. */
const LATE_MS = 10 * 60_000;
const graceful = ['web', 'cart'] as const;

interface DrainHistory {
  readonly cluster: string;
  /** The highest that it had. */
  percent: number;
  deletedAt: number;
}

export class MovesOracle {
  readonly #system: System;
  readonly #life: EventLife;
  readonly #context: ScenarioContext;
  /** By uid. */
  readonly #drains = new Map<string, DrainHistory>();
  /** By binding and drain: the replicas before the first move, and how many moved. */
  readonly #moved = new Map<string, { readonly before: number; moved: number }>();
  readonly #taintedSince = new Map<string, number>();
  /** Members that are not as they were in the beginning. */
  readonly #broken = new Map<string, 'failed' | 'full' | 'gone' | 'evicted'>();
  /** Workloads whose replicas were all ready since the last disturbance. */
  readonly #isReady = new Set<string>();

  constructor(system: System, life: EventLife, context: ScenarioContext) {
    this.#system = system;
    this.#life = life;
    this.#context = context;
    system.hub.store.onChange(({ type, plural, object, previous }) => {
      if (plural === 'clusterdrains') this.#onDrain(type === 'DELETED', object);
      if (plural === 'clusters') this.#onTaint(type === 'DELETED', object);
      if (plural !== 'resourcebindings') return;
      if (system.hub.isOurWrite && previous !== undefined) this.#onWrite(object, previous);
      for (const name of graceful) if (object.metadata.name === bindingKeyOf(name).name) this.#checkReady(name);
    });
  }

  /** Before each act. */
  onAct(act: Act): void {
    if (act.do === 'fail') this.#broken.set(act.member, 'failed');
    if (act.do === 'evict') this.#broken.set(act.member, 'evicted');
    if (act.do === 'delete cluster') this.#broken.set(act.member, 'gone');
    if (act.do === 'capacity' && act.slots < CAPACITY) this.#broken.set(act.member, 'full');
    if (act.do === 'scale' || act.do === 'template' || act.do === 'placement') this.#isReady.clear();
    if (this.#broken.size > 0) this.#isReady.clear();
  }

  #onDrain(isDeleted: boolean, { metadata, spec }: KubeObject): void {
    const percent = Number(spec?.percent ?? 100);
    const known = this.#drains.get(metadata.uid) ?? { cluster: String(spec?.cluster), percent, deletedAt: Number.NaN };
    this.#drains.set(metadata.uid, known);
    known.percent = Math.max(known.percent, percent);
    known.deletedAt = isDeleted ? this.#system.clock.now() : Number.POSITIVE_INFINITY;
  }

  #onTaint(isDeleted: boolean, { metadata, spec }: KubeObject): void {
    const taints = (spec?.taints ?? []) as readonly { readonly key: string }[];
    const known = this.#taintedSince.get(metadata.name);
    if (isDeleted || !taints.some(({ key }) => key === DRAIN_TAINT)) this.#taintedSince.delete(metadata.name);
    else if (known === undefined) this.#taintedSince.set(metadata.name, this.#system.clock.now());
  }

  #onWrite(object: KubeObject, previous: KubeObject): void {
    this.#onGain(object, previous);
    const { name, annotations = {} } = object.metadata;
    const now = this.#system.clock.now();
    for (const [cluster, before] of assignedOf(previous)) {
      const leaving = before - (assignedOf(object).get(cluster) ?? 0);
      const drains = [...this.#drains].filter(
        ([, drain]) => drain.cluster === cluster && drain.deletedAt + LATE_MS > now,
      );
      // Without a drain it is no move of one: the oracle of the fleet.
      if (leaving <= 0 || drains.length === 0 || drains.some(([, { percent }]) => percent === 100)) continue;
      // The latest drain is the first in the annotation.
      const mover = drains.find(([uid]) => annotations[DRAINED]?.startsWith(`${uid} `));
      const key = `${name} ${mover?.[0]}`;
      const counted = this.#moved.get(key) ?? { before, moved: 0 };
      this.#moved.set(key, counted);
      counted.moved += leaving;
      if (mover === undefined || counted.moved > Math.ceil((counted.before * mover[1].percent) / 100))
        this.#context.violations.add(
          'no more replicas leave a cluster than the share of its drain',
          `${name} on ${cluster}: ${counted.moved} of ${counted.before}, ${JSON.stringify(drains)} at ${new Date(now).toISOString()}`,
        );
    }
  }

  /** Of replicas that we assign: what a scheduler assigns is its own. */
  #onGain(object: KubeObject, previous: KubeObject): void {
    const now = this.#system.clock.now();
    const before = assignedOf(previous);
    for (const [cluster, replicas] of assignedOf(object)) {
      const since = this.#taintedSince.get(cluster) ?? Number.POSITIVE_INFINITY;
      if (replicas > (before.get(cluster) ?? 0) && since < now - LATE_MS)
        this.#context.violations.add(
          'no drained cluster gets replicas of another',
          `${object.metadata.name}: ${JSON.stringify([...before])} to ${JSON.stringify([...assignedOf(object)])}, ${cluster} is tainted since ${new Date(since).toISOString()}`,
        );
    }
  }

  #checkReady(name: (typeof graceful)[number]): void {
    if (this.#broken.size > 0) return;
    const wanted = Number(this.#system.hub.store.get('deployments', { namespace: 'shop', name })?.spec?.replicas);
    const shares = this.#life.life.fleet.distribution(bindingKeyOf(name));
    const ready = [...shares.values()].reduce((sum, share) => sum + share.ready, 0);
    if (ready >= wanted) this.#isReady.add(name);
    else if (this.#isReady.has(name))
      this.#context.violations.add(
        'a workload with graceful reduction has all of its replicas ready while events move it',
        `${name}: ${ready} of ${wanted}, ${JSON.stringify([...shares])} at ${new Date(this.#system.clock.now()).toISOString()}`,
      );
  }

  /** Every member is as in the beginning again. */
  calm(): void {
    for (const member of memberNames) this.#broken.delete(member);
    this.#isReady.clear();
  }
}
