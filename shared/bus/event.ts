/** The definition of an event: its detail-type, its detail's schema and key, and its sources. */
import * as z from 'zod/mini';
import { Fault } from '../core/fault.ts';
import { firstIssue } from '../core/field-error.ts';
import { type SpanContext, spanContextOf } from '../core/span.ts';
import { fromTimestamp, type Instant } from '../core/time.ts';
import type { HubFeature } from '../kubernetes/hub-features.ts';
import { hubNamePattern } from '../kubernetes/hub-record.ts';

/** The source of events of our functions and schedules. */
export const SOURCE = 'evenkeel';
/** Prefix of the sources of bridges. */
export const HUB_SOURCE_PREFIX = 'evenkeel.hub.';

/** The source of a hub's bridge: the IAM condition `events:source` limits its role to its own hub. */
export function hubSource(hub: string): string {
  return `${HUB_SOURCE_PREFIX}${hub}`;
}

/** An event to publish. The detail is a hint: keys, never state. */
export interface EvenkeelEvent {
  readonly type: string;
  readonly detail: Readonly<Record<string, string | number>>;
}

/** Features of hubs by which routes select events. */
export type MarkedFeature = Extract<HubFeature, 'history'>;

/** The event with the mark of a hub's feature, which the rule of a route matches. Consumers do not read it. */
export function marked({ type, detail }: EvenkeelEvent, feature: MarkedFeature): EvenkeelEvent {
  return { type, detail: { ...detail, [feature]: 1 } };
}

export interface EventDefinition<D extends Readonly<Record<string, string | number>>> {
  readonly type: string;
  /** Increased when a detail changes incompatibly for older consumers. */
  readonly version: number;
  /** What happened, in a sentence. */
  readonly description: string;
  readonly schema: z.ZodMiniType<D>;
  /** Published repeatedly by a schedule: an event that could not be handled is dropped, because the next one repeats it. */
  readonly recurs?: true;
  /** Concerns no single hub, so its detail names none. */
  readonly ofNoHub?: true;
  /** Any event that is not of Evenkeel: the detail is its id and its text. */
  readonly external?: true;
  /** Reported by a hub: also accepted from the source of that hub's bridge. */
  readonly fromHub?: true;
  /** Events of one key refer to the same object: of several waiting, one needs to be handled. */
  key(detail: D): string;
  of(detail: D): EvenkeelEvent;
}

export function defineEvent<D extends Readonly<Record<string, string | number>>>(
  definition: Omit<EventDefinition<D>, 'of'>,
): EventDefinition<D> {
  return {
    ...definition,
    of: (detail) => ({ type: definition.type, detail: { ...detail, version: definition.version } }),
  };
}

/** Parts of details that several events share. Hub names are DNS labels; other names are the hub's. */
export const hubName = z.string().check(z.regex(hubNamePattern, 'is not a hub name (a DNS label of at most 40)'));
/**
 * A DNS subdomain, as API servers require for all object names we handle: it is used in paths and keys unescaped. The length
 * is checked first: half a million characters followed by a slash would take minutes to match.
 */
export const objectName = z
  .string()
  .check(
    z.regex(
      /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
      'is not a name of a Kubernetes object',
    ),
  );
export const uid = z.string().check(z.minLength(1), z.maxLength(128));

export function isObjectName(text: string): boolean {
  return z.safeParse(objectName, text).success;
}

const envelope = z.object({
  id: z._default(z.string(), ''),
  time: z.optional(z.string()),
  source: z.string(),
  'detail-type': z.string(),
  detail: z.record(z.string(), z.unknown()),
});

/** A parsed event with its definition. */
export interface ConsumedEvent<D extends Readonly<Record<string, string | number>>> {
  readonly definition: EventDefinition<D>;
  readonly detail: D;
  /** The id that the bus assigned, for lookups in the archive and in logs. Empty if there is none. */
  readonly id: string;
  /** When it was published; undefined for an envelope without a time. */
  readonly publishedAt: Instant | undefined;
  /** By the hub's bridge, not by a function or a schedule of ours. */
  readonly isOfBridge: boolean;
  /** The span that published it, if that was recorded. */
  readonly cause: SpanContext | undefined;
}

/** Parses an EventBridge event as one of `definitions`; a terminal Fault names the wrong field. */
export function parseEvent<D extends Readonly<Record<string, string | number>>>(
  definitions: readonly EventDefinition<D>[],
  text: string,
): ConsumedEvent<D> {
  const wanted = definitions.map(({ type }) => type).join(' or ');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw unreadable(wanted, 'the message is not JSON');
  }
  const outer = z.safeParse(envelope, json);
  if (!outer.success) throw unreadable(wanted, firstIssue(outer.error));
  const { source, 'detail-type': type, detail, id, time = '' } = outer.data;
  const external = definitions.find((candidate) => candidate.external && !isOwnSource(source));
  if (external !== undefined) {
    const inner = z.parse(external.schema, { id, body: text });
    const published = { publishedAt: fromTimestamp(time), isOfBridge: false, cause: undefined };
    return { definition: external, detail: inner, id, ...published };
  }
  const definition = definitions.find((candidate) => candidate.type === type);
  if (definition === undefined) throw unreadable(wanted, `detail-type is ${JSON.stringify(type).slice(0, 80)}`);
  if (detail.version !== definition.version) {
    const given = JSON.stringify(detail.version)?.slice(0, 20);
    const what = `detail.version is ${given}, this function reads ${definition.version}`;
    throw Number(detail.version) > definition.version ? newer(type, what) : unreadable(type, what);
  }
  const inner = z.safeParse(definition.schema, detail);
  if (!inner.success) throw unreadable(type, `detail.${firstIssue(inner.error)}`);
  const isOfBridge = definition.fromHub === true && source === hubSource(String(inner.data.hub));
  if (source !== SOURCE && !isOfBridge)
    throw unreadable(type, `source ${JSON.stringify(source).slice(0, 80)} does not publish it for this hub`);
  const published = { publishedAt: fromTimestamp(time), isOfBridge, cause: spanContextOf(detail.traceparent) };
  return { definition, detail: inner.data, id, ...published };
}

function isOwnSource(source: string): boolean {
  return source === SOURCE || source.startsWith(HUB_SOURCE_PREFIX);
}

function unreadable(type: string, what: string): Fault {
  return new Fault('terminal', `not a ${type} event: ${what}`, { reason: 'UnreadableEvent' });
}

/** Retried, unlike other unreadable events: while a release is deployed, its functions replace the older ones within minutes. */
function newer(type: string, what: string): Fault {
  const remedy = 'deploy the version of Evenkeel that published it, then redrive the dead-letter messages';
  return new Fault('retryable', `not a ${type} event that this version of Evenkeel knows: ${what}; ${remedy}`, {
    reason: 'NewerEvent',
  });
}

/** The detail of every event about one task. */
export const taskDetail = z.object({ hub: hubName, uid, name: objectName });

export function taskKey({ hub, uid }: z.output<typeof taskDetail>): string {
  return `${hub}/${uid}`;
}
