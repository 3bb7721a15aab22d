import { gzipSync } from 'node:zlib';
import type { Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { task as readAuditLog } from '../../../functions/cluster-hook/read-audit-log.lambda.ts';
import type { EvenkeelEvent } from '../../../shared/bus/event.ts';
import { Fault } from '../../../shared/core/fault.ts';
import { parseSettings } from '../../../shared/core/settings.ts';
import { onLogs } from '../../../shared/runtime/logs-task.ts';
import { auditEventOf } from '../../fakes/hook-scene.ts';
import { hookAccess } from '../../fakes/one-hub.ts';
import type { Line } from '../../fakes/telemetry.ts';

const LOG = '/aws/eks/edge-1/cluster';

function scene({ busy, account }: { busy?: boolean; account?: string } = {}) {
  const published: EvenkeelEvent[] = [];
  const lines: Line[] = [];
  const counts = new Map<string, number>();
  const handler = onLogs(
    readAuditLog,
    {
      hookAccess: () => hookAccess({ accountOf: async () => account }),
      bus: () => ({
        publish: async (events) => {
          if (busy) throw new Fault('limited', 'EventBridge: throttled', { reason: 'ThrottlingException' });
          published.push(...events);
        },
      }),
    },
    {
      context: () => ({
        settings: parseSettings({}),
        telemetry: {
          outcome: (code, fields) => void lines.push({ code, fields }),
          count: (metric, value) => void counts.set(metric, value),
          begin: () => undefined,
        },
        now: () => 0,
        newId: () => 'id',
        timeLeft: () => Number.POSITIVE_INFINITY,
      }),
      auditLogs: () => ({ hubOf: async (group) => (group === LOG ? 'edge-1' : undefined) }),
    },
  );
  const send = (data: string) => handler({ awslogs: { data } }, {} as Context);
  return { published, lines, counts, send };
}

function packed(content: unknown): string {
  return gzipSync(JSON.stringify(content)).toString('base64');
}

/** As CloudWatch sends what a subscription lets through. */
function subscription(messages: readonly string[], over: object = {}): string {
  return packed({
    messageType: 'DATA_MESSAGE',
    owner: '123456789012',
    logGroup: LOG,
    logStream: 'kube-apiserver-audit-0f3c',
    subscriptionFilters: ['evenkeel-edge-1'],
    logEvents: messages.map((message, i) => ({ id: String(i), timestamp: 1_795_276_800_000, message })),
    ...over,
  });
}

const line = (name: string, over: object = {}) =>
  JSON.stringify({ kind: 'Event', apiVersion: 'audit.k8s.io/v1', ...auditEventOf(name), ...over });

describe("a control plane's log", () => {
  it('is read like the audit webhook: watched changes are published for the hub that owns the log', async () => {
    const s = scene({ account: 'evenkeel' });
    const lines = [line('a'), line('a'), line('b', { verb: 'get' }), line('c', { user: { username: 'evenkeel' } })];
    await s.send(subscription(lines));
    expect(s.published.map(({ type, detail }) => [type, detail])).toEqual([
      ['WorkloadRebalancerChanged', { hub: 'edge-1', name: 'a', version: 1 }],
    ]);
    expect(s.lines).toMatchObject([
      { code: 'EK100', fields: { hub: 'edge-1', admitted: 1, repeated: 1, ignored: 1, own: 1 } },
    ]);
  });

  it('counts lines that are no audit events, and takes the others', async () => {
    const s = scene();
    await s.send(subscription(['W1121 not JSON', '{}', line('../x'), line('a')]));
    expect(s.published.map(({ detail }) => detail.name)).toEqual(['a']);
    expect(s.counts).toEqual(new Map([['AuditEventsUnreadable', 3]]));
  });

  it.each([
    ['no base64', '%%%'],
    ['no gzip', Buffer.from('{}').toString('base64')],
    ['half a gzip', subscription([line('a')]).slice(0, 40)],
    ['a gzip bomb', gzipSync(Buffer.alloc(80 * 1024 * 1024)).toString('base64')],
    ['no JSON', gzipSync('{').toString('base64')],
    ['no subscription', packed({ messageType: 'DATA_MESSAGE' })],
    ['lines that are no texts', packed({ messageType: 'DATA_MESSAGE', logGroup: LOG, logEvents: [{ message: 1 }] })],
    ['a log of no hub', subscription([line('a')], { logGroup: '/aws/eks/other/cluster' })],
    ['a log that every object has', subscription([line('a')], { logGroup: 'constructor' })],
  ])('is counted and not tried again where it sends %s', async (_, data) => {
    const s = scene();
    await s.send(data);
    expect([s.published, s.counts.get('AuditLogsUnreadable')]).toEqual([[], 1]);
    expect(s.lines).toMatchObject([{ code: 'EK103', fields: { retryClass: 'terminal' } }]);
  });

  it('only tests the subscription with a control message', async () => {
    const s = scene();
    await s.send(
      subscription(['CWL CONTROL MESSAGE: Checking health of destination.'], { messageType: 'CONTROL_MESSAGE' }),
    );
    expect([s.published, s.lines, s.counts.size]).toEqual([[], [], 0]);
  });

  it('is sent again by Lambda where the bus did not take the events', async () => {
    await expect(scene({ busy: true }).send(subscription([line('a')]))).rejects.toMatchObject({
      retryClass: 'limited',
    });
  });
});
