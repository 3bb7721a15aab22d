/** The shape of every event: its detail-type, its detail's schema and key, and who says and hears it. */
import * as z from 'zod/mini';
import { Fault } from '../model/fault.ts';

export const SOURCE = 'evenkeel';

/** An event to publish. The detail is a hint: keys, never state. */
export interface EvenkeelEvent {
  readonly type: string;
  readonly detail: Readonly<Record<string, string | number>>;
}

export interface EventDefinition<D extends Readonly<Record<string, string | number>>> {
  readonly type: string;
  /** Raised when a detail changes in a way that an older reader can't read. */
  readonly version: number;
  /** What happened, in a sentence. */
  readonly says: string;
  readonly schema: z.ZodMiniType<D>;
  /** Events of one key are hints at the same thing: of several waiting, one needs to be handled. */
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

/** Parts of details that several events carry. Hub names are DNS labels; the rest is as the hub names it. */
export const hubName = z
  .string()
  .check(z.regex(/^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$/, 'is not a hub name (a DNS label of at most 40)'));
/**
 * A DNS subdomain, as an API server wants the name of every object that we act on: it goes into paths and keys as it is. The length
 * is looked at first: half a million letters with a slash behind them would be matched for minutes.
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
  source: z.literal(SOURCE),
  'detail-type': z.string(),
  detail: z.record(z.string(), z.unknown()),
});

/** An event as it was read, with what it was read as. */
export interface Heard<D extends Readonly<Record<string, string | number>>> {
  readonly definition: EventDefinition<D>;
  readonly detail: D;
  /** The bus gave it this: by it the event is found in the archive and in logs. Empty where it has none. */
  readonly id: string;
}

/** Reads the text of an EventBridge event as one of `definitions`; a terminal Fault says which field is wrong. */
export function parseEvent<D extends Readonly<Record<string, string | number>>>(
  definitions: readonly EventDefinition<D>[],
  text: string,
): Heard<D> {
  const wanted = definitions.map(({ type }) => type).join(' or ');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw unreadable(wanted, 'the message is not JSON');
  }
  const outer = z.safeParse(envelope, json);
  if (!outer.success) throw unreadable(wanted, firstIssue(outer.error));
  const { 'detail-type': type, detail, id } = outer.data;
  const definition = definitions.find((candidate) => candidate.type === type);
  if (definition === undefined) throw unreadable(wanted, `detail-type is ${JSON.stringify(type).slice(0, 80)}`);
  if (detail.version !== definition.version) {
    const given = JSON.stringify(detail.version)?.slice(0, 20);
    throw unreadable(type, `detail.version is ${given}, this function reads ${definition.version}`);
  }
  const inner = z.safeParse(definition.schema, detail);
  if (!inner.success) throw unreadable(type, `detail.${firstIssue(inner.error)}`);
  return { definition, detail: inner.data, id };
}

function firstIssue(error: z.core.$ZodError): string {
  const issue = error.issues[0];
  return issue ? `${issue.path.join('.')}: ${issue.message}` : 'unreadable';
}

function unreadable(type: string, what: string): Fault {
  return new Fault('terminal', `not a ${type} event: ${what}`, { reason: 'UnreadableEvent' });
}
