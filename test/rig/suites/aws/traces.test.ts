/** The trace of one WorkloadRebalancer on the complete deployment, from the hub's audit event to the deletion, as docs/operations/traces.md shows it. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OtlpSpan } from '../../../../shared/core/otlp.ts';
import { attributeOf, TraceCollector, traceOf, treeOf } from '../../../traces/trace-collector.ts';
import { deployStacks } from '../../parts/aws-deployment.ts';
import { bindingsPath, deploymentIn, type Rebalancer, until } from '../hub-client.ts';
import { type Deployed, HUB, SETTINGS, startDeployed, taskOnce } from './deployed.ts';

const NAME = `traced-${Date.now()}`;
const TTL_SECONDS = 12;

let deployed: Deployed;
let collector: TraceCollector;
let rebalancer: Rebalancer;
let trace: readonly OtlpSpan[] = [];

/** Without traces again, or the other suites would export to a collector that is gone. */
async function deploy(tracesTo?: string): Promise<void> {
  const { rig, aws } = deployed;
  await deployStacks(rig, aws.emulator, { hub: HUB, settings: SETTINGS, ...(tracesTo !== undefined && { tracesTo }) });
}

beforeAll(async () => {
  deployed = await startDeployed();
  collector = await TraceCollector.start();
  await deploy(collector.url);
  const { client } = deployed;
  await client.bindings(NAME, ['web']);
  await client.rebalancer(NAME, [deploymentIn(NAME, 'web')], { ttlSecondsAfterFinished: TTL_SECONDS });
  rebalancer = await client.finished(NAME);
  const isReported = (span: OtlpSpan) =>
    span.name === 'evenkeel-confirm-rescheduling' && attributeOf(span, 'evenkeel.name') === NAME;
  await until('the scheduler is waited for', async () => collector.spans.find(isReported));
  // As the scheduler, before the scheduled check.
  const lastScheduledTime = new Date(Date.parse(rebalancer.metadata.creationTimestamp) + 1000).toISOString();
  await client.merge(`${bindingsPath(NAME)}/web-deployment/status`, { status: { lastScheduledTime } });
  const isDeletion = (span: OtlpSpan) =>
    span.name === 'DELETE' && attributeOf(span, 'url.path')?.endsWith(`/${NAME}`) === true;
  const isCheck = (span: OtlpSpan) => attributeOf(span, 'evenkeel.event') === 'ReschedulingCheckDue';
  trace = await until('deletion and check are exported', async () => {
    const found = traceOf(collector.spans, isDeletion);
    return found?.some(isCheck) ? found : undefined;
  });
});

afterAll(async () => {
  await deploy();
  await collector.close();
});

const isRequest = ({ kind }: OtlpSpan) => kind === 3;

describe('the trace of a WorkloadRebalancer, with everything deployed', () => {
  it('is whole: each span but its first has its parent, from the audit event to the deletion', () => {
    const ids = new Set(trace.map(({ spanId }) => spanId));
    const first = trace.filter(({ parentSpanId }) => parentSpanId === undefined || !ids.has(parentSpanId));
    expect(first.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
      ['publish WorkloadRebalancerChanged', undefined],
    ]);
  });

  it('is as docs/operations/traces.md shows it', () => {
    const shown = trace.filter((span) => !isRequest(span) || /PATCH|DELETE/.test(span.name));
    const text = treeOf(shown, textOf).join('\n');
    expect(readFileSync('docs/operations/traces.md', 'utf8')).toContain(`\n${text}\n`);
  });

  it('has requests and functions that ended in order, none with an error', () => {
    expect(trace.filter(({ status }) => status.code !== undefined)).toEqual([]);
    const byId = new Map(trace.map((span) => [span.spanId, span]));
    for (const span of trace.filter(isRequest)) {
      const parent = byId.get(span.parentSpanId ?? '');
      expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(parent?.startTimeUnixNano ?? 0));
      expect(BigInt(span.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(parent?.endTimeUnixNano ?? 0));
    }
  });

  it('has the id that its task has', async () => {
    const task = await taskOnce(deployed, rebalancer, ({ state }) => state === 'Finished');
    expect(task.traceId).toBe(trace[0]?.traceId);
  });
});

function textOf(span: OtlpSpan): string {
  const path = attributeOf(span, 'url.path')?.replaceAll(NAME, 'rebalance-web');
  return [span.name, attributeOf(span, 'evenkeel.event') ?? path].filter((part) => part !== undefined).join(' ');
}
