/** What is remembered of ElasticWorkloads, in memory: for simulation and tests; the same contract as the one on DynamoDB. */
import type { ElasticRow, ElasticRowKey, ElasticStore } from '../../../shared/elastic-workload/elastic-store.ts';

export class MemoryElasticStore implements ElasticStore {
  readonly #rows = new Map<string, ElasticRow>();

  async read({ hub, uid }: ElasticRowKey): Promise<ElasticRow | undefined> {
    return structuredClone(this.#rows.get(`${hub}/${uid}`));
  }

  async save(row: ElasticRow): Promise<boolean> {
    const key = `${row.hub}/${row.uid}`;
    if ((this.#rows.get(key)?.version ?? 0) !== row.version) return false;
    this.#rows.set(key, structuredClone({ ...row, version: row.version + 1 }));
    return true;
  }
}
