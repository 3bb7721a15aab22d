/** Spans as an ExportTraceServiceRequest of the OpenTelemetry protocol, in its JSON encoding (OTLP/HTTP 1). */

import type { Span, SpanKind } from './span.ts';
import type { LogFields } from './telemetry.ts';

const kinds: Readonly<Record<SpanKind, number>> = { Server: 2, Client: 3, Producer: 4, Consumer: 5 };
const STATUS_ERROR = 2;

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue: string } | { readonly intValue: string } | { readonly boolValue: boolean };
}

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number; readonly message?: string };
}

export interface OtlpTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly scope: { readonly name: string }; readonly spans: readonly OtlpSpan[] }[];
  }[];
}

/** `service`: the deployment's name. */
export function otlpTraces(spans: readonly Span[], service: string): OtlpTraces {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ 'service.name': service }) },
        scopeSpans: [{ scope: { name: 'evenkeel' }, spans: spans.map(otlpSpan) }],
      },
    ],
  };
}

function otlpSpan({ kind, begin, end, attributes, error, links, ...span }: Span): OtlpSpan {
  return {
    ...span,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(begin),
    endTimeUnixNano: nanoseconds(end),
    attributes: attributesOf(attributes),
    links,
    status: error === undefined ? {} : { code: STATUS_ERROR, message: error },
  };
}

/** 64-bit integers are strings in this encoding. */
function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}

function attributesOf(fields: LogFields): Attribute[] {
  return Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: attributeValue(value) }],
  );
}

function attributeValue(value: string | number | boolean): Attribute['value'] {
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { stringValue: String(value) };
}
