/** One trace of a rebalance in a local run, from the audit event to the deletion. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type LocalRun, startRun } from '../../local/run.ts';
import type { OtlpSpan } from '../../shared/core/otlp.ts';
import { attributeOf, TraceCollector, traceOf, treeOf } from '../traces/trace-collector.ts';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-traces-'));
const off = { help: false, once: true, data: folder, kubeconfig: undefined, failback: false, estimator: {} };
const REBALANCER = 'bring-web-back';

interface LogLine {
  readonly traceId?: string;
  readonly event?: string;
}

let collector: TraceCollector;
let run: LocalRun;
let trace: readonly OtlpSpan[] = [];

beforeAll(async () => {
  collector = await TraceCollector.start();
  run = await startRun({ ...off, story: 'failback', port: 0, tracesTo: collector.url }, () => undefined);
  trace = await vi.waitUntil(() => traceOf(collector.spans, ({ name }) => name === 'DELETE'), 30_000);
});

afterAll(async () => {
  await run.close();
  await collector.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the trace of a rebalance', () => {
  it('goes from its audit event to its deletion, over every function', () => {
    const ofFunctions = trace.filter(({ name }) => name.includes('/') || name.startsWith('publish'));
    expect(treeOf(ofFunctions, (span) => `${span.name} ${attributeOf(span, 'evenkeel.event') ?? ''}`.trim())).toEqual([
      'publish WorkloadRebalancerChanged',
      '  workload-rebalancer/plan-rebalance WorkloadRebalancerChanged',
      '    workload-rebalancer/report-status RebalanceFinished',
      '      workload-rebalancer/confirm-rescheduling RebalanceReported',
      '      workload-rebalancer/expire-rebalancer RebalanceReported',
      '        workload-rebalancer/expire-rebalancer RebalancerExpiryDue',
    ]);
  });

  it('has the requests to the hub, with their responses', () => {
    const requests = trace.filter(({ kind }) => kind === 3);
    expect(
      requests.map((span) => [
        span.name,
        attributeOf(span, 'url.path')?.split('/').slice(-2).join('/'),
        attributeOf(span, 'http.response.status_code'),
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['GET', `workloadrebalancers/${REBALANCER}`, '200'],
        ['PATCH', 'resourcebindings/web-deployment', '200'],
        ['PATCH', `${REBALANCER}/status`, '200'],
        ['DELETE', `workloadrebalancers/${REBALANCER}`, '200'],
      ]),
    );
  });

  it('is named by the log lines of its functions', () => {
    const [{ traceId }] = trace as [OtlpSpan];
    const lines = readFileSync(join(folder, 'evenkeel.log'), 'utf8').trim().split('\n');
    const ofTrace = lines.map((line) => JSON.parse(line) as LogLine).filter((line) => line.traceId === traceId);
    expect(ofTrace.map(({ event }) => event)).toEqual([
      'WorkloadRebalancerChanged',
      'RebalanceFinished',
      'RebalanceReported',
      'RebalanceReported',
      'RebalancerExpiryDue',
    ]);
  });
});
