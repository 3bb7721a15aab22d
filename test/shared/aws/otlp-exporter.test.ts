import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { otlpExporter } from '../../../shared/aws/otlp-exporter.ts';
import { XRAY } from '../../../shared/core/environment.ts';
import type { Span } from '../../../shared/core/span.ts';
import { type Line, recording } from '../../fakes/telemetry.ts';
import { TraceCollector } from '../../traces/trace-collector.ts';

const span: Span = {
  ...{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), parentSpanId: 'c'.repeat(16) },
  ...{ name: 'PATCH', kind: 'Client', begin: 1_700_000_000_000.25, end: 1_700_000_000_001 },
  links: [{ traceId: 'd'.repeat(32), spanId: 'e'.repeat(16) }],
  attributes: { text: 'x', count: 2, share: 0.5, is: true, none: undefined },
  error: 'the hub is down',
};

let lines: Line[];
beforeEach(() => {
  lines = [];
});

const exporterTo = (to: string, environment = {}) =>
  otlpExporter({ to, service: 'evenkeel', telemetry: recording(lines), environment });

async function startCollector(): Promise<TraceCollector> {
  const collector = await TraceCollector.start();
  onTestFinished(() => collector.close());
  return collector;
}

describe('an exporter to a collector', () => {
  it.each(['', '/', '/tenant'])('posts the spans in the JSON encoding of OTLP below %j of its URL', async (path) => {
    const collector = await startCollector();
    await exporterTo(`${collector.url}${path}`)([span]);
    const [{ path: posted, body }] = collector.requests as [(typeof collector.requests)[0]];
    expect(posted).toBe(`${path.replace(/\/$/, '')}/v1/traces`);
    expect(body.resourceSpans).toEqual([
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'evenkeel' } }] },
        scopeSpans: [
          {
            scope: { name: 'evenkeel' },
            spans: [
              {
                ...{
                  traceId: span.traceId,
                  spanId: span.spanId,
                  parentSpanId: span.parentSpanId,
                  name: 'PATCH',
                  kind: 3,
                },
                startTimeUnixNano: '1700000000000250000',
                endTimeUnixNano: '1700000000001000000',
                attributes: [
                  { key: 'text', value: { stringValue: 'x' } },
                  { key: 'count', value: { intValue: '2' } },
                  { key: 'share', value: { stringValue: '0.5' } },
                  { key: 'is', value: { boolValue: true } },
                ],
                links: span.links,
                status: { code: 2, message: 'the hub is down' },
              },
            ],
          },
        ],
      },
    ]);
    expect(lines).toEqual([]);
  });

  it('reports a response that is no success, and a collector that is away, and throws neither', async () => {
    const collector = await startCollector();
    collector.status = 429;
    await exporterTo(collector.url)([span]);
    await exporterTo('http://127.0.0.1:1')([span, span]);
    expect(lines).toMatchObject([
      { code: 'EK005', fields: { spans: 1, error: expect.stringContaining('answered 429: {}') as string } },
      { code: 'EK005', fields: { spans: 2 } },
    ]);
  });
});

describe('an exporter to X-Ray', () => {
  const environment = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 'SECRET' };

  async function request(more: object = {}): Promise<{ url: string; headers: Record<string, string> }> {
    const fetch = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('{}'));
    onTestFinished(() => fetch.mockRestore());
    await exporterTo(XRAY, { ...environment, ...more })([span]);
    const [url, init] = fetch.mock.calls[0] ?? [];
    if (!(url instanceof URL)) throw new Error('no request was sent to a URL');
    return { url: url.href, headers: init?.headers as Record<string, string> };
  }

  it('posts to the endpoint of its region, signed as Signature Version 4 prescribes', async () => {
    const { url, headers } = await request();
    expect(url).toBe('https://xray.eu-central-1.amazonaws.com/v1/traces');
    const { authorization = '', 'x-amz-date': date = '', 'x-amz-content-sha256': hash } = headers;
    const [, signedHeaders = '', signature] =
      /SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})/.exec(authorization) ?? [];
    expect(authorization).toContain(`Credential=AKID/${date.slice(0, 8)}/eu-central-1/xray/aws4_request`);
    // Calculated again, from the documented steps.
    const canonical = [
      ...['POST', '/v1/traces', ''],
      ...signedHeaders.split(';').map((name) => `${name}:${headers[name]}`),
      ...['', signedHeaders, hash],
    ].join('\n');
    const scope = `${date.slice(0, 8)}/eu-central-1/xray/aws4_request`;
    const { createHash } = await import('node:crypto');
    const text = ['AWS4-HMAC-SHA256', date, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
    const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();
    const key = ['eu-central-1', 'xray', 'aws4_request'].reduce<Buffer>(hmac, hmac('AWS4SECRET', date.slice(0, 8)));
    expect(signature).toBe(hmac(key, text).toString('hex'));
    expect(headers).not.toHaveProperty('x-amz-security-token');
  });

  it('posts to the domain of the regions in China', async () => {
    expect((await request({ AWS_REGION: 'cn-north-1' })).url).toBe(
      'https://xray.cn-north-1.amazonaws.com.cn/v1/traces',
    );
  });

  it("sends the session's token of temporary credentials", async () => {
    expect((await request({ AWS_SESSION_TOKEN: 'TOKEN' })).headers).toMatchObject({ 'x-amz-security-token': 'TOKEN' });
  });
});
