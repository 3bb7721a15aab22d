/**
 * What a hub's Kubernetes API promises, run against the practice hub and against a real kube-apiserver with Karmada's
 * CRDs: only kinds that both serve. The two must agree, or the practice hub practises the wrong thing.
 */
import { afterAll, beforeAll, describe } from 'vitest';
import { applyContract } from './hub-api/applies.ts';
import { HubClient, type RunningHub } from './hub-api/client.ts';
import { coreObjectContract } from './hub-api/core-objects.ts';
import { elasticWorkloadContract } from './hub-api/elastic-workloads.ts';
import { forgettingContract } from './hub-api/forgetting.ts';
import { readContract } from './hub-api/reads.ts';
import { rebalancePolicyContract } from './hub-api/rebalance-policies.ts';
import { deleteContract, replaceContract } from './hub-api/replaces-and-deletes.ts';
import { reviewContract } from './hub-api/reviews.ts';
import { watchContract } from './hub-api/watches.ts';
import { bareWire } from './hub-api/wires/bare.ts';
import { clientNodeWire } from './hub-api/wires/client-node.ts';
import { transportWire } from './hub-api/wires/transport.ts';
import type { OpenWire } from './hub-api/wires/wire.ts';
import { createContract, patchContract } from './hub-api/writes.ts';

export type { RunningHub } from './hub-api/client.ts';

/** Every way to reach the API that is ours or the Kubernetes project's. */
const wires: Readonly<Record<string, OpenWire>> = {
  'our transport': transportWire,
  '@kubernetes/client-node': clientNodeWire,
  'plain HTTP': bareWire,
};

export function hubApiContract(name: string, start: () => Promise<RunningHub>, over = wires): void {
  describe.each(Object.entries(over))(`hub API: ${name}, through %s`, (_, wire) => {
    let running: HubClient;
    const client = () => running;
    beforeAll(async () => {
      running = new HubClient(await start(), wire);
    });
    afterAll(async () => {
      await running.hub.stop();
    });
    createContract(client);
    patchContract(client);
    applyContract(client);
    replaceContract(client);
    deleteContract(client);
    rebalancePolicyContract(client);
    elasticWorkloadContract(client);
    readContract(client);
    reviewContract(client);
    coreObjectContract(client);
    watchContract(client);
    forgettingContract(client);
  });
}
