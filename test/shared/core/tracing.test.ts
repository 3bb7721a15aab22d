import { describe, expect, it } from 'vitest';
import { type Span, type SpanStart, spanContextOf, traceparentOf } from '../../../shared/core/span.ts';
import { activeTraceId, inSpan, noteSpan, recorded, traced } from '../../../shared/core/tracing.ts';

const spanning = <T>(start: SpanStart, act: () => Promise<T>) => inSpan(() => start, act);
const event = { type: 'ClusterChanged', detail: { hub: 'karmada', version: 1 } };
const cause = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
const other = { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16) };

/** The spans of an invocation, in the order of their ends. */
async function spansOf(invoke: () => Promise<unknown>): Promise<readonly Span[]> {
  const spans: Span[] = [];
  await recorded(async (ended) => void spans.push(...ended), invoke).catch(() => undefined);
  return spans;
}

const contextOf = ({ detail }: typeof event) => spanContextOf((detail as { traceparent?: string }).traceparent);

describe('without an exporter', () => {
  it('a span only runs what it is about, and an event is published unchanged', async () => {
    const published = await recorded(undefined, () =>
      spanning({ name: 'work', kind: 'Consumer' }, async () => {
        noteSpan({ key: 1 });
        return traced(event);
      }),
    );
    expect(published).toBe(event);
    expect(activeTraceId()).toBeUndefined();
  });
});

describe('a span', () => {
  it('is a child of the span around it, in its trace, and ends before it', async () => {
    const [inner, outer] = (await spansOf(() =>
      spanning({ name: 'outer', kind: 'Consumer' }, () => spanning({ name: 'inner', kind: 'Client' }, async () => 1)),
    )) as [Span, Span];
    expect(inner).toMatchObject({ name: 'inner', kind: 'Client', traceId: outer.traceId, parentSpanId: outer.spanId });
    expect(outer).not.toHaveProperty('parentSpanId');
    expect(outer.begin).toBeLessThanOrEqual(inner.begin);
    expect(inner.end).toBeLessThanOrEqual(outer.end);
    expect(Math.abs(outer.end - Date.now())).toBeLessThan(60_000);
  });

  it('is a child of the first message that caused it, and links those of other traces', async () => {
    const start = {
      name: 'work',
      kind: 'Consumer',
      causes: [cause, { ...cause, spanId: 'e'.repeat(16) }, other],
    } as const;
    const [span] = await spansOf(() => spanning(start, async () => 1));
    expect(span).toMatchObject({ traceId: cause.traceId, parentSpanId: cause.spanId, links: [other] });
  });

  it('has the error that it ends with, or that it handled, and the attributes that were added', async () => {
    const failed = spanning.bind(undefined, { name: 'a', kind: 'Client', attributes: { before: 1 } }, async () => {
      noteSpan({ after: 2 });
      throw new Error('the hub is down');
    });
    const handled = spanning.bind(undefined, { name: 'b', kind: 'Client' }, async () =>
      noteSpan({}, 'will be repeated'),
    );
    const spans = [...(await spansOf(failed)), ...(await spansOf(handled))];
    expect(spans.map(({ error, attributes }) => [error, attributes])).toEqual([
      ['the hub is down', { before: 1, after: 2 }],
      ['will be repeated', {}],
    ]);
  });

  it('does not mix with one at the same time', async () => {
    const two = ['a', 'b'].map(
      (name) => () =>
        spanning({ name, kind: 'Consumer' }, async () => {
          await new Promise((resolve) => setImmediate(resolve));
          noteSpan({ name });
          return activeTraceId();
        }),
    );
    const spans = await spansOf(() => Promise.all(two.map((run) => run())));
    expect(spans.map(({ name, attributes }) => [name, attributes.name])).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ]);
    expect(spans[0]?.traceId).not.toBe(spans[1]?.traceId);
  });
});

describe('a published event', () => {
  it('has the traceparent of the span that publishes it', async () => {
    let published = event;
    const [span] = await spansOf(() =>
      spanning({ name: 'a', kind: 'Consumer' }, async () => void (published = traced(event))),
    );
    expect(contextOf(published)).toEqual({ traceId: span?.traceId, spanId: span?.spanId });
    expect(published.detail).toMatchObject(event.detail);
  });

  it('keeps the traceparent that its schedule was made with', async () => {
    const scheduled = { ...event, detail: { ...event.detail, traceparent: traceparentOf(cause) } };
    await spansOf(() =>
      spanning({ name: 'a', kind: 'Consumer' }, async () => expect(traced(scheduled)).toBe(scheduled)),
    );
  });

  it('of a request that may publish many begins a trace of its own, linked to the request', async () => {
    let published: (typeof event)[] = [];
    const hook = { name: 'admit-change', kind: 'Server', fansOut: true } as const;
    const spans = await spansOf(() => spanning(hook, async () => void (published = [event, event].map(traced))));
    const request = spans.at(-1);
    const link = { traceId: request?.traceId, spanId: request?.spanId };
    expect(spans.map(({ name, kind, links }) => ({ name, kind, links }))).toEqual([
      { name: 'publish ClusterChanged', kind: 'Producer', links: [link] },
      { name: 'publish ClusterChanged', kind: 'Producer', links: [link] },
      { name: 'admit-change', kind: 'Server', links: [] },
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(3);
    expect(published.map(contextOf)).toEqual(spans.slice(0, 2).map(({ traceId, spanId }) => ({ traceId, spanId })));
  });
});

it('of a request that published nothing, no span is exported, and none of what it asked', async () => {
  const hook = { name: 'admit-change', kind: 'Server', fansOut: true } as const;
  const spans = await spansOf(() => spanning(hook, () => spanning({ name: 'GET', kind: 'Client' }, async () => 1)));
  expect(spans).toEqual([]);
});

it('exports the spans of an invocation that throws, and throws its error', async () => {
  const exported: Span[] = [];
  const failing = recorded(
    async (spans) => void exported.push(...spans),
    () => spanning({ name: 'a', kind: 'Consumer' }, () => Promise.reject(new Error('down'))),
  );
  await expect(failing).rejects.toThrow('down');
  expect(exported.map(({ error }) => error)).toEqual(['down']);
});

describe('a traceparent', () => {
  it('is read as it is written', () => {
    expect(spanContextOf(traceparentOf(cause))).toEqual(cause);
  });

  it.each([
    undefined,
    7,
    '',
    `01-${cause.traceId}-${cause.spanId}-01`,
    `00-${'0'.repeat(32)}-${cause.spanId}-01`,
    `00-${cause.traceId}-${'0'.repeat(16)}-01`,
    `00-${cause.traceId.toUpperCase()}-${cause.spanId}-01`,
    `00-${cause.traceId}-${cause.spanId}-01-more`,
  ])('%j is none', (text) => {
    expect(spanContextOf(text)).toBeUndefined();
  });
});
