/** The rows of one policy during a backtest: of a run that has ended, only what is shown of it is kept. */
import {
  type ClusterObservations,
  hasRun,
  type PolicyKey,
  type PolicyState,
  type RunRecord,
  recordOf,
  type Wave,
  type WorkloadDecision,
} from '../../shared/rebalance-policy/policy-run.ts';
import type { PolicyStore } from '../../shared/rebalance-policy/policy-store.ts';

/** The caller makes its writes one after the other, so that none conflicts. */
export class BacktestRows implements PolicyStore {
  /** The oldest first. */
  readonly records: RunRecord['run'][] = [];
  readonly skipReasons = new Map<string, number>();
  #observations: ClusterObservations | undefined;
  #state: PolicyState | undefined;
  readonly #waves = new Map<number, Wave>();

  async readObservations(): Promise<ClusterObservations | undefined> {
    return this.#observations;
  }

  async saveObservations(observations: ClusterObservations): Promise<boolean> {
    this.#observations = { ...observations, version: observations.version + 1 };
    return true;
  }

  async readStates(): Promise<readonly PolicyState[]> {
    return this.#state === undefined ? [] : [this.#state];
  }

  async readState({ uid }: PolicyKey): Promise<PolicyState | undefined> {
    return this.#state?.uid === uid ? this.#state : undefined;
  }

  async saveState(state: PolicyState): Promise<boolean> {
    this.#state = { ...state, version: state.version + 1 };
    if (hasRun(state)) this.#record(recordOf(state, state.run).run);
    return true;
  }

  async writeWave(wave: Wave): Promise<Wave> {
    this.#waves.set(wave.number, wave);
    return wave;
  }

  async readWave(_: PolicyKey, number: number): Promise<Wave | undefined> {
    return this.#waves.get(number);
  }

  async writeSkipped({ workloads }: Wave): Promise<void> {
    this.#count(workloads);
  }

  /** No other policy asks for it. */
  async takeLease(): Promise<boolean> {
    return true;
  }

  async releaseLease(): Promise<void> {}

  async lastLease(): Promise<undefined> {
    return undefined;
  }

  /** It is known from its states. */
  async recordRun(): Promise<void> {}

  async runs(): Promise<readonly RunRecord[]> {
    return [];
  }

  async decisions(): Promise<{ readonly waves: readonly Wave[]; readonly skipped: readonly Wave[] }> {
    return { waves: [], skipped: [] };
  }

  #record(run: RunRecord['run']): void {
    if (this.records.at(-1)?.run === run.run) this.records.pop();
    this.records.push(run);
    if (run.state === 'Running') return;
    for (const { workloads } of this.#waves.values()) this.#count(workloads);
    this.#waves.clear();
  }

  /** Numbers within a reason, such as the seconds of a cool-down, are left out: they would make each reason another one. */
  #count(workloads: readonly WorkloadDecision[]): void {
    for (const { outcome, reason } of workloads) {
      if (reason === undefined || outcome === 'Moved' || outcome === 'Moving') continue;
      const text = reason.replace(/\b\d+\b/g, 'N');
      this.skipReasons.set(text, (this.skipReasons.get(text) ?? 0) + 1);
    }
  }
}
