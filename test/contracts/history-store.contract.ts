/** Requirements of every store of recorded placements. Run in memory and on DynamoDB's wire protocol. */
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../shared/core/time.ts';
import type { ClusterStateRow } from '../../shared/placement-history/cluster-row.ts';
import type { HistoryRange, HistoryStore } from '../../shared/placement-history/history-store.ts';
import type { ClusterMove, PlacementRow } from '../../shared/placement-history/placement-row.ts';
import { at } from '../builders.ts';

const workload = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
const web = { namespace: 'shop', name: 'web-deployment' };
const all: HistoryRange = { from: at(0), to: at(1000), limit: 100 };
const expiresAt = at(0) + 30 * DAY;

function placementRow(seconds: number, version: string, fields: Partial<PlacementRow> = {}): PlacementRow {
  return {
    ...{ at: at(seconds), version, lastVersion: version, binding: web, uid: 'u1', workload, total: 4 },
    ...{ assigned: { member1: 4 }, ready: {}, marks: {}, ...fields },
  };
}

function moveOf({ at: time, version }: PlacementRow, cluster: string): ClusterMove {
  return { at: time, version, binding: web, workload, cluster, from: 0, to: 4, cause: { by: 'Created' } };
}

export function historyStoreContract(name: string, open: () => Promise<HistoryStore>): void {
  describe(`store of recorded placements: ${name}`, () => {
    let store: HistoryStore;
    let hubs = 0;
    /** Each test has a hub of its own. */
    const newHub = () => `hub-${(hubs += 1)}`;
    beforeAll(async () => {
      store = await open();
    });
    const record = async (hub: string, ...rows: readonly PlacementRow[]) => {
      for (const row of rows) await store.recordPlacement(hub, { row, moves: [] }, expiresAt);
    };

    it('has no row of a workload and of a cluster that were not recorded', async () => {
      const hub = newHub();
      expect(await store.lastPlacement(hub, web)).toBeUndefined();
      expect(await store.placements(hub, web, all)).toEqual({ rows: [] });
      expect(await store.lastCluster(hub, 'member1')).toBeUndefined();
      expect(await store.clusterStates(hub, 'member1', all)).toEqual({ rows: [] });
      expect(await store.clusterMoves(hub, 'member1', all)).toEqual({ rows: [] });
    });

    it('returns the rows of a workload newest first, and none of another workload or hub', async () => {
      const [hub, other] = [newHub(), newHub()];
      const rows = [placementRow(1, '5'), placementRow(2, '7', { ready: { member1: 4 } })];
      await record(hub, ...rows, placementRow(3, '9', { binding: { ...web, name: 'web' } }));
      await record(other, placementRow(4, '11'));
      expect(await store.placements(hub, web, all)).toEqual({ rows: rows.toReversed() });
      expect(await store.lastPlacement(hub, web)).toEqual(rows[1]);
    });

    it('orders rows of one second by their resourceVersions as numbers', async () => {
      const hub = newHub();
      await record(hub, placementRow(1, '10'), placementRow(1, '9'));
      const { rows } = await store.placements(hub, web, all);
      expect(rows.map(({ version }) => version)).toEqual(['10', '9']);
      expect((await store.lastPlacement(hub, web))?.version).toBe('10');
    });

    it('has both ends of a range in it, and the last row before it', async () => {
      const hub = newHub();
      await record(hub, ...[1, 2, 3, 4].map((second) => placementRow(second, String(second))));
      const { rows } = await store.placements(hub, web, { from: at(2), to: at(3), limit: 100 });
      expect(rows.map(({ version }) => version)).toEqual(['3', '2']);
      expect((await store.lastPlacement(hub, web, at(1)))?.version).toBe('1');
      expect(await store.lastPlacement(hub, web, at(0))).toBeUndefined();
    });

    it('returns every row once, page by page', async () => {
      const hub = newHub();
      await record(hub, ...[1, 2, 3, 4, 5].map((second) => placementRow(second, String(second))));
      const versions: string[] = [];
      let next: string | undefined;
      do {
        const page = await store.placements(hub, web, { ...all, limit: 2, next });
        expect(page.rows.length).toBeLessThanOrEqual(2);
        versions.push(...page.rows.map(({ version }) => version));
        next = page.next;
      } while (next !== undefined);
      expect(versions).toEqual(['5', '4', '3', '2', '1']);
    });

    it('replaces a row by a newer state with its key, and never by an older one', async () => {
      const hub = newHub();
      const newer = placementRow(1, '5', { lastVersion: '10', ready: { member1: 4 } });
      await record(hub, placementRow(1, '5'), newer);
      expect(await store.lastPlacement(hub, web)).toEqual(newer);
      await record(hub, placementRow(1, '5', { lastVersion: '9', ready: { member1: 2 } }));
      expect((await store.placements(hub, web, all)).rows).toEqual([newer]);
    });

    it('has a repeated record once, with its moves', async () => {
      const hub = newHub();
      const row = placementRow(1, '5');
      const placement = { row, moves: [moveOf(row, 'member1'), moveOf(row, 'member2')] };
      await store.recordPlacement(hub, placement, expiresAt);
      await store.recordPlacement(hub, placement, expiresAt);
      expect((await store.placements(hub, web, all)).rows).toEqual([row]);
      expect((await store.clusterMoves(hub, 'member1', all)).rows).toEqual([moveOf(row, 'member1')]);
      expect((await store.clusterMoves(hub, 'member2', all)).rows).toEqual([moveOf(row, 'member2')]);
    });

    it('has the moves of two workloads in the same version of their hub', async () => {
      const hub = newHub();
      const row = placementRow(1, '5');
      const other = { ...web, name: 'api-deployment' };
      await store.recordPlacement(hub, { row, moves: [moveOf(row, 'member1')] }, expiresAt);
      await store.recordPlacement(
        hub,
        { row: { ...row, binding: other }, moves: [{ ...moveOf(row, 'member1'), binding: other }] },
        expiresAt,
      );
      const { rows } = await store.clusterMoves(hub, 'member1', all);
      expect(rows.map(({ binding }) => binding.name).sort()).toEqual(['api-deployment', 'web-deployment']);
    });

    it('has states of a cluster apart from what moved to it', async () => {
      const hub = newHub();
      const state = (seconds: number, version: string): ClusterStateRow => ({
        ...{ at: at(seconds), version, cluster: 'member1', state: 'NotReady', taints: ['a:NoExecute'], why: 'Broken' },
      });
      const row = placementRow(2, '6');
      await store.recordCluster(hub, state(1, '5'), expiresAt);
      await store.recordPlacement(hub, { row, moves: [moveOf(row, 'member1')] }, expiresAt);
      await store.recordCluster(hub, state(3, '7'), expiresAt);
      expect((await store.clusterStates(hub, 'member1', all)).rows).toEqual([state(3, '7'), state(1, '5')]);
      expect(await store.lastCluster(hub, 'member1')).toEqual(state(3, '7'));
      expect(await store.lastCluster(hub, 'member1', at(2))).toEqual(state(1, '5'));
      expect((await store.clusterMoves(hub, 'member1', all)).rows).toEqual([moveOf(row, 'member1')]);
    });
  });
}
