/** What proposals 000/001 promise of bindings: triggers are written as often as somebody asked, and a rescheduling follows each. */
import type { KubeObject } from '../../../../local/practice-hub/store/objects.ts';
import type { System } from '../../system/system.ts';
import type { Violations } from '../../violations.ts';
import { type HubLife, isBindingOf } from './hub-life.ts';
import { timeOf } from './shown.ts';
import { workloadNames } from './workloads.ts';

/** A period in which a binding was there. */
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
  readonly #system: System;
  readonly #life: HubLife;
  readonly #violations: Violations;
  readonly #presence = new Map<string, Presence[]>();
  /** When the functions wrote a trigger, by workload; and how often anybody asked for one. */
  readonly #triggers = new Map<string, number[]>();
  readonly #asked = new Map<string, number>();
  /** When a person wrote an older trigger over one that was there, by workload: the scheduler may never have seen that one. */
  readonly #takenBack = new Map<string, number>();
  readonly #assumed: Assumed[] = [];

  constructor(system: System, life: HubLife, violations: Violations) {
    this.#system = system;
    this.#life = life;
    this.#violations = violations;
    for (const name of workloadNames) this.#presence.set(name, [{ from: system.clock.now() }]);
    system.store.onChange(({ type, plural, object, previous }) => {
      const name = workloadNames.find((each) => isBindingOf(each, plural, object));
      if (name !== undefined) this.#onBinding(name, type, object, previous);
    });
  }

  asked(workload: string): void {
    this.#asked.set(workload, (this.#asked.get(workload) ?? 0) + 1);
  }

  /** Somebody was told that it is Successful. */
  assumed(promise: Assumed): void {
    this.#assumed.push(promise);
  }

  wasTriggeredSince(workload: string, since: number): boolean {
    return (this.#triggers.get(workload)?.at(-1) ?? Number.NEGATIVE_INFINITY) >= since;
  }

  /** Whether there was any moment since then in which it was not there. */
  wasAwaySince(workload: string, since: number): boolean {
    const now = this.#system.clock.now();
    return !(this.#presence.get(workload) ?? []).some(
      ({ from, until = Number.POSITIVE_INFINITY }) => from < since && until > now,
    );
  }

  /** What the result of one that was asked for then must be in the end; undefined where it depends on the moment. */
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
    // A scheduler notes when it acted; on a trigger that is ahead of its clock it acts again, with the next change. Where its clock is
    // behind the API server's, the requested time is that already.
    const isLate = this.#life.schedulerAheadMs < 0;
    const early = this.#life.fresh.find(
      ({ noted, trigger, isAlways }) => !isLate && !isAlways && trigger - noted > skewMs,
    );
    if (early !== undefined)
      this.#violations.add(
        'no trigger is written before its time',
        `${early.workload}: ${timeOf(early.trigger)} acted on at ${timeOf(early.at)}`,
      );
  }

  #onBinding(name: string, type: string, object: KubeObject, previous: KubeObject | undefined): void {
    const now = this.#system.clock.now();
    const presence = this.#presence.get(name) ?? [];
    if (type === 'ADDED') presence.push({ from: now });
    const last = presence.at(-1);
    if (type === 'DELETED' && last) last.until = now;
    const [before, after] = [previous, object].map((each) => each?.spec?.rescheduleTriggeredAt as string | undefined);
    if (type !== 'MODIFIED' || before === after) return;
    if (!this.#system.isOurWrite) {
      if (before !== undefined && after !== undefined && after < before) this.#takenBack.set(name, now);
      return;
    }
    const says = `${name}: ${before ?? 'none'} to ${after ?? 'none'} at ${timeOf(now)}`;
    if (after === undefined || (before !== undefined && after < before))
      this.#violations.add('a trigger never goes back', says);
    const triggers = [...(this.#triggers.get(name) ?? []), now];
    this.#triggers.set(name, triggers);
    const count = triggers.length;
    // A table that is lost, and a binding that is made anew, may cost a trigger that was given before.
    const again = this.#system.tablesLost * 3 + presence.length - 1;
    if (count > (this.#asked.get(name) ?? 0) + again)
      this.#violations.add(
        'a binding is triggered as often as it was asked for',
        `${says}: ${count} triggers for ${this.#asked.get(name) ?? 0} times asked for`,
      );
  }

  #rescheduled({ rebalancer, workload, since }: Assumed): void {
    const last = this.#presence.get(workload)?.at(-1);
    if (last === undefined || last.until !== undefined || last.from > since) return;
    if ((this.#takenBack.get(workload) ?? Number.NEGATIVE_INFINITY) >= since) return;
    if (!this.#life.fresh.some((fresh) => fresh.workload === workload && fresh.at >= since))
      this.#violations.add(
        'what was Successful was rescheduled after it was asked for',
        `${rebalancer}: ${workload}, asked ${timeOf(since)}`,
      );
    if (this.#life.isPending(workload)) this.#violations.add('no trigger waits for ever', workload);
  }
}
