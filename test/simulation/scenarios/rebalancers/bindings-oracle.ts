/** The promises of proposals 000/001 about bindings: triggers are written at most as often as requested, and each is followed by a rescheduling. */
import type { KubeObject } from '../../../../local/practice-hub/store/objects.ts';
import type { SimulatedHub } from '../../system/simulated-hub.ts';
import type { Violations } from '../../violations.ts';
import { type HubLife, isBindingOf } from './hub-life.ts';
import { timeOf } from './shown.ts';
import { workloadNames } from './workloads.ts';

/** A period in which a binding existed. */
interface Presence {
  readonly from: number;
  until?: number;
}

export interface Assumed {
  readonly rebalancer: string;
  readonly workload: string;
  readonly since: number;
}

export class BindingsOracle {
  readonly #hub: SimulatedHub;
  readonly #life: HubLife;
  readonly #violations: Violations;
  readonly #presence = new Map<string, Presence[]>();
  /** By workload: when the functions wrote triggers, and the number of requests. */
  readonly #triggers = new Map<string, number[]>();
  readonly #requests = new Map<string, number>();
  /** By workload: when a user overwrote a trigger with an older one; the scheduler may never have seen the newer one. */
  readonly #overwritten = new Map<string, number>();
  readonly #assumed: Assumed[] = [];

  constructor(hub: SimulatedHub, life: HubLife, violations: Violations) {
    this.#hub = hub;
    this.#life = life;
    this.#violations = violations;
    for (const name of workloadNames) this.#presence.set(name, [{ from: hub.clock.now() }]);
    hub.store.onChange(({ type, plural, object, previous }) => {
      const name = workloadNames.find((each) => isBindingOf(each, plural, object));
      if (name !== undefined) this.#onBinding(name, type, object, previous);
    });
  }

  requested(workload: string): void {
    this.#requests.set(workload, (this.#requests.get(workload) ?? 0) + 1);
  }

  /** A status reported it as Successful. */
  assumed(promise: Assumed): void {
    this.#assumed.push(promise);
  }

  wasTriggeredSince(workload: string, since: number): boolean {
    return (this.#triggers.get(workload)?.at(-1) ?? Number.NEGATIVE_INFINITY) >= since;
  }

  /** Whether it was absent at any time since then. */
  wasAwaySince(workload: string, since: number): boolean {
    const now = this.#hub.clock.now();
    return !(this.#presence.get(workload) ?? []).some(
      ({ from, until = Number.POSITIVE_INFINITY }) => from < since && until > now,
    );
  }

  /** The final result of a request of that time; undefined if it depends on timing. */
  expected(workload: string, since: number): 'Successful' | 'Failed' | undefined {
    const presence = (this.#presence.get(workload) ?? []).filter(
      ({ until = Number.POSITIVE_INFINITY }) => until >= since,
    );
    const [only, ...others] = presence;
    if (only === undefined) return 'Failed';
    return others.length === 0 && only.until === undefined && only.from < since ? 'Successful' : undefined;
  }

  atRest(skewMs: number): void {
    for (const promise of this.#assumed) this.#rescheduled(promise);
    // The scheduler records when it acted; on a trigger that is ahead of its clock it acts again with the next change. If its clock is
    // behind that of the API server, even the requested time is ahead.
    const isLate = this.#life.schedulerAheadMs < 0;
    const early = this.#life.fresh.find(
      ({ noted, trigger, isAlways }) => !isLate && !isAlways && trigger - noted > skewMs,
    );
    if (early !== undefined)
      this.#violations.add(
        'no trigger is written for a future time',
        `${early.workload}: ${timeOf(early.trigger)} acted on at ${timeOf(early.at)}`,
      );
  }

  #onBinding(name: string, type: string, object: KubeObject, previous: KubeObject | undefined): void {
    const now = this.#hub.clock.now();
    const presence = this.#presence.get(name) ?? [];
    if (type === 'ADDED') presence.push({ from: now });
    const last = presence.at(-1);
    if (type === 'DELETED' && last) last.until = now;
    const [before, after] = [previous, object].map((each) => each?.spec?.rescheduleTriggeredAt as string | undefined);
    if (type !== 'MODIFIED' || before === after) return;
    if (!this.#hub.isOurWrite) {
      const isLost = this.#hub.isRestoring || (before !== undefined && after !== undefined && after < before);
      if (isLost) this.#overwritten.set(name, now);
      return;
    }
    const detail = `${name}: ${before ?? 'none'} to ${after ?? 'none'} at ${timeOf(now)}`;
    if (after === undefined || (before !== undefined && after < before))
      this.#violations.add('a trigger never goes backwards', detail);
    const triggers = [...(this.#triggers.get(name) ?? []), now];
    this.#triggers.set(name, triggers);
    const count = triggers.length;
    // A lost table or a recreated binding may lead to another trigger.
    const again = this.#hub.system.tablesLost * 3 + presence.length - 1;
    if (count > (this.#requests.get(name) ?? 0) + again)
      this.#violations.add(
        'a binding is triggered at most as often as requested',
        `${detail}: ${count} triggers for ${this.#requests.get(name) ?? 0} requests`,
      );
  }

  #rescheduled({ rebalancer, workload, since }: Assumed): void {
    const last = this.#presence.get(workload)?.at(-1);
    if (last === undefined || last.until !== undefined || last.from > since) return;
    if ((this.#overwritten.get(workload) ?? Number.NEGATIVE_INFINITY) >= since) return;
    if (!this.#life.fresh.some((fresh) => fresh.workload === workload && fresh.at >= since))
      this.#violations.add(
        'every Successful workload was rescheduled after the request',
        `${rebalancer}: ${workload}, requested ${timeOf(since)}`,
      );
    if (this.#life.isPending(workload)) this.#violations.add('no trigger is pending in the end', workload);
  }
}
