/** A fleet on a hub with MoveBudgets and ClusterDrains, whose workload `mail` has a PodDisruptionBudget. */
import type { SimulatedFleet } from '../../../../local/practice-hub/fleet.ts';
import { user } from '../../../fakes/practice-fleet.ts';
import type { System } from '../../system/system.ts';
import { FleetLife } from '../fleet/fleet-life.ts';
import { bindingKeyOf, memberNames } from '../fleet/parts.ts';
import type { Act, BudgetName } from './acts.ts';

export interface Limit {
  readonly per: 'Hub' | 'Cluster' | 'Workload';
  readonly replicas: number;
  readonly windowMs?: number;
  readonly reasons?: readonly string[];
}

const MINUTE = 60_000;
/** Of the field `window`. */
const spellings = new Map([[10 * MINUTE, '10m']]);

const budgets: Readonly<Record<BudgetName, readonly Limit[]>> = {
  nothing: [{ per: 'Hub', replicas: 0 }],
  'few on the hub': [{ per: 'Hub', replicas: 4 }],
  'few off each cluster': [{ per: 'Cluster', replicas: 2 }],
  'two of each workload': [{ per: 'Workload', replicas: 2 }],
  'few in ten minutes': [{ per: 'Hub', replicas: 5, windowMs: 10 * MINUTE }],
  'no policy, and few': [
    { per: 'Hub', replicas: 0, reasons: ['Policy'] },
    { per: 'Hub', replicas: 6 },
  ],
  'nothing this hour': [{ per: 'Hub', replicas: 0 }],
};
/** From an hour before the start to two hours after it. */
const THIS_HOUR = { schedule: { cron: '0 9 * * *' }, duration: '3h' };
const THIS_HOUR_ENDS = Date.parse('2026-11-21T12:00:00Z');

/** Has one, of one pod in each member. */
export const PROTECTED = 'mail';
const header = { apiVersion: 'evenkeel.dev/v1alpha1' };
const protectedBinding = { namespace: 'shop', name: `${PROTECTED}-poddisruptionbudget` };

export class BudgetLife {
  readonly fleet: SimulatedFleet;
  readonly life: FleetLife;
  readonly #system: System;
  #limits: { readonly limits: readonly Limit[]; readonly since: number; readonly until: number } | undefined;

  constructor(system: System) {
    this.#system = system;
    this.life = new FleetLife(system);
    this.fleet = this.life.fleet;
    this.#protect();
  }

  /** Those that have applied to every invocation that is running, and still do. */
  limitsSince(from: number, now: number): readonly Limit[] {
    const current = this.#limits;
    return current !== undefined && current.since <= from && now < current.until ? current.limits : [];
  }

  calm(): void {
    this.act({ do: 'delete budget' });
    for (const member of memberNames) this.act({ do: 'end drain', member });
    this.life.calm();
  }

  act(act: Act): void {
    const { store } = this.#system.hub;
    switch (act.do) {
      case 'budget':
        return this.#budget(act.budget);
      case 'delete budget':
        this.#limits = undefined;
        return this.#delete('movebudgets', 'hub');
      case 'drain': {
        if (store.get('clusterdrains', { namespace: '', name: act.member }) !== undefined) return;
        const spec = { cluster: act.member, strategy: { waves: { size: 2, readyWithin: '10m' } } };
        store.create('clusterdrains', { ...header, kind: 'ClusterDrain', metadata: { name: act.member }, spec }, user);
        return;
      }
      case 'end drain':
        return this.#delete('clusterdrains', act.member);
      default:
        return this.life.act(act);
    }
  }

  #budget(name: BudgetName): void {
    const { store, clock } = this.#system.hub;
    this.#delete('movebudgets', 'hub');
    const isTimed = name === 'nothing this hour';
    const limits = budgets[name].map(({ windowMs, replicas, ...limit }) => ({
      ...limit,
      replicas: String(replicas),
      ...(windowMs !== undefined && { window: spellings.get(windowMs) }),
      ...(isTimed && THIS_HOUR),
    }));
    store.create('movebudgets', { ...header, kind: 'MoveBudget', metadata: { name: 'hub' }, spec: { limits } }, user);
    const until = isTimed ? THIS_HOUR_ENDS : Number.POSITIVE_INFINITY;
    this.#limits = { limits: budgets[name], since: clock.now(), until };
  }

  #delete(plural: string, name: string): void {
    const { store } = this.#system.hub;
    const key = { namespace: '', name };
    if (store.get(plural, key) !== undefined) store.delete(plural, key, user);
  }

  /** The members report what it allows with each report of the workload: one pod fewer than are assigned. */
  #protect(): void {
    const { store, clock } = this.#system.hub;
    const metadata = { namespace: 'shop', name: PROTECTED };
    const kind = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' };
    const spec = { maxUnavailable: 1, selector: { matchLabels: { app: PROTECTED } } };
    store.create('poddisruptionbudgets', { ...kind, metadata, spec }, user);
    const binding = { apiVersion: 'work.karmada.io/v1alpha2', kind: 'ResourceBinding', metadata: protectedBinding };
    store.create('resourcebindings', { ...binding, spec: { resource: { ...kind, ...metadata } } }, user);
    store.onChange(({ plural, object }) => {
      if (plural !== 'resourcebindings' || object.metadata.name !== bindingKeyOf(PROTECTED).name) return;
      clock.after(0, () => this.#reportAllowed());
    });
  }

  #reportAllowed(): void {
    const { store } = this.#system.hub;
    const aggregatedStatus = [...this.fleet.distribution(bindingKeyOf(PROTECTED))].map(
      ([clusterName, { assigned, ready }]) => {
        const desiredHealthy = Math.max(0, assigned - 1);
        const disruptionsAllowed = Math.max(0, ready - desiredHealthy);
        return { clusterName, applied: true, status: { disruptionsAllowed, desiredHealthy, expectedPods: assigned } };
      },
    );
    const before = store.get('resourcebindings', protectedBinding)?.status?.aggregatedStatus;
    if (JSON.stringify(before) === JSON.stringify(aggregatedStatus)) return;
    const patch = { type: 'merge', body: { status: { aggregatedStatus } }, subresource: 'status' } as const;
    store.patch('resourcebindings', protectedBinding, patch, user);
  }
}
