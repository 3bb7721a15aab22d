/** The code that an instance runs: that of this tree, or of another version. */
import type { AllPorts } from '../../../local/all-ports.ts';
import { hookRoutesOf, queueFunctions } from '../../../local/functions.ts';
import { ConcurrencyLimiter } from '../../../shared/kubernetes/client/concurrency-limiter.ts';
import { LimitedHubClient } from '../../../shared/kubernetes/client/hub-client.ts';
import { KubernetesHub } from '../../../shared/kubernetes/client/kubernetes-hub.ts';
import type { MoveLedger } from '../../../shared/move-budget/move-ledger.ts';
import { timeLeft } from '../../../shared/runtime/moment.ts';
import type { MemoryMoveLedger } from '../../fakes/stores/memory-move-ledger.ts';

/** The stores of a simulated deployment. */
export const storeNames = [
  ...([
    'tasks',
    'descheduling',
    'policies',
    'elastic',
    'positions',
    'assignments',
    'ledger',
    'externalEvents',
  ] as const),
];

export interface Stores extends Pick<AllPorts, Exclude<(typeof storeNames)[number], 'ledger'>> {
  /** `peek`: for an oracle, which cannot wait. */
  readonly ledger: MoveLedger & Pick<MemoryMoveLedger, 'peek'>;
}

export interface FunctionCode {
  readonly functions: {
    readonly queueFunctions: Partial<typeof queueFunctions>;
    readonly hookRoutesOf: typeof hookRoutesOf;
  };
  readonly client: {
    readonly KubernetesHub: typeof KubernetesHub;
    readonly LimitedHubClient: typeof LimitedHubClient;
    readonly ConcurrencyLimiter: typeof ConcurrencyLimiter;
  };
  readonly timeLeft: typeof timeLeft;
  /** Its stores; those of the system if undefined. */
  readonly stores?: Stores;
  /** The port as this code sees it: with its own Faults. */
  port<T extends object>(port: T): T;
}

export const ownCode: FunctionCode = {
  functions: { queueFunctions, hookRoutesOf },
  client: { KubernetesHub, LimitedHubClient, ConcurrencyLimiter },
  timeLeft,
  port: (port) => port,
};

/** A delivery to a function, or a request to a path of the hook. */
export interface Delivery {
  readonly name: string;
  readonly functionName: string;
  readonly now: number;
  /** Before it. */
  readonly deliveries: number;
}

/** What is deployed: which code gets a delivery, on which stores. */
export interface DeployedCode {
  codeOf(delivery: Delivery): FunctionCode;
  /** Of the system, for its oracles. */
  readonly stores: Stores;
  /** Whether a store waits for its table. */
  isReading(): boolean;
}
