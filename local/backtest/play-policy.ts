/** Plays a policy over a recorded hub: the functions of policies decide, in the order and at the times of virtual time. */
import { task as advanceRun } from '../../functions/rebalance-policy/advance-run.lambda.ts';
import { task as evaluatePolicies } from '../../functions/rebalance-policy/evaluate-policies.lambda.ts';
import { ClusterChanged, PoliciesDue, PolicyRunDue, WorkloadRebalancerChanged } from '../../shared/bus/catalogue.ts';
import type { EvenkeelEvent } from '../../shared/bus/event.ts';
import { parseSettings } from '../../shared/core/settings.ts';
import { type Instant, SECOND, toTimestamp } from '../../shared/core/time.ts';
import type { PolicyKey } from '../../shared/rebalance-policy/policy-run.ts';
import { durationMs, parseRebalancePolicy } from '../../shared/rebalance-policy/rebalance-policy.ts';
import type { TimedLine } from '../recording/recording-files.ts';
import { createVirtualClock } from '../virtual-clock.ts';
import { BacktestRows } from './backtest-rows.ts';
import { ReplayedHub } from './replayed-hub.ts';
import { ReplayedHubPort } from './replayed-hub-port.ts';

/** Features of the hub that a backtest plays. */
const played = ['policies'];

export interface PlayOptions {
  readonly start: Instant;
  readonly readyAfterMs: number;
  /** As it is written in its file; its metadata is that of an object that is created at the start. */
  readonly policy: { readonly metadata: { readonly name: string }; readonly spec: object };
  /** Without its decisions, only the scheduler acts. */
  readonly isActing: boolean;
}

const silent = { outcome: () => undefined, count: () => undefined, begin: () => undefined };

export class PolicyPlay {
  readonly rows = new BacktestRows();
  readonly hub: ReplayedHub;
  readonly #clock: ReturnType<typeof createVirtualClock>;
  readonly #port: ReplayedHubPort;
  readonly #isActing: boolean;
  /** Evaluations and steps of the run that are due, by their event. */
  readonly #due = new Map<string, EvenkeelEvent>();
  readonly #schedules = new Map<string, () => void>();
  readonly #ports: Parameters<typeof advanceRun.run>[1] & Parameters<typeof evaluatePolicies.run>[1];
  /** A change may have an effect until then: when workloads have cooled down. */
  readonly #lasting: number;
  readonly #resyncMs: number;
  #ids = 0;

  constructor({ start, readyAfterMs, policy: { metadata, spec }, isActing }: PlayOptions) {
    const settings = parseSettings({});
    this.#clock = createVirtualClock(new Date(start).toISOString());
    const own = { uid: 'policy', resourceVersion: '0', creationTimestamp: toTimestamp(start) };
    const policy = { metadata: { ...metadata, ...own }, spec };
    const coolDownMs = durationMs(parseRebalancePolicy(policy).spec.strategy.coolDown);
    this.#isActing = isActing;
    this.#resyncMs = settings.resyncMinutes * 60 * SECOND;
    this.#lasting = coolDownMs + 2 * this.#resyncMs;
    this.hub = new ReplayedHub({
      clock: this.#clock,
      readyAfterMs,
      coolDownMs,
      onClusterChange: () => this.#publish([ClusterChanged.of({ hub: this.#port.name, name: '' })]),
    });
    this.#port = new ReplayedHubPort(this.hub, policy, () => this.#clock.now());
    this.#ports = {
      hubs: {
        names: async () => [this.#port.name],
        connect: async () => this.#port,
        open: async () => this.#port,
        pauseOf: async () => undefined,
        hasEstimator: async () => false,
        uses: async (_, feature) => played.includes(feature),
      },
      policies: this.rows,
      bus: { publish: async (events) => this.#publish(events) },
      schedule: { put: async (name, at, event) => this.#at(name, at, event) },
      // A recording has no events from outside.
      externalEvents: { list: async () => [], read: async () => undefined, save: async () => true },
      // Without MoveBudgets, no move is counted.
      ledger: { read: async () => undefined, save: async () => true },
      settings,
      telemetry: silent,
      now: () => this.#clock.now(),
      newId: () => `run${String((this.#ids += 1)).padStart(5, '0')}`,
      timeLeft: () => Number.POSITIVE_INFINITY,
    };
  }

  async begin(): Promise<void> {
    this.hub.begin();
    this.#resync();
    this.#publish([PoliciesDue.of({ hub: this.#port.name })]);
    await this.#settle();
  }

  /** Lets time pass until the line's, and applies it. */
  async apply({ at, line }: TimedLine): Promise<void> {
    await this.pass(at);
    this.hub.apply(line);
    await this.#settle();
  }

  async pass(until: Instant): Promise<void> {
    while (this.#clock.step(until)) await this.#settle();
    this.#clock.advance(Math.max(0, until - this.#clock.now()));
  }

  #publish(events: readonly EvenkeelEvent[]): void {
    for (const event of events) {
      const { type, detail } = event;
      if (type === WorkloadRebalancerChanged.type) this.#port.carryOut(String(detail.name));
      else if (this.#isActing) this.#due.set(type === PolicyRunDue.type ? type : PoliciesDue.type, event);
    }
  }

  #at(name: string, at: Instant, event: EvenkeelEvent): void {
    this.#schedules.get(name)?.();
    this.#schedules.set(
      name,
      this.#clock.after(Math.max(0, at - this.#clock.now()), () => this.#publish([event])),
    );
  }

  /** As the resync of a hub, but only while the last change may have an effect. */
  #resync(): void {
    this.#clock.after(this.#resyncMs, () => this.#resync());
    if (this.#clock.now() - this.hub.changedAt <= this.#lasting)
      this.#publish([PoliciesDue.of({ hub: this.#port.name })]);
  }

  /** The functions, until none is due. */
  async #settle(): Promise<void> {
    for (;;) {
      const [next] = this.#due;
      if (next === undefined) return;
      const [key, { type, detail }] = next;
      this.#due.delete(key);
      if (type === PolicyRunDue.type)
        await advanceRun.run(detail as unknown as PolicyKey & { readonly name: string }, this.#ports, new Set([type]));
      else await evaluatePolicies.run({ hub: this.#port.name }, this.#ports, new Set([PoliciesDue.type]));
    }
  }
}
