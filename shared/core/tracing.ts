/** Spans of an invocation and the active one, whose W3C traceparent published events carry. Nothing is recorded outside of `recorded`. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { type Span, type SpanContext, type SpanExporter, type SpanStart, traceparentOf } from './span.ts';
import type { LogFields } from './telemetry.ts';

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
export function inSpan<T>(start: () => SpanStart, act: () => Promise<T>): Promise<T> {
  const recording = recordings.getStore();
  return recording === undefined ? act() : measured(start(), recording, act);
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
