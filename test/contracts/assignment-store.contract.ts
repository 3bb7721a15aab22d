/** Requirements of every store of recent assignments. Run in memory and on DynamoDB's wire protocol. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { AssignmentStore, RecentAssignments } from '../../shared/karmada/assignment/recent-assignments.ts';
import { at } from '../builders.ts';

const recent: RecentAssignments = [
  { at: at(0), replicas: { m1: { pods: 3, cpu: 1500 } }, reports: { m1: 4_294_967_295 } },
  { at: at(5), replicas: { constructor: { pods: 1 } }, reports: { constructor: 0 } },
];
const expiresAt = at(60);

export function assignmentStoreContract(name: string, open: () => Promise<AssignmentStore>): void {
  describe(`recent assignments: ${name}`, () => {
    let assignments: AssignmentStore;
    beforeAll(async () => {
      assignments = await open();
    });

    it('has none of a hub of which none were saved', async () => {
      expect(await assignments.read('never')).toBeUndefined();
    });

    it('returns what was saved, per hub', async () => {
      expect(await assignments.save('one', recent, { before: undefined, expiresAt })).toBe(true);
      expect(await assignments.read('one')).toEqual({ recent, version: 1 });
      expect(await assignments.read('other')).toBeUndefined();
    });

    it('saves over those that were read, and over no later ones', async () => {
      await assignments.save('raced', recent, { before: undefined, expiresAt });
      expect(await assignments.save('raced', [], { before: undefined, expiresAt })).toBe(false);
      const before = await assignments.read('raced');
      expect(await assignments.save('raced', recent.slice(1), { before, expiresAt })).toBe(true);
      expect(await assignments.save('raced', [], { before, expiresAt })).toBe(false);
      expect(await assignments.read('raced')).toEqual({ recent: recent.slice(1), version: 2 });
    });

    it('is saved once by two invocations at the same time', async () => {
      const saved = await Promise.all(
        [recent, []].map((each) => assignments.save('both', each, { before: undefined, expiresAt })),
      );
      expect(saved.filter(Boolean)).toHaveLength(1);
    });
  });
}
