/** State of RebalancePolicies on DynamoDB, in the table of the tasks: handled triggers and run of each, the run's waves, leases of workloads, and the history. */
import { gunzipSync, gzipSync } from 'node:zlib';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DAY, type Instant } from '../../core/time.ts';
import { keyText, type ObjectKey } from '../../kubernetes/object-key.ts';
import type {
  ClusterObservations,
  PolicyKey,
  PolicyState,
  RunRecord,
  Wave,
  WorkloadDecision,
} from '../../rebalance-policy/policy-run.ts';
import type { Lease, PolicyStore } from '../../rebalance-policy/policy-store.ts';
import { rowFormats } from './row-formats.ts';
import { type RowKey, seconds, stillOf, Table, type TableRow, tableStore } from './table.ts';

type PolicyRunKey = PolicyKey & { readonly run: string };

/** A lease's row is kept this long after its end, to show the last holder of a workload. */
const REMEMBERED = DAY;

export class DynamoDbPolicyStore implements PolicyStore {
  readonly #table: Table;

  constructor(client: DynamoDBClient, table: string) {
    this.#table = new Table(client, table, rowFormats.policies);
  }

  async readObservations(hub: string): Promise<ClusterObservations | undefined> {
    const row = await this.#table.read(observationsKey(hub));
    return row && (fromText(row, 'observations') as ClusterObservations);
  }

  saveObservations(observations: ClusterObservations): Promise<boolean> {
    const next = { ...observations, version: observations.version + 1 };
    const row = { ...observationsKey(observations.hub), version: next.version, observations: JSON.stringify(next) };
    return this.#table.put(row, stillOf(observations.version));
  }

  async readStates(hub: string): Promise<readonly PolicyState[]> {
    const states: PolicyState[] = [];
    for await (const page of this.#table.query(partition(hub), 'POLICY#'))
      states.push(...page.map((row) => fromText(row, 'state') as PolicyState));
    return states;
  }

  async readState(key: PolicyKey): Promise<PolicyState | undefined> {
    const row = await this.#table.read(stateKey(key));
    return row && (fromText(row, 'state') as PolicyState);
  }

  saveState(state: PolicyState): Promise<boolean> {
    const next = { ...state, version: state.version + 1 };
    const { name, version, expiresAt } = next;
    const row = { ...stateKey(state), name, version, state: JSON.stringify(next) };
    const forgotten = expiresAt === undefined ? {} : { expiresAt: seconds(expiresAt) };
    return this.#table.put({ ...row, ...forgotten }, stillOf(state.version));
  }

  async writeWave(wave: Wave, version: number, expiresAt: Instant): Promise<Wave> {
    const row = { ...toChunkRow(chunkKey(wave, 'WAVE', wave.number), wave, expiresAt), version };
    const isKept = await this.#table.put(row, {
      condition: 'attribute_not_exists(pk) OR #version < :version',
      names: { '#version': 'version' },
      values: { ':version': version },
    });
    return isKept ? wave : ((await this.readWave(wave, wave.number)) ?? wave);
  }

  async readWave(at: PolicyRunKey, number: number): Promise<Wave | undefined> {
    const row = await this.#table.read(chunkKey(at, 'WAVE', number));
    return row && fromChunkRow(row, at);
  }

  async writeSkipped(chunk: Wave, expiresAt: Instant): Promise<void> {
    await this.#table.put(toChunkRow(chunkKey(chunk, 'SKIPPED', chunk.number), chunk, expiresAt));
  }

  takeLease(hub: string, binding: ObjectKey, { run, until }: Lease, now: Instant): Promise<boolean> {
    return this.#table.put(
      { ...leaseKey(hub, binding), run, until, expiresAt: seconds(until + REMEMBERED) },
      {
        condition: 'attribute_not_exists(pk) OR #run = :run OR #until <= :now',
        names: { '#run': 'run', '#until': 'until' },
        values: { ':run': run, ':now': now },
      },
    );
  }

  async releaseLease(hub: string, binding: ObjectKey, run: string): Promise<void> {
    await this.#table.update(leaseKey(hub, binding), 'SET #until = :over', {
      condition: '#run = :run',
      names: { '#run': 'run', '#until': 'until' },
      values: { ':run': run, ':over': 0 },
    });
  }

  async lastLease(hub: string, binding: ObjectKey): Promise<Lease | undefined> {
    const row = await this.#table.read(leaseKey(hub, binding));
    return row && { run: row.run as string, until: row.until as Instant };
  }

  async recordRun(hub: string, record: RunRecord, expiresAt: Instant): Promise<void> {
    const { run } = record.run;
    const key = { pk: partition(hub), sk: `HISTORY#${run}#${record.uid}` };
    await this.#table.put({ ...key, run, record: JSON.stringify(record), expiresAt: seconds(expiresAt) });
  }

  async runs(hub: string, limit: number): Promise<readonly RunRecord[]> {
    const found: RunRecord[] = [];
    for await (const page of this.#table.query(partition(hub), 'HISTORY#', { newestFirst: true })) {
      found.push(...page.map((row) => fromText(row, 'record') as RunRecord));
      if (found.length >= limit) break;
    }
    return found.slice(0, limit);
  }

  async decisions(at: PolicyRunKey): Promise<{ readonly waves: readonly Wave[]; readonly skipped: readonly Wave[] }> {
    return { waves: await this.#chunks(at, 'WAVE'), skipped: await this.#chunks(at, 'SKIPPED') };
  }

  async #chunks(at: PolicyRunKey, what: ChunkKind): Promise<readonly Wave[]> {
    const chunks: Wave[] = [];
    for await (const page of this.#table.query(partition(at.hub), chunkPrefix(at, what)))
      chunks.push(...page.map((row) => fromChunkRow(row, at)));
    return chunks;
  }
}

type ChunkKind = 'WAVE' | 'SKIPPED';

function partition(hub: string): string {
  return `REBALANCE-POLICIES#${hub}`;
}

function observationsKey(hub: string): RowKey {
  return { pk: partition(hub), sk: 'CLUSTERS' };
}

function stateKey({ hub, uid }: PolicyKey): RowKey {
  return { pk: partition(hub), sk: `POLICY#${uid}` };
}

function chunkPrefix({ run, uid }: PolicyRunKey, what: ChunkKind): string {
  return `RUN#${run}#${uid}#${what}#`;
}

function chunkKey(at: PolicyRunKey, what: ChunkKind, number: number): RowKey {
  return { pk: partition(at.hub), sk: `${chunkPrefix(at, what)}${String(number).padStart(5, '0')}` };
}

/** A partition per workload: a run takes and releases one lease per workload. */
function leaseKey(hub: string, binding: ObjectKey): RowKey {
  return { pk: `${partition(hub)}#${keyText(binding)}`, sk: 'LEASE' };
}

/** Compressed: as text the largest wave, of 500 workloads on 10 clusters each, would be 455 KB, and a row is limited to 400. */
function toChunkRow(key: RowKey, { number, workloads }: Wave, expiresAt: Instant): TableRow & RowKey {
  const packed = gzipSync(JSON.stringify(workloads));
  return { ...key, number, count: workloads.length, packed, expiresAt: seconds(expiresAt) };
}

function fromChunkRow({ number, packed }: TableRow, { hub, uid, run }: PolicyRunKey): Wave {
  const workloads = JSON.parse(gunzipSync(packed as Uint8Array).toString()) as WorkloadDecision[];
  return { hub, uid, run, number: number as number, workloads };
}

/** Stored as text, so that `hub`, a key of the tasks' index, is no attribute of the row. */
function fromText(row: TableRow, attribute: string): unknown {
  return JSON.parse(row[attribute] as string);
}

export const awsPolicies = tableStore<PolicyStore>(DynamoDbPolicyStore);
