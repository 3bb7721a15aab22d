/** Spans of an invocation and the active one, whose W3C traceparent published events carry. Nothing is recorded outside of `recorded`. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
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

/** What an event carries besides its keys. */
interface Published {
  readonly type: string;
  readonly detail: Readonly<Record<string, string | number>>;
}

interface ActiveSpan extends SpanContext {
  readonly fansOut: boolean;
  readonly attributes: Record<string, LogFields[string]>;
  hasPublished: boolean;
  error: string | undefined;
}

interface Recording {
  /** Of the invocation, in the order of their ends. */
  readonly ended: Span[];
  readonly active?: ActiveSpan;
}

const recordings = new AsyncLocalStorage<Recording>();

/** Runs an invocation, and exports its spans before its end. Without an exporter, nothing is recorded. */
export function recorded<T>(exporter: SpanExporter | undefined, invoke: () => Promise<T>): Promise<T> {
  return exporter === undefined ? invoke() : recordedFor(exporter, invoke);
}

async function recordedFor<T>(exporter: SpanExporter, invoke: () => Promise<T>): Promise<T> {
  const ended: Span[] = [];
  try {
    return await recordings.run({ ended }, invoke);
  } finally {
    if (ended.length > 0) await exporter(ended);
  }
}

/** Runs `act` in a span, which fails if `act` throws. Outside of a recording it only runs `act`. */
export function inSpan<T>(start: SpanStart, act: () => Promise<T>): Promise<T> {
  const recording = recordings.getStore();
  return recording === undefined ? act() : measured(start, recording, act);
}

async function measured<T>(start: SpanStart, { ended, active: outer }: Recording, act: () => Promise<T>): Promise<T> {
  const { name, kind, causes = [], fansOut = false, attributes = {} } = start;
  const parent = causes[0] ?? outer;
  const links = causes.slice(1).filter(({ traceId }) => traceId !== parent?.traceId);
  const active: ActiveSpan = {
    traceId: parent?.traceId ?? newTraceId(),
    spanId: newSpanId(),
    fansOut,
    attributes: { ...attributes },
    hasPublished: false,
    error: undefined,
  };
  const begin = present();
  try {
    return await recordings.run({ ended, active }, act);
  } catch (thrown) {
    active.error = thrown instanceof Error ? thrown.message : String(thrown);
    throw thrown;
  } finally {
    const { traceId, spanId, error } = active;
    if (fansOut && !active.hasPublished) discard(ended, traceId);
    else
      ended.push({
        ...{ traceId, spanId, name, kind, begin, end: present(), links, attributes: active.attributes },
        ...(parent !== undefined && { parentSpanId: parent.spanId }),
        ...(error !== undefined && { error }),
      });
  }
}

/** Adds attributes to the active span, and an error that was handled. */
export function noteSpan(attributes: LogFields, error?: string): void {
  const active = recordings.getStore()?.active;
  if (active === undefined) return;
  Object.assign(active.attributes, attributes);
  active.error = error ?? active.error;
}

export function activeTraceId(): string | undefined {
  return recordings.getStore()?.active?.traceId;
}

/** The event with the traceparent of its publication. One that has a traceparent, of a schedule, keeps it. */
export function traced<E extends Published>(event: E): E {
  const recording = recordings.getStore();
  const { active } = recording ?? {};
  if (recording === undefined || active === undefined || 'traceparent' in event.detail) return event;
  active.hasPublished = true;
  const publisher = active.fansOut ? publication(event.type, active, recording) : active;
  return { ...event, detail: { ...event.detail, traceparent: traceparentOf(publisher) } };
}

/** The root of the trace of one event. */
function publication(type: string, active: ActiveSpan, { ended }: Recording): SpanContext {
  const own = { traceId: newTraceId(), spanId: newSpanId() };
  const { traceId, spanId } = active;
  const at = present();
  const timed = { begin: at, end: at, links: [{ traceId, spanId }], attributes: {} };
  ended.push({ ...own, name: `publish ${type}`, kind: 'Producer', ...timed });
  return own;
}

function discard(ended: Span[], traceId: string): void {
  const kept = ended.filter((span) => span.traceId !== traceId);
  ended.splice(0, ended.length, ...kept);
}

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

function newTraceId(): string {
  return randomBytes(16).toString('hex');
}

function newSpanId(): string {
  return randomBytes(8).toString('hex');
}

/** Spans are measured on real time also where a test decides from another one. */
function present(): number {
  return performance.timeOrigin + performance.now();
}
