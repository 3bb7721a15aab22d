/** Spans of traces, and the W3C traceparent that names one. */
import type { LogFields } from './telemetry.ts';

/** Hexadecimal ids: 32 digits of a trace, 16 of a span. */
export interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
}

export type SpanKind = 'Server' | 'Client' | 'Producer' | 'Consumer';

export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  /** Of the messages that caused it: the first is its parent, the others are links. Without one it is a child of the active span, or a root. */
  readonly causes?: readonly SpanContext[];
  readonly attributes?: LogFields;
  /** Each event that it publishes begins a trace of its own; without a published event it is not exported. */
  readonly fansOut?: boolean;
}

/** Times: milliseconds since 1970, with fractions. */
export interface Span extends SpanContext {
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: SpanKind;
  readonly begin: number;
  readonly end: number;
  readonly links: readonly SpanContext[];
  readonly attributes: LogFields;
  readonly error?: string;
}

/** Never throws: a trace that is lost must not fail an invocation. */
export type SpanExporter = (spans: readonly Span[]) => Promise<void>;

/** W3C Trace Context, version 00. Everything is sampled: a collector selects. */
export function traceparentOf({ traceId, spanId }: SpanContext): string {
  return `00-${traceId}-${spanId}-01`;
}

/** Undefined for what is no traceparent: a trace that is broken must not fail an event. */
export function spanContextOf(traceparent: unknown): SpanContext | undefined {
  const [, traceId, spanId] =
    /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/.exec(String(traceparent)) ?? [];
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId };
}
