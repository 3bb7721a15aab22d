/** The hub beside the functions: its scheduler, its hook and its users. */
import type { KubeObject } from '../../../../local/practice-hub/store/objects.ts';
import { fromTimestamp, toTimestamp } from '../../../../shared/core/time.ts';
import { bindingKey, bindingResource } from '../../../../shared/karmada/binding.ts';
import type { ObjectKey } from '../../../../shared/kubernetes/object-key.ts';
import { rebalanceSpec, workloadRebalancers } from '../../../../shared/workload-rebalancer/workload-rebalancer.ts';
import type { SimulatedHub } from '../../system/simulated-hub.ts';
import { doCommon } from '../common-acts.ts';
import type { Act } from './acts.ts';
import { workload, workloadNames } from './workloads.ts';

const user = { username: 'alice', manager: 'kubectl' };
const scheduler = { username: 'karmada-scheduler', manager: 'karmada-scheduler' };
/** The maximum delay of the scheduler. */
const SCHEDULING_MS = 2500;

/** Marks a rebalancer that a user edited just before a write. */
const ONCE = 'example.com/once';

/** How far the scheduler's clock is ahead, in ms: one value per history, mostly 0. */
const SCHEDULER_CLOCKS = [0, 0, 0, 10_000, -10_000, 3_600_000, -3_600_000] as const;

const dynamicWeight = {
  replicaSchedulingType: 'Divided',
  replicaDivisionPreference: 'Weighted',
  weightPreference: { dynamicWeight: 'AvailableReplicas' },
};

/** A Fresh scheduling, as a rebalancer requests it. */
export interface Fresh {
  readonly workload: string;
  readonly at: number;
  /** The trigger, and the time by the scheduler's clock. */
  readonly trigger: number;
  readonly noted: number;
  /** Whether every change causes a Fresh scheduling, so that the time of the trigger does not matter. */
  readonly isAlways: boolean;
}

export class HubLife {
  readonly #hub: SimulatedHub;
  readonly fresh: Fresh[] = [];
  isSchedulerUp = true;
  readonly schedulerAheadMs: number;

  constructor(hub: SimulatedHub) {
    this.#hub = hub;
    this.schedulerAheadMs = hub.random.pick("the scheduler's clock", SCHEDULER_CLOCKS);
    for (const name of ['shop', 'bank']) hub.store.create('namespaces', { metadata: { name } }, user);
    for (const name of workloadNames) this.act({ do: 'bind', workload: name });
    hub.hook.reportFor({});
    hub.writeFirst = (plural, object) => this.#editFirst(plural, object);
    hub.store.onChange(({ plural, object }) => this.#onChange(plural, object));
  }

  calm(): void {
    this.act({ do: 'scheduler up' });
  }

  act(act: Act): void {
    const { store } = this.#hub;
    switch (act.do) {
      case 'create': {
        const { group, version, kind } = workloadRebalancers;
        const spec = rebalanceSpec(act.workloads.map(workload), act.ttl);
        const object = { apiVersion: `${group}/${version}`, kind, metadata: { name: act.name }, spec };
        store.create('workloadrebalancers', object, user);
        return;
      }
      case 'edit list':
        return this.#edit(act.name, { spec: rebalanceSpec(act.workloads.map(workload), undefined) });
      case 'edit ttl':
        return this.#edit(act.name, { spec: { ttlSecondsAfterFinished: act.ttl } });
      case 'label':
        return this.#edit(act.name, { metadata: { labels: { revision: String(store.revision()) } } });
      case 'delete':
        store.delete('workloadrebalancers', { namespace: '', name: act.name }, user);
        return;
      case 'bind':
        return this.#bind(act.workload);
      case 'unbind': {
        const { plural, key } = bindingOf(act.workload);
        store.delete(plural, key, scheduler);
        return;
      }
      case 'schedule':
        return this.#schedule(act.workload);
      case 'trigger': {
        const { plural, key } = bindingOf(act.workload);
        const body = { spec: { rescheduleTriggeredAt: toTimestamp(this.#hub.clock.now()) } };
        store.patch(plural, key, { type: 'merge', body }, user);
        return;
      }
      case 'scheduler down':
        this.isSchedulerUp = false;
        return;
      case 'scheduler up':
        this.isSchedulerUp = true;
        for (const name of workloadNames) this.#enqueue(name);
        return;
      default:
        return doCommon(this.#hub, act);
    }
  }

  #edit(name: string, body: object): void {
    this.#hub.store.patch('workloadrebalancers', { namespace: '', name }, { type: 'merge', body }, user);
  }

  #bind(name: string): void {
    const reference = workload(name);
    const { group, version, kind, plural } = bindingResource(reference);
    const { key } = bindingOf(name);
    const metadata = { name: key.name, ...(key.namespace !== '' && { namespace: key.namespace }) };
    const object = {
      apiVersion: `${group}/${version}`,
      kind,
      metadata,
      spec: { resource: reference, ...specOf(name) },
    };
    this.#hub.store.create(plural, object, scheduler);
    this.#schedule(name);
  }

  #onChange(plural: string, object: KubeObject): void {
    const name = workloadNames.find((each) => isBindingOf(each, plural, object));
    if (name !== undefined) this.#enqueue(name);
  }

  #enqueue(name: string): void {
    const { random, clock, store } = this.#hub;
    if (!this.#isUnobserved(name)) return;
    const ms = random.of(`scheduling ${name} ${store.revision()}`) * SCHEDULING_MS;
    clock.after(ms, () => {
      if (this.isSchedulerUp && this.#isUnobserved(name)) this.#reconcile(name);
    });
  }

  /** Whether there is a generation that the scheduler has not observed, as in karmada-scheduler. */
  #isUnobserved(name: string): boolean {
    const { plural, key } = bindingOf(name);
    const object = this.#hub.store.get(plural, key);
    return object !== undefined && object.status?.schedulerObservedGeneration !== object.metadata.generation;
  }

  #reconcile(name: string): void {
    if (this.isTriggered(name) || isAlways(name)) return this.#schedule(name);
    this.#patchStatus(name, {});
  }

  /** Karmada's condition for acting on a trigger. */
  isTriggered(name: string): boolean {
    const { trigger, scheduled } = this.#times(name);
    return trigger !== undefined && (scheduled === undefined || trigger > scheduled);
  }

  /** Whether the scheduler has yet to act on the trigger. */
  isPending(name: string): boolean {
    return this.isTriggered(name) && this.#isUnobserved(name);
  }

  #schedule(name: string): void {
    const at = this.#hub.clock.now();
    const noted = at + this.schedulerAheadMs;
    const { trigger } = this.#times(name);
    if (trigger !== undefined && (this.isTriggered(name) || isAlways(name)))
      this.fresh.push({ workload: name, at, trigger, noted, isAlways: isAlways(name) });
    this.#patchStatus(name, { lastScheduledTime: toTimestamp(noted) });
  }

  #patchStatus(name: string, times: object): void {
    const { plural, key } = bindingOf(name);
    const { store } = this.#hub;
    const schedulerObservedGeneration = store.get(plural, key)?.metadata.generation;
    const body = { status: { ...times, schedulerObservedGeneration } };
    store.patch(plural, key, { type: 'merge', body, subresource: 'status' }, scheduler);
  }

  #times(name: string): { readonly trigger: number | undefined; readonly scheduled: number | undefined } {
    const { plural, key } = bindingOf(name);
    const object = this.#hub.store.get(plural, key);
    const time = (value: unknown) => (typeof value === 'string' ? fromTimestamp(value) : undefined);
    return { trigger: time(object?.spec?.rescheduleTriggeredAt), scheduled: time(object?.status?.lastScheduledTime) };
  }

  /** A user edits the rebalancer just before a write; returns false if not. Once per rebalancer, because an edit at each write would never let it finish. */
  #editFirst(plural: string, { metadata }: KubeObject): boolean {
    if (plural !== 'workloadrebalancers' || metadata.labels?.[ONCE] !== undefined) return false;
    const { random } = this.#hub;
    const turn = `${metadata.name} ${metadata.generation}`;
    const edits: readonly [object, ...object[]] = [
      { spec: { ttlSecondsAfterFinished: null } },
      { spec: rebalanceSpec([workload(random.pick(`adds ${turn}`, workloadNames)), workload('api')], undefined) },
      {},
    ];
    this.#edit(metadata.name, { ...random.pick(`edits ${turn}`, edits), metadata: { labels: { [ONCE]: 'edited' } } });
    return true;
  }
}

/** Namespaced workloads are divided by dynamic weight; cluster-scoped ones have no replicas. */
function specOf(name: string): object {
  return isAlways(name) ? { placement: {} } : { replicas: 3, placement: { replicaScheduling: dynamicWeight } };
}

function isAlways(name: string): boolean {
  return workload(name).namespace === '';
}

function bindingOf(name: string): { readonly plural: string; readonly key: ObjectKey } {
  const reference = workload(name);
  return { plural: bindingResource(reference).plural, key: bindingKey(reference) };
}

export function isBindingOf(name: string, plural: string, { metadata }: KubeObject): boolean {
  const { plural: its, key } = bindingOf(name);
  return its === plural && key.name === metadata.name && key.namespace === (metadata.namespace ?? '');
}
