/** The functions of a version, with the stores of that version on a table. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as localFunctions from '../../local/functions.ts';
import type * as localTable from '../../shared/aws/dynamodb/local-table.ts';
import type * as faults from '../../shared/core/fault.ts';
import type { Fault as OwnFault } from '../../shared/core/fault.ts';
import type * as limiter from '../../shared/kubernetes/client/concurrency-limiter.ts';
import type * as hubClient from '../../shared/kubernetes/client/hub-client.ts';
import type * as kubernetesHub from '../../shared/kubernetes/client/kubernetes-hub.ts';
import type { LedgerMove } from '../../shared/move-budget/move-ledger.ts';
import type * as moment from '../../shared/runtime/moment.ts';
import { type FunctionCode, type Stores, storeNames } from '../simulation/system/function-code.ts';

type LocalFunctions = typeof localFunctions;
type LocalTableModule = typeof localTable;
type Limiter = typeof limiter;
type Client = typeof hubClient;
type Adapter = typeof kubernetesHub;
type Moment = typeof moment;
type FaultModule = typeof faults;

export interface Version extends FunctionCode {
  readonly stores: Stores;
  close(): void;
}

/** The table of a deployment, as its versions share it. */
export class SharedTable {
  readonly endpoint: string;
  /** Requests that wait for their answers. */
  openRequests = 0;
  /** Moves by hub, as last saved: an oracle reads them within a write, and cannot wait. */
  readonly moves = new Map<string, readonly LedgerMove[]>();

  constructor(endpoint: string) {
    this.endpoint = endpoint;
  }

  counted<T extends object>(store: T): T {
    return proxied(store, async (call) => {
      this.openRequests += 1;
      try {
        return await call();
      } finally {
        this.openRequests -= 1;
      }
    });
  }
}

/** Loads the functions of the tree in this folder. */
export async function loadVersion(folder: string, table: SharedTable): Promise<Version> {
  const load = async <T>(path: string) => (await import(pathToFileURL(join(folder, path)).href)) as T;
  const { openLocalTable } = await load<LocalTableModule>('shared/aws/dynamodb/local-table.ts');
  const { Fault } = await load<FaultModule>('shared/core/fault.ts');
  const opened = await openLocalTable(table.endpoint);
  const stores = Object.fromEntries(storeNames.map((name) => [name, table.counted<object>(opened[name])]));
  return {
    functions: await load<LocalFunctions>('local/functions.ts'),
    client: {
      ...(await load<Limiter>('shared/kubernetes/client/concurrency-limiter.ts')),
      ...(await load<Client>('shared/kubernetes/client/hub-client.ts')),
      ...(await load<Adapter>('shared/kubernetes/client/kubernetes-hub.ts')),
    },
    timeLeft: (await load<Moment>('shared/runtime/moment.ts')).timeLeft,
    stores: { ...(stores as unknown as Stores), ledger: visible(stores.ledger as Stores['ledger'], table) },
    port: (port) => proxied(port, (call) => withOwnFaults(call, Fault)),
    close: () => opened.close(),
  };
}

function visible(ledger: Stores['ledger'], { moves }: SharedTable): Stores['ledger'] {
  return {
    read: (hub) => ledger.read(hub),
    peek: (hub) => moves.get(hub) ?? [],
    async save(hub, saved, options) {
      const isSaved = await ledger.save(hub, saved, options);
      if (isSaved) moves.set(hub, saved);
      return isSaved;
    },
  };
}

/** Code knows the Faults of its own tree only: of another one they would be unclassified errors. */
function withOwnFaults(call: () => unknown, Fault: typeof OwnFault): unknown {
  const rethrow = (thrown: unknown): never => {
    if (!(thrown instanceof Error) || !('retryClass' in thrown) || thrown instanceof Fault) throw thrown;
    const { retryClass, message, reason, retryAfterMs } = thrown as OwnFault;
    throw new Fault(retryClass, message, { reason, ...(retryAfterMs !== undefined && { retryAfterMs }) });
  };
  try {
    const result = call();
    return result instanceof Promise ? result.catch(rethrow) : result;
  } catch (thrown) {
    return rethrow(thrown);
  }
}

function proxied<T extends object>(target: T, around: (call: () => unknown) => unknown): T {
  return new Proxy(target, {
    get(_, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]) => around(() => Reflect.apply(value, target, args) as unknown);
    },
  });
}
