/** What Prometheus and the kubelet read of a bridge. */
import { afterEach, expect, it } from 'vitest';
import { BridgeMetrics, type MetricsServer, serveMetrics } from '../../bridge/bridge-metrics.ts';
import type { LogCode } from '../../shared/core/log-codes.ts';

const logged: LogCode[] = [];
const log = { outcome: (code: LogCode) => void logged.push(code), count: () => undefined, begin: () => undefined };
let server: MetricsServer | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
  logged.length = 0;
});

const samples = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

it('counts events, watches and failures by kind, from the log lines that it passes on', () => {
  const metrics = new BridgeMetrics({ hub: 'karmada', log, now: () => 1_795_860_000_000 });
  const kind = { hub: 'karmada', kind: 'clusters' };
  metrics.outcome('EK401', { ...kind, resourceVersion: '7' });
  metrics.outcome('EK400', { ...kind, events: 3 });
  metrics.outcome('EK400', { ...kind, events: 2 });
  metrics.outcome('EK402', { ...kind, reason: 'HubUnreachable', error: 'connect ECONNREFUSED', failures: 1 });
  metrics.outcome('EK402', { hub: 'karmada', reason: 'Forbidden', error: 'leases is forbidden' });
  expect(samples(metrics.text())).toEqual([
    'evenkeel_bridge_leader{hub="karmada"} 0',
    'evenkeel_bridge_watches_begun_total{hub="karmada",kind="clusters"} 1',
    'evenkeel_bridge_events_published_total{hub="karmada",kind="clusters"} 5',
    'evenkeel_bridge_last_published_timestamp_seconds{hub="karmada",kind="clusters"} 1795860000',
    'evenkeel_bridge_failures_total{hub="karmada",kind="clusters",reason="HubUnreachable"} 1',
    'evenkeel_bridge_failures_total{hub="karmada",reason="Forbidden"} 1',
  ]);
  expect(logged).toEqual(['EK401', 'EK400', 'EK400', 'EK402', 'EK402']);
});

it('shows whether this bridge holds the Lease', () => {
  const metrics = new BridgeMetrics({ hub: 'karmada', log, now: () => 0 });
  const leader = () => samples(metrics.text())[0];
  metrics.outcome('EK403', { hub: 'karmada', reason: 'it has expired', leader: 'bridge-1' });
  expect(leader()).toBe('evenkeel_bridge_leader{hub="karmada"} 1');
  metrics.outcome('EK403', { hub: 'karmada', reason: 'another bridge holds it', leader: '' });
  expect(leader()).toBe('evenkeel_bridge_leader{hub="karmada"} 0');
});

it('serves /metrics and /healthz, and no other path', async () => {
  server = await serveMetrics({ text: () => 'up 1\n' }, 0);
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${server?.port}${path}`);
    return [response.status, await response.text(), response.headers.get('content-type')];
  };
  const type = 'text/plain; version=0.0.4; charset=utf-8';
  expect(await get('/metrics')).toEqual([200, 'up 1\n', type]);
  expect(await get('/healthz')).toEqual([200, 'ok\n', type]);
  expect(await get('/toString')).toEqual([404, 'paths: /metrics and /healthz\n', type]);
});
