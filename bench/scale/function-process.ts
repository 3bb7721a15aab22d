/** One function in a process of its own, so that its peak memory is its own: what it costs to read a hub of some size. */
import { subscribe } from 'node:diagnostics_channel';
import { task as findCandidates } from '../../functions/descheduler/find-candidates.lambda.ts';
import { task as findReductions } from '../../functions/graceful-reduction/find-reductions.lambda.ts';
import { task as evaluatePolicies } from '../../functions/rebalance-policy/evaluate-policies.lambda.ts';
import { task as findUnscheduled } from '../../functions/scheduler/find-unscheduled.lambda.ts';
import { DeschedulingDue, PoliciesDue, ResyncDue } from '../../shared/bus/catalogue.ts';
import type { EvenkeelEvent } from '../../shared/bus/event.ts';
import { parseSettings } from '../../shared/core/settings.ts';
import type { Telemetry } from '../../shared/core/telemetry.ts';
import { connectHub } from '../../shared/kubernetes/client/connect-hub.ts';
import type { Connection } from '../../shared/kubernetes/client/connection.ts';
import { MemoryDeschedulingStore } from '../../test/fakes/stores/memory-descheduling-store.ts';
import { MemoryExternalEventStore } from '../../test/fakes/stores/memory-external-event-store.ts';
import { MemoryPolicyStore } from '../../test/fakes/stores/memory-policy-store.ts';
import { MemoryResyncPositions } from '../../test/fakes/stores/memory-resync-positions.ts';
import { answerRequests } from '../ask-process.ts';
import { HubTraffic } from '../monthly-cost/hub-traffic.ts';

export interface FunctionWork {
  /** Read by the parent: a function loads no kubeconfig library. */
  readonly connection: Connection;
  readonly name: MeasuredFunction;
}

export interface MeasuredInvocation {
  readonly ms: number;
  readonly requests: number;
  readonly bytes: number;
  readonly reason: string;
}

export interface FunctionCost {
  readonly first: MeasuredInvocation;
  /** The same again, with nothing changed since. */
  readonly again: MeasuredInvocation;
  /** Of the process, with Node and the function's modules, after both. */
  readonly peakMb: number;
}

const HUB = 'karmada';
const settings = parseSettings({});
const telemetry: Telemetry = { outcome: () => undefined, count: () => undefined, begin: () => undefined };
const published: EvenkeelEvent[] = [];

function portsOn(connection: Connection) {
  const hub = connectHub(HUB, connection, { settings, telemetry });
  const features = ['scheduler', 'policies', 'gracefulReduction'];
  return {
    ...{ settings, telemetry, now: () => Date.now(), newId: () => 'one', timeLeft: () => Number.POSITIVE_INFINITY },
    hubs: {
      connect: async () => hub,
      hasEstimator: async () => true,
      uses: async (_name: string, feature: string) => features.includes(feature),
    } as never,
    positions: new MemoryResyncPositions(),
    descheduling: new MemoryDeschedulingStore(),
    policies: new MemoryPolicyStore(),
    externalEvents: new MemoryExternalEventStore(),
    bus: { publish: async (events: readonly EvenkeelEvent[]) => void published.push(...events) },
    schedule: { put: async () => {} },
  };
}

type Ports = ReturnType<typeof portsOn>;

const at = { hub: HUB };
const measured = {
  'scheduler/find-unscheduled': (ports: Ports) => findUnscheduled.run(at, ports, new Set([ResyncDue.type])),
  'graceful-reduction/find-reductions': (ports: Ports) => findReductions.run(at, ports, new Set([ResyncDue.type])),
  'descheduler/find-candidates': (ports: Ports) =>
    findCandidates.run(at, { ...ports, descheduling: new MemoryDeschedulingStore() }, new Set([DeschedulingDue.type])),
  'rebalance-policy/evaluate-policies': (ports: Ports) => evaluatePolicies.run(at, ports, new Set([PoliciesDue.type])),
} as const;
export type MeasuredFunction = keyof typeof measured;
export const measuredFunctions = Object.keys(measured) as readonly MeasuredFunction[];

let requests = 0;
subscribe('http.client.request.start', () => {
  requests += 1;
});

answerRequests(async ({ connection, name }: FunctionWork): Promise<FunctionCost> => {
  const traffic = new HubTraffic(Number(new URL(connection.server).port));
  const ports = portsOn(connection);
  const invoke = async (): Promise<MeasuredInvocation> => {
    requests = 0;
    const began = performance.now();
    const { reason } = await measured[name](ports);
    return { ms: performance.now() - began, requests, bytes: traffic.take().bytesFromHub, reason };
  };
  const first = await invoke();
  return { first, again: await invoke(), peakMb: process.resourceUsage().maxRSS / 1024 };
});
