/** Recent assignments in memory; the same contract as those on DynamoDB. */
import type {
  AssignmentStore,
  RecentAssignments,
  StoredAssignments,
} from '../../../shared/karmada/assignment/recent-assignments.ts';

export class MemoryAssignmentStore implements AssignmentStore {
  readonly #rows = new Map<string, StoredAssignments>();

  async read(hub: string): Promise<StoredAssignments | undefined> {
    return structuredClone(this.#rows.get(hub));
  }

  async save(
    hub: string,
    recent: RecentAssignments,
    { before }: Parameters<AssignmentStore['save']>[2],
  ): Promise<boolean> {
    const version = before?.version ?? 0;
    if ((this.#rows.get(hub)?.version ?? 0) !== version) return false;
    this.#rows.set(hub, structuredClone({ recent, version: version + 1 }));
    return true;
  }
}
