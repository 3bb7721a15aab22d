/** Another client that keeps the API server busy: half of its loops patch bindings, half list them, until it gets a stop command. */
import type { Connection } from '../../shared/kubernetes/client/connection.ts';
import { createTransport, type Transport } from '../../shared/kubernetes/client/transport.ts';
import { answerRequests } from '../ask-process.ts';
import { bindingPath, MERGE_PATCH } from '../bindings.ts';
import { percentile } from '../figures.ts';

export type OtherRequest =
  | { readonly do: 'start'; readonly connection: Connection; readonly namespace: string; readonly loops: number }
  /** Resets the measurements. */
  | { readonly do: 'measure' }
  | { readonly do: 'report' }
  | { readonly do: 'stop' };

export interface OtherAnswer {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Responses with 429. */
  readonly limited: number;
}

const NAMES = Array.from({ length: 50 }, (_, index) => `web-${String(index).padStart(5, '0')}-deployment`);

let running = false;
let took: number[] = [];
let limited = 0;
let since = 0;
let transport: Transport | undefined;

async function loop(number: number, namespace: string): Promise<void> {
  for (let turn = 0; running; turn += 1) {
    const began = performance.now();
    const name = NAMES[(number + turn) % NAMES.length];
    const label = { metadata: { labels: { turn: `${number}-${turn}` } } };
    const request =
      number % 2 === 0
        ? ({ method: 'PATCH', path: bindingPath(namespace, name), body: label, contentType: MERGE_PATCH } as const)
        : ({ method: 'GET', path: `${bindingPath(namespace)}?limit=50` } as const);
    const { status } = (await transport?.send(request).catch(() => undefined)) ?? { status: 0 };
    if (status === 429) limited += 1;
    // Only writes are reported: they are comparable with those of a rebalance.
    if (number % 2 === 0 && status === 200) took.push(performance.now() - began);
  }
}

async function act(request: OtherRequest): Promise<OtherAnswer> {
  switch (request.do) {
    case 'start':
      transport = createTransport(request.connection, { maxSockets: request.loops, timeoutMs: 60_000 });
      running = true;
      for (let number = 0; number < request.loops; number += 1) void loop(number, request.namespace);
      break;
    case 'measure':
      took = [];
      limited = 0;
      since = performance.now();
      break;
    case 'report':
      break;
    case 'stop':
      running = false;
      break;
  }
  const perSecond = (took.length * 1000) / (performance.now() - since);
  return { perSecond, p50Ms: percentile(took, 50), p99Ms: percentile(took, 99), limited };
}

answerRequests(act);
