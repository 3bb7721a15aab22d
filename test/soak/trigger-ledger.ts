/** Every trigger that was ever written on a binding, by whom and when; a value written again is no second one, for nothing changes. */
import type { KubeObject, StoreChange } from '../../local/practice-hub/store/objects.ts';
import { TRIGGERED_BY } from '../../shared/karmada/binding.ts';

export interface Trigger {
  readonly by: string;
  readonly value: number;
  /** By the hub's clock. */
  readonly writtenAt: number;
}

export class TriggerLedger {
  readonly wrong: string[] = [];
  /** By the binding's name. */
  readonly written = new Map<string, Trigger[]>();
  readonly bindings = new Map<string, KubeObject>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  get count(): number {
    return [...this.written.values()].reduce((sum, { length }) => sum + length, 0);
  }

  onChange({ type, plural, object }: StoreChange): void {
    if (plural !== 'resourcebindings' || type === 'DELETED') return;
    const { name } = object.metadata;
    this.bindings.set(name, object);
    const text = (object.spec as { rescheduleTriggeredAt?: string } | undefined)?.rescheduleTriggeredAt;
    if (text === undefined) return;
    const by = object.metadata.annotations?.[TRIGGERED_BY] ?? 'unknown';
    const triggers = this.written.get(name) ?? [];
    const last = triggers.at(-1);
    const value = Date.parse(text);
    if (last?.value === value && last.by === by) return;
    if (last !== undefined && value < last.value)
      this.wrong.push(`the trigger of ${name} went back from ${last.value} to ${value}`);
    if (triggers.some((trigger) => trigger.by === by)) this.wrong.push(`${by} triggered ${name} twice`);
    this.written.set(name, [...triggers, { by, value, writtenAt: this.#now() }]);
  }

  /**
   * Whether the scheduler was to assign the binding after this time: by a trigger of this time or a later one, to the second, or by one that was written
   * since. The latter has an earlier time if it is of a rebalancer that was created before and edited since: its trigger counts for both.
   */
  isTriggeredSince(name: string, at: number): boolean {
    const second = Math.floor(at / 1000) * 1000;
    return (this.written.get(name) ?? []).some(({ value, writtenAt }) => value >= second || writtenAt >= at);
  }

  /** Bindings whose last trigger the scheduler has not acted on. */
  waiting(): string[] {
    return [...this.written].flatMap(([name, triggers]) => {
      const status = this.bindings.get(name)?.status as { lastScheduledTime?: string } | undefined;
      const acted = Date.parse(status?.lastScheduledTime ?? '') >= (triggers.at(-1)?.value ?? 0);
      return acted ? [] : [`the scheduler has not acted on the trigger of ${name}`];
    });
  }
}
