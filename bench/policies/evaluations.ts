/** Measures the cost of one cluster event on a hub with policies: the real function, over HTTP to a practice hub in this process. */
import { task } from '../../functions/rebalance-policy/evaluate-policies.lambda.ts';
import { type HubServer, startHubServer } from '../../local/practice-hub/hub-server.ts';
import type { EvenkeelEvent } from '../../shared/bus/event.ts';
import { parseSettings } from '../../shared/core/settings.ts';
import { sum } from '../../shared/core/sum.ts';
import { ConcurrencyLimiter } from '../../shared/kubernetes/client/concurrency-limiter.ts';
import { LimitedHubClient } from '../../shared/kubernetes/client/hub-client.ts';
import { KubernetesHub } from '../../shared/kubernetes/client/kubernetes-hub.ts';
import { type ApiRequest, createTransport } from '../../shared/kubernetes/client/transport.ts';
import { MemoryExternalEventStore } from '../../test/fakes/stores/memory-external-event-store.ts';
import { MemoryPolicyStore } from '../../test/fakes/stores/memory-policy-store.ts';
import { type Figure, figure, type Ratio, ratio } from '../result.ts';
import { fillHub } from './hub-objects.ts';

export interface BenchFleet {
  readonly workloads: number;
  readonly policies: number;
}

export interface Figures extends BenchFleet {
  readonly ms: Figure;
  /** Ratios of time and requests to the first fleet; empty for the first. */
  readonly ratios: readonly Ratio[];
  /** Of one evaluation: "GET resourcebindings" → how many. */
  readonly requests: Readonly<Record<string, number>>;
  readonly runs: number;
}

const HUB = 'bench';
const IN_FLIGHT = 16;

/** Each round evaluates every fleet once, so that a machine that slows down slows all of them. */
export async function measureEvaluations(fleets: readonly BenchFleet[], rounds: number): Promise<readonly Figures[]> {
  const measured = await Promise.all(fleets.map(async (fleet) => new PolicyEvaluation(fleet, await hubWith(fleet))));
  try {
    for (let round = 0; round < rounds; round++) for (const each of measured) await each.once();
    return measured.map(({ fleet, times, requests, runs }, index) => ({
      ...fleet,
      ms: figure(fleetText(fleet), 'ms', times),
      ratios: index === 0 ? [] : ratiosTo(measured[0], measured[index]),
      requests: Object.fromEntries([...requests].sort(([a], [b]) => (a < b ? -1 : 1))),
      runs,
    }));
  } finally {
    await Promise.all(measured.map((each) => each.close()));
  }
}

function ratiosTo(base: PolicyEvaluation | undefined, own: PolicyEvaluation | undefined): readonly Ratio[] {
  if (!base || !own) return [];
  const name = `${fleetText(own.fleet)}, to ${fleetText(base.fleet)}`;
  const compared = { better: 'lower' } as const;
  return [
    ratio(`an evaluation for ${name}`, { values: own.times, base: base.times, kind: 'time', ...compared }),
    ratio(`pages read for ${name}`, { values: [pagesOf(own)], base: [pagesOf(base)], kind: 'count', ...compared }),
  ];
}

function pagesOf({ requests }: PolicyEvaluation): number {
  return sum([...requests].flatMap(([what, count]) => (what.startsWith('GET') ? count : [])));
}

function fleetText({ workloads, policies }: BenchFleet): string {
  return `${workloads.toLocaleString('en')} workloads and ${policies} ${policies === 1 ? 'policy' : 'policies'}`;
}

async function hubWith(fleet: BenchFleet): Promise<HubServer> {
  const server = await startHubServer({ port: 0 });
  fillHub(server.store, fleet);
  return server;
}

class PolicyEvaluation {
  readonly fleet: BenchFleet;
  readonly times: number[] = [];
  /** Of the last evaluation. */
  requests = new Map<string, number>();
  runs = 0;
  readonly #server: HubServer;
  readonly #hub: KubernetesHub;
  readonly #close: () => void;

  constructor(fleet: BenchFleet, server: HubServer) {
    this.fleet = fleet;
    this.#server = server;
    const transport = createTransport(
      { server: server.url, hookTokens: [] },
      { maxSockets: IN_FLIGHT, timeoutMs: 10_000 },
    );
    const counting = {
      ...transport,
      send: (request: ApiRequest) => {
        const what = nameOf(request);
        this.requests.set(what, (this.requests.get(what) ?? 0) + 1);
        return transport.send(request);
      },
    };
    const limiter = new ConcurrencyLimiter({
      max: IN_FLIGHT,
      now: () => performance.now(),
      wait: async () => {},
      onCut: () => {},
    });
    this.#hub = new KubernetesHub(HUB, {
      client: new LimitedHubClient({ transport: counting, limiter }),
      onUnreadable: () => {},
    });
    this.#close = () => transport.close();
  }

  /** With an empty table: every policy's trigger fires, and it plans its run. */
  async once(): Promise<void> {
    this.requests = new Map();
    const published: EvenkeelEvent[] = [];
    const ports = {
      hubs: { connect: async () => this.#hub, uses: async () => false } as never,
      policies: new MemoryPolicyStore(),
      externalEvents: new MemoryExternalEventStore(),
      bus: { publish: async (events: readonly EvenkeelEvent[]) => void published.push(...events) },
      schedule: { put: async () => {} },
      settings: parseSettings({}),
      telemetry: { outcome: () => {}, count: () => {}, begin: () => {} },
      now: () => Date.now(),
      newId: () => `run${this.times.length}`,
      timeLeft: () => Number.POSITIVE_INFINITY,
    };
    const from = performance.now();
    await task.run({ hub: HUB }, ports, new Set(['PolicyRunDue']));
    this.times.push(performance.now() - from);
    this.runs = published.length;
  }

  async close(): Promise<void> {
    this.#close();
    await this.#server.close();
  }
}

/** "GET resourcebindings", "PATCH rebalancepolicies/status". */
function nameOf({ method, path }: ApiRequest): string {
  const parts = path.split('?')[0]?.split('/') ?? [];
  return parts.at(-1) === 'status' ? `${method} ${parts.at(-3)}/status` : `${method} ${parts.at(-1)}`;
}
