/**
 * The promises of docs/guides/external-events.md. At each write: a ClusterDrain of events is only for a cluster that an event concerns and a policy that chooses it,
 * for no more than its share, and for no longer than its limit; a suspended policy begins none. And once the hub is calm: no drain and no taint outlives
 * its events, and no event is lost. What a function acted on may be as old as its invocation, or as an old list that it got.
 */
import type { KubeObject } from '../../../../local/practice-hub/store/objects.ts';
import { DRAIN_TAINT } from '../../../../shared/karmada/member-cluster.ts';
import { FOR_EVENTS } from '../../../../shared/rebalance-policy/cluster-drain.ts';
import type { System } from '../../system/system.ts';
import { memberNames } from '../fleet/parts.ts';
import type { ScenarioContext } from '../scenario.ts';
import type { EventLife } from './event-life.ts';
import { type Claim, mayActUntil, mustAct, percentOf } from './incidents.ts';
import type { KnownPolicies, PolicyHistory, PolicyVersion } from './known-policies.ts';

const SECOND = 1000;
const MINUTE = 60_000;
/** Longer than an invocation takes from its first read to its last write. */
const INVOCATION_MS = 3 * MINUTE;
/** The longest time from the arrival of an event to its row, with all retries; those that take longer are dead letters. */
const HANDLED_MS = 60 * MINUTE;
/** The same from a change to all that follows from it, without faults: resync finds it if its event was lost. */
const CALM_MS = 20 * MINUTE;

interface Window {
  readonly from: number;
  readonly to: number;
  readonly handledMs: number;
}

export class DrainsOracle {
  readonly #system: System;
  readonly #life: EventLife;
  readonly #context: ScenarioContext;
  readonly #known: KnownPolicies;
  /** By uid of a drain: since when events may count for its share. */
  readonly #since = new Map<string, number>();
  /** By cluster: when its last drain was deleted. */
  readonly #deletedAt = new Map<string, number>();
  #calmAt = Number.POSITIVE_INFINITY;

  constructor(
    system: System,
    life: EventLife,
    { known, ...context }: ScenarioContext & { readonly known: KnownPolicies },
  ) {
    this.#system = system;
    this.#life = life;
    this.#known = known;
    this.#context = context;
    system.hub.store.onChange((change) => {
      if (change.plural !== 'clusterdrains') return;
      const { type, object, previous } = change;
      if (type === 'DELETED') this.#deletedAt.set(clusterOf(object), system.clock.now());
      else if (system.hub.isOurWrite) this.#onDrain(object, previous);
    });
  }

  /** From when a function may have read what it decides on now. */
  #window(): Window {
    const to = this.#system.clock.now();
    const from = to - INVOCATION_MS - this.#context.skewMs;
    const old = this.#system.hub.oldAnswers.filter(({ at }) => at >= from).map(({ asOf }) => asOf);
    return { from: Math.min(from, ...old), to: to + this.#context.skewMs, handledMs: HANDLED_MS };
  }

  #onDrain(object: KubeObject, previous: KubeObject | undefined): void {
    const { percent, until } = specOf(object);
    const before = previous && specOf(previous);
    if (before?.percent === percent && before.until === until) return;
    const { uid } = object.metadata;
    const cluster = clusterOf(object);
    const window = this.#window();
    const versions = this.#known.byUid.get(policyOf(object))?.versions.during(window.from, window.to) ?? [];
    const detail = `${object.metadata.name} ${percent} % until ${until} at ${new Date(window.to).toISOString()}`;
    if (versions.every((version) => version?.isSuspended ?? true))
      this.#context.violations.add('only a policy that is not suspended drains', detail);
    const all = this.#claims(versions, cluster, window);
    const active = all.filter((claim) => mayActUntil(claim, window) !== undefined);
    if (active.length === 0)
      return this.#context.violations.add(
        'a drain is of an event that concerns its cluster and that its policy chooses',
        detail,
      );
    const longest = Math.max(...active.map((claim) => mayActUntil(claim, window) ?? 0));
    if (Date.parse(until) > longest + SECOND + this.#context.skewMs)
      this.#context.violations.add('no drain is for longer than its events and their limit', detail);
    const since = this.#since.get(uid) ?? earliestOf(active);
    this.#since.set(uid, since);
    // Nodes that went away since it began count also if their events are over.
    const gone = all.filter(({ incident }) => incident.place.instance && earliestOf([{ incident }]) >= since);
    if (percent > Math.max(before?.percent ?? 0, percentOf([...active, ...gone])))
      this.#context.violations.add('no drain is of more than the share that its events name', detail);
  }

  #claims(
    versions: readonly (PolicyVersion | undefined)[],
    name: string,
    window: Pick<Window, 'from' | 'to'>,
  ): readonly Claim[] {
    return this.#known.claims(versions, name, window).filter(({ entry }) => entry.action !== 'Rebalance');
  }

  calm(): void {
    this.#calmAt = this.#system.clock.now();
  }

  /** Compares the drains and taints with the events; before the hub has been calm for long enough it does nothing. */
  check(): void {
    const now = this.#system.clock.now();
    if (now < this.#calmAt + CALM_MS) return;
    for (const drain of this.#drains()) this.#checkNeeded(drain, now);
    for (const [uid, { name, versions }] of this.#known.byUid)
      for (const member of memberNames) this.#checkDrained({ uid, name, versions }, member, now);
    for (const member of memberNames) this.#checkTaint(member, now);
  }

  #drains(): readonly KubeObject[] {
    return this.#system.hub.store.list('clusterdrains').filter(({ metadata }) => metadata.annotations?.[FOR_EVENTS]);
  }

  #checkNeeded(drain: KubeObject, now: number): void {
    const window = { from: now - CALM_MS, to: now, handledMs: 0 };
    const versions = this.#known.byUid.get(policyOf(drain))?.versions.during(window.from, now) ?? [];
    const claims = this.#claims(versions, clusterOf(drain), window);
    if (!claims.some((claim) => mayActUntil(claim, window) !== undefined))
      this.#context.violations.add(
        'no drain outlives its events, their limit and its policy',
        `${JSON.stringify(drain.spec)} at ${new Date(now).toISOString()}`,
      );
  }

  #checkDrained(
    { uid, name, versions }: Omit<PolicyHistory, 'createdAt'> & { uid: string },
    member: string,
    now: number,
  ): void {
    const knownAt = now - CALM_MS;
    const [version, place] = [versions.last, this.#life.places.get(member)?.last];
    if (version?.value === undefined || version.value.isSuspended || version.since > knownAt) return;
    if (place?.value === undefined || place.since > knownAt) return;
    const claims = this.#claims([version.value], member, { from: now, to: now });
    const must = claims.filter((claim) => mustAct(claim, knownAt, now));
    if (must.length === 0) return;
    const drain = this.#drains().find((each) => clusterOf(each) === member && policyOf(each) === uid);
    const detail = `${name} on ${member} at ${new Date(now).toISOString()}: ${JSON.stringify(must.map(({ incident }) => incident))}`;
    if (drain === undefined || !this.#isTainted(member))
      this.#context.violations.add('every event of a policy leads to its drain', detail);
    else if (specOf(drain).percent < percentOf(must) || Date.parse(specOf(drain).until) < now)
      this.#context.violations.add(
        'a drain is of the whole share that its events name',
        `${JSON.stringify(drain.spec)}: ${detail}`,
      );
  }

  #isTainted(member: string): boolean {
    const taints = this.#system.hub.store.get('clusters', { namespace: '', name: member })?.spec?.taints ?? [];
    return (taints as readonly { readonly key: string }[]).some(({ key }) => key === DRAIN_TAINT);
  }

  #checkTaint(member: string, now: number): void {
    const isDrained = this.#drains().some((drain) => clusterOf(drain) === member);
    if (isDrained || !this.#isTainted(member)) return;
    if ((this.#deletedAt.get(member) ?? 0) < now - CALM_MS)
      this.#context.violations.add('no taint outlives its drain', `${member} at ${new Date(now).toISOString()}`);
  }
}

/** The uid of its policy. */
function policyOf({ metadata }: KubeObject): string {
  const { policy = '' } = JSON.parse(metadata.annotations?.[FOR_EVENTS] ?? '{}') as { readonly policy?: string };
  return policy;
}

function clusterOf({ spec }: KubeObject): string {
  return String(spec?.cluster);
}

function specOf({ spec }: KubeObject): { readonly percent: number; readonly until: string } {
  const { percent = 100, until = '' } = (spec ?? {}) as { readonly percent?: number; readonly until?: string };
  return { percent, until };
}

function earliestOf(claims: readonly Pick<Claim, 'incident'>[]): number {
  return Math.min(
    ...claims.flatMap(({ incident }) => incident.reports.filter(({ isEnd }) => !isEnd).map(({ time }) => time)),
  );
}
