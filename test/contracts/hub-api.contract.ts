/**
 * What a hub's Kubernetes API promises, run against the practice hub and against a real kube-apiserver with Karmada's
 * CRDs: only kinds that both serve. The two must agree, or the practice hub practises the wrong thing.
 */
import { afterAll, beforeAll, describe } from 'vitest';
import { HubClient, type RunningHub } from './hub-api/client.ts';
import { readContract } from './hub-api/reads.ts';
import { deleteContract, replaceContract } from './hub-api/replaces-and-deletes.ts';
import { watchContract } from './hub-api/watches.ts';
import { createContract, patchContract } from './hub-api/writes.ts';

export type { RunningHub } from './hub-api/client.ts';

export function hubApiContract(name: string, start: () => Promise<RunningHub>): void {
  describe(`hub API: ${name}`, () => {
    let running: HubClient;
    const client = () => running;
    beforeAll(async () => {
      running = new HubClient(await start());
    });
    afterAll(async () => {
      await running.hub.stop();
    });
    createContract(client);
    patchContract(client);
    replaceContract(client);
    deleteContract(client);
    readContract(client);
    watchContract(client);
  });
}
