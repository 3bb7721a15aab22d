/** What the hub API promises of versions that the server no longer keeps. */
import { describe, expect, it } from 'vitest';
import { type HubClient, REBALANCERS } from './client.ts';

export function forgettingContract(client: () => HubClient): void {
  describe('a version that is no longer kept', () => {
    it('is 410 Expired for the next page of a list, and a new list goes through', async () => {
      for (const word of ['a', 'b']) await client().rebalancer(word);
      const first = await client().get(`${REBALANCERS}?limit=1`);
      await client().rebalancer('c');
      await client().hub.forget();
      const next = await client().get(`${REBALANCERS}?limit=1&continue=${first.body.metadata.continue}`);
      expect([next.code, next.body.kind, next.body.reason]).toEqual([410, 'Status', 'Expired']);
      expect((await client().get(`${REBALANCERS}?limit=1`)).code).toBe(200);
    });
  });
}
