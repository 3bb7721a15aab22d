/** An OTLP/HTTP collector on loopback, and its traces as trees. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OtlpSpan, OtlpTraces } from '../../shared/core/otlp.ts';

export class TraceCollector {
  readonly requests: { readonly path: string | undefined; readonly headers: object; readonly body: OtlpTraces }[] = [];
  /** What it answers. */
  status = 200;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<TraceCollector> {
    const server = createServer();
    const collector = new TraceCollector(server);
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as OtlpTraces;
        collector.requests.push({ path: request.url, headers: request.headers, body });
        response.writeHead(collector.status, { 'content-type': 'application/json' }).end('{}');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get spans(): readonly OtlpSpan[] {
    return this.requests.flatMap(({ body }) =>
      body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    );
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}

export function attributeOf({ attributes }: OtlpSpan, key: string): string | undefined {
  const value = attributes.find((attribute) => attribute.key === key)?.value;
  return value === undefined ? undefined : String(Object.values(value)[0]);
}

/** All spans of the trace that has such a span; undefined if there is none yet. */
export function traceOf(
  spans: readonly OtlpSpan[],
  isWanted: (span: OtlpSpan) => boolean,
): readonly OtlpSpan[] | undefined {
  const traceId = spans.find(isWanted)?.traceId;
  return traceId === undefined ? undefined : spans.filter((span) => span.traceId === traceId);
}

/** The spans of one trace, indented by their parents, equal siblings as one; by their texts, because functions begin in any order. */
export function treeOf(spans: readonly OtlpSpan[], textOf = (span: OtlpSpan) => span.name): readonly string[] {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined || !known.has(parentSpanId));
  return linesOf(roots, { spans, textOf, indent: '' });
}

interface Tree {
  readonly spans: readonly OtlpSpan[];
  readonly textOf: (span: OtlpSpan) => string;
  readonly indent: string;
}

function linesOf(siblings: readonly OtlpSpan[], tree: Tree): readonly string[] {
  const blocks = siblings
    .toSorted((a, b) => (tree.textOf(a) < tree.textOf(b) ? -1 : 1))
    .map((span) => {
      const children = tree.spans.filter(({ parentSpanId }) => parentSpanId === span.spanId);
      return [`${tree.indent}${tree.textOf(span)}`, ...linesOf(children, { ...tree, indent: `${tree.indent}  ` })].join(
        '\n',
      );
    });
  return [...new Set(blocks)].flatMap((block) => block.split('\n'));
}
