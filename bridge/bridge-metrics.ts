/** Metrics and the health of a bridge over HTTP, for Prometheus and the kubelet. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LogCode } from '../shared/core/log-codes.ts';
import { ownValue } from '../shared/core/own-value.ts';
import { PROMETHEUS_TEXT, PrometheusMetrics } from '../shared/core/prometheus-metrics.ts';
import type { LogFields, Telemetry } from '../shared/core/telemetry.ts';
import { type Instant, SECOND } from '../shared/core/time.ts';

export const bridgeSeries = {
  evenkeel_bridge_leader: {
    type: 'gauge',
    help: '1 if this bridge holds the Lease of its hub, 0 if it is on standby.',
  },
  evenkeel_bridge_events_published_total: { type: 'counter', help: 'Events on the bus, by watched kind.' },
  evenkeel_bridge_last_published_timestamp_seconds: {
    type: 'gauge',
    help: 'When events were last published, by watched kind.',
  },
  evenkeel_bridge_watches_begun_total: {
    type: 'counter',
    help: 'Watches from the current state, each after a resync of the hub, by watched kind.',
  },
  evenkeel_bridge_failures_total: {
    type: 'counter',
    help: 'Failed requests to the hub or the bus, by reason and watched kind; without a kind: of the Lease.',
  },
} as const;

/** Derives the metrics from the log lines of the bridge, and passes these on. */
export class BridgeMetrics implements Telemetry {
  readonly #metrics = new PrometheusMetrics<keyof typeof bridgeSeries>(bridgeSeries);
  readonly #log: Telemetry;
  readonly #now: () => Instant;

  constructor({ hub, log, now }: { readonly hub: string; readonly log: Telemetry; readonly now: () => Instant }) {
    this.#log = log;
    this.#now = now;
    this.#metrics.set('evenkeel_bridge_leader', 0, { hub });
  }

  outcome(code: LogCode, fields: LogFields): void {
    this.#log.outcome(code, fields);
    const { hub = '', kind = '', reason = '', events = 0, leader = '' } = fields;
    const ofKind = { hub: String(hub), ...(kind !== '' && { kind: String(kind) }) };
    if (code === 'EK400') {
      this.#metrics.add('evenkeel_bridge_events_published_total', Number(events), ofKind);
      this.#metrics.set('evenkeel_bridge_last_published_timestamp_seconds', this.#now() / SECOND, ofKind);
    }
    if (code === 'EK401') this.#metrics.add('evenkeel_bridge_watches_begun_total', 1, ofKind);
    if (code === 'EK402') this.#metrics.add('evenkeel_bridge_failures_total', 1, { ...ofKind, reason: String(reason) });
    if (code === 'EK403') this.#metrics.set('evenkeel_bridge_leader', leader === '' ? 0 : 1, { hub: String(hub) });
  }

  count(...args: Parameters<Telemetry['count']>): void {
    this.#log.count(...args);
  }

  begin(...args: Parameters<Telemetry['begin']>): void {
    this.#log.begin(...args);
  }

  text(): string {
    return this.#metrics.text();
  }
}

export interface MetricsServer {
  readonly port: number;
  close(): void;
}

/** `/metrics`, and `/healthz`, which responds as long as the process does: a bridge on standby is healthy. */
export async function serveMetrics(source: Pick<BridgeMetrics, 'text'>, port: number): Promise<MetricsServer> {
  const pages = { '/metrics': () => source.text(), '/healthz': () => 'ok\n' };
  const server = createServer((request, response) => {
    const text = ownValue(pages, request.url ?? '');
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': PROMETHEUS_TEXT });
    response.end(text?.() ?? 'paths: /metrics and /healthz\n');
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
