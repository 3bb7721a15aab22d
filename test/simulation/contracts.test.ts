/** The simulated hub and tables pass the contracts of the real ones. The bus and the queues are those of the local run. */
import { startHubServer } from '../../local/practice-hub/hub-server.ts';
import { assignmentStoreContract } from '../contracts/assignment-store.contract.ts';
import { deschedulingStoreContract } from '../contracts/descheduling-store.contract.ts';
import { elasticStoreContract } from '../contracts/elastic-store.contract.ts';
import type { OpenWire } from '../contracts/hub-api/wires/wire.ts';
import { hubApiContract } from '../contracts/hub-api.contract.ts';
import { moveLedgerContract } from '../contracts/move-ledger.contract.ts';
import { policyStoreContract } from '../contracts/policy-store.contract.ts';
import { resyncPositionsContract } from '../contracts/resync-positions.contract.ts';
import { taskStoreContract } from '../contracts/task-store.contract.ts';
import { MemoryAssignmentStore } from '../fakes/stores/memory-assignment-store.ts';
import { MemoryDeschedulingStore } from '../fakes/stores/memory-descheduling-store.ts';
import { MemoryElasticStore } from '../fakes/stores/memory-elastic-store.ts';
import { MemoryMoveLedger } from '../fakes/stores/memory-move-ledger.ts';
import { MemoryPolicyStore } from '../fakes/stores/memory-policy-store.ts';
import { MemoryResyncPositions } from '../fakes/stores/memory-resync-positions.ts';
import { MemoryTaskStore } from '../fakes/stores/memory-task-store.ts';
import { recordedFaults } from './fault-injector.ts';
import { randomOf } from './random-values.ts';
import { ApiWire } from './system/api-wire.ts';
import { Instance } from './system/instance.ts';
import { throughNetwork } from './system/ports-of.ts';

/** By the URL of the server that a contract has started; requests that the simulator never sends go to that server. */
const wireBy = new Map<string, ApiWire>();

const simulated: OpenWire = ({ server }) => {
  const api = wireBy.get(server);
  return ({ method, path, headers, body }) => {
    const isOfObjects = /^\/(api\/v1|apis\/[^/]+\/[^/]+)\/[^?]/.test(path) && !/[?&]watch=/.test(path);
    const isReview = /^\/apis\/auth(entic|oriz)ation\.k8s\.io\//.test(path);
    if (api === undefined || !isOfObjects || isReview || typeof body === 'string') return undefined;
    if (headers.accept !== undefined && !/json|\*/.test(headers.accept)) return undefined;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const { status, text: answered } = api.answer({ method, path, headers, body: text, username: 'kubernetes-admin' });
    return Promise.resolve({ code: status, headers: { 'content-type': 'application/json' }, text: answered });
  };
};

hubApiContract(
  'the simulator',
  async () => {
    let ahead = 0;
    const now = () => Date.now() + ahead;
    const { url, store, close } = await startHubServer({ port: 0, now });
    wireBy.set(url, new ApiWire(store, now));
    const forget = async () => {
      ahead += 6 * 60_000;
    };
    return { connection: { server: url, hookTokens: [] }, bookmarkedSeconds: 3, forget, stop: close };
  },
  { 'its own wire': simulated },
);

/** The store behind a network without faults and latency. */
function reached<T extends object>(store: T): T {
  const clock = {
    now: () => Date.now(),
    after: (_: number, fn: () => void) => {
      setImmediate(fn);
      return () => undefined;
    },
  };
  const instance = new Instance({ clock, random: randomOf(1), injector: recordedFaults([]) }, () => 0);
  return throughNetwork(instance, 'table', () => store);
}

taskStoreContract("the simulator's table", async () => reached(new MemoryTaskStore()));
deschedulingStoreContract("the simulator's table", async () => reached(new MemoryDeschedulingStore()));
policyStoreContract("the simulator's table", async () => reached(new MemoryPolicyStore()));
elasticStoreContract("the simulator's table", async () => reached(new MemoryElasticStore()));
resyncPositionsContract("the simulator's table", async () => reached(new MemoryResyncPositions()));
assignmentStoreContract("the simulator's table", async () => reached(new MemoryAssignmentStore()));
moveLedgerContract("the simulator's table", async () => reached(new MemoryMoveLedger()));
