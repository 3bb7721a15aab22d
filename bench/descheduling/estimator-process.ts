/** The estimator of every member, in a separate process: it returns the configured number of unschedulable replicas, and reports the requests that it got. */
import { startEstimatorServer } from '../../local/practice-hub/estimator-server.ts';
import { answerRequests } from '../ask-process.ts';
import { FULL } from './members.ts';

export interface TlsIdentity {
  readonly key: string;
  readonly cert: string;
}

export type EstimatorCommand =
  | { readonly do: 'start'; readonly identity: TlsIdentity }
  | { readonly do: 'answer'; readonly unschedulable: number }
  | { readonly do: 'report' };

export interface EstimatorStatus {
  readonly address: string;
  /** Requests for unschedulable replicas since the last `answer`. */
  readonly requests: number;
  /** Milliseconds since 1970; 0 without a request. */
  readonly firstAt: number;
  readonly lastAt: number;
}

const CAPACITY = 1_000_000;
let unschedulable = 0;
let asked: EstimatorStatus = { address: '', requests: 0, firstAt: 0, lastAt: 0 };

const fleet = {
  unschedulable: () => {
    const now = performance.timeOrigin + performance.now();
    asked = { ...asked, requests: asked.requests + 1, firstAt: asked.firstAt || now, lastAt: now };
    return unschedulable;
  },
  // Replicas evicted from one cluster fit into the other.
  capacityFor: (cluster: string) => (cluster === FULL ? 0 : CAPACITY),
};

async function obey(command: EstimatorCommand): Promise<EstimatorStatus> {
  if (command.do === 'start') {
    const { estimator } = await startEstimatorServer({ fleet, identity: command.identity });
    asked = { ...asked, address: estimator.address };
  }
  if (command.do === 'answer') {
    unschedulable = command.unschedulable;
    asked = { ...asked, requests: 0, firstAt: 0, lastAt: 0 };
  }
  return asked;
}

answerRequests(obey);
