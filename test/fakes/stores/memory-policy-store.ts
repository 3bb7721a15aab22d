/** What is kept of RebalancePolicies, in memory: for simulation and tests; the same contract as the one on DynamoDB. */

import type { Instant } from '../../../shared/core/time.ts';
import { keyText, type ObjectKey } from '../../../shared/kubernetes/object-key.ts';
import type {
  ClusterObservations,
  PolicyKey,
  PolicyState,
  RunRecord,
  Wave,
} from '../../../shared/rebalance-policy/policy-run.ts';
import type { Lease, PolicyStore } from '../../../shared/rebalance-policy/policy-store.ts';

type RunKey = PolicyKey & { readonly run: string };

export class MemoryPolicyStore implements PolicyStore {
  readonly #observations = new Map<string, ClusterObservations>();
  readonly #states = new Map<string, PolicyState>();
  readonly #waves = new Map<string, Wave>();
  /** Of each wave: the version of the state from which it was written. */
  readonly #versions = new Map<string, number>();
  readonly #skipped = new Map<string, Wave>();
  readonly #leases = new Map<string, Lease>();
  readonly #history = new Map<string, RunRecord>();

  async readObservations(hub: string): Promise<ClusterObservations | undefined> {
    return structuredClone(this.#observations.get(hub));
  }

  async saveObservations(observations: ClusterObservations): Promise<boolean> {
    return replace(this.#observations, observations.hub, observations);
  }

  async readStates(hub: string): Promise<readonly PolicyState[]> {
    const ofHub = [...this.#states.values()].filter((state) => state.hub === hub);
    return structuredClone(ofHub.sort((a, b) => (a.uid < b.uid ? -1 : 1)));
  }

  async readState(key: PolicyKey): Promise<PolicyState | undefined> {
    return structuredClone(this.#states.get(policyText(key)));
  }

  async saveState(state: PolicyState): Promise<boolean> {
    return replace(this.#states, policyText(state), state);
  }

  async writeWave(wave: Wave, version: number): Promise<Wave> {
    const key = chunkText(wave, wave.number);
    const kept = this.#waves.get(key);
    if (kept !== undefined && (this.#versions.get(key) ?? 0) >= version) return structuredClone(kept);
    this.#waves.set(key, structuredClone(wave));
    this.#versions.set(key, version);
    return wave;
  }

  async readWave(at: RunKey, number: number): Promise<Wave | undefined> {
    return structuredClone(this.#waves.get(chunkText(at, number)));
  }

  async writeSkipped(chunk: Wave): Promise<void> {
    this.#skipped.set(chunkText(chunk, chunk.number), structuredClone(chunk));
  }

  async takeLease(hub: string, binding: ObjectKey, lease: Lease, now: Instant): Promise<boolean> {
    const key = bindingText(hub, binding);
    const held = this.#leases.get(key);
    if (held !== undefined && held.run !== lease.run && held.until > now) return false;
    this.#leases.set(key, structuredClone(lease));
    return true;
  }

  async releaseLease(hub: string, binding: ObjectKey, run: string): Promise<void> {
    const key = bindingText(hub, binding);
    if (this.#leases.get(key)?.run === run) this.#leases.set(key, { run, until: 0 });
  }

  async lastLease(hub: string, binding: ObjectKey): Promise<Lease | undefined> {
    return structuredClone(this.#leases.get(bindingText(hub, binding)));
  }

  async recordRun(hub: string, record: RunRecord): Promise<void> {
    this.#history.set(`${hub} ${record.run.run} ${record.uid}`, structuredClone(record));
  }

  async runs(hub: string, limit: number): Promise<readonly RunRecord[]> {
    const ofHub = [...this.#history].filter(([, record]) => record.hub === hub);
    const newestFirst = ofHub.sort(([a], [b]) => (a < b ? 1 : -1)).map(([, record]) => record);
    return structuredClone(newestFirst.slice(0, limit));
  }

  async decisions(at: RunKey): Promise<{ readonly waves: readonly Wave[]; readonly skipped: readonly Wave[] }> {
    const ofRun = (chunks: ReadonlyMap<string, Wave>) =>
      [...chunks.values()]
        .filter(({ hub, uid, run }) => hub === at.hub && uid === at.uid && run === at.run)
        .sort((a, b) => a.number - b.number);
    return structuredClone({ waves: ofRun(this.#waves), skipped: ofRun(this.#skipped) });
  }
}

/** Version 0 means that nothing is stored yet. */
function replace<T extends { readonly version: number }>(rows: Map<string, T>, key: string, row: T): boolean {
  if ((rows.get(key)?.version ?? 0) !== row.version) return false;
  rows.set(key, structuredClone({ ...row, version: row.version + 1 }));
  return true;
}

function policyText({ hub, uid }: PolicyKey): string {
  return `${hub} ${uid}`;
}

function chunkText(at: RunKey, number: number): string {
  return `${policyText(at)} ${at.run} ${number}`;
}

function bindingText(hub: string, binding: ObjectKey): string {
  return `${hub} ${keyText(binding)}`;
}
