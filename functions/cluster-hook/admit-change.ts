/** Decides which of a hub's audit events concern us, and what to say of them. */
import * as z from 'zod/mini';
import { type EvenkeelEvent, isObjectName } from '../../shared/events/event.ts';
import {
  type Change,
  concernOf,
  type WatchedKind,
  watchedKinds,
  watchedVerbs,
} from '../../shared/events/watched-kinds.ts';
import { Fault } from '../../shared/model/fault.ts';
import type { RecentAudits } from './recent-audits.ts';

/** An audit event of level Metadata has 300 bytes at the least, so that the largest body holds fewer. */
const MAX_ITEMS = 20_000;

/** Only what is read of an audit event; the rest, which may hold whole objects, is never looked at. */
const auditEvent = z.object({
  auditID: z.optional(z.string()),
  stage: z.string(),
  verb: z.string(),
  requestReceivedTimestamp: z.optional(z.string()),
  user: z.optional(z.object({ username: z.optional(z.string()) })),
  objectRef: z.optional(
    z.object({
      apiGroup: z.optional(z.string()),
      resource: z.optional(z.string()),
      namespace: z.optional(z.string()),
      subresource: z.optional(z.string()),
      name: z.optional(z.string()),
    }),
  ),
  responseStatus: z.optional(z.object({ code: z.optional(z.number()) })),
});

type AuditEvent = z.output<typeof auditEvent>;

/** Where the events come from. */
export interface AuditSource {
  readonly hub: string;
  /** The user name by which the hub knows us: what we write ourselves is nobody's wish. */
  readonly account?: string | undefined;
  readonly recent?: Pick<RecentAudits, 'has'> | undefined;
}

export interface Counts {
  /** Audit events that became, or were folded into, an event of ours. */
  readonly admitted: number;
  /** Well-formed and of no concern. */
  readonly ignored: number;
  /** Changes that we made ourselves. */
  readonly own: number;
  /** Said before, in this batch or lately. */
  readonly repeated: number;
  /** Items that are no audit events; the first is described. The rest of the batch is taken all the same. */
  readonly unreadable: number;
  readonly firstUnreadable?: string;
}

export interface Admission {
  readonly events: readonly EvenkeelEvent[];
  readonly counts: Counts;
  /** What to remember the admitted ones by, once the bus has their events. */
  readonly keys: ReadonlySet<string>;
}

/** Reads a request body as an audit EventList; a terminal Fault says what is wrong with it and what the API server should be told. */
export function parseEventList(body: string): readonly unknown[] {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw unreadable('the body is not JSON');
  }
  const list = z.safeParse(z.object({ kind: z.string(), apiVersion: z.string(), items: z.array(z.unknown()) }), json);
  if (!list.success || list.data.kind !== 'EventList') {
    throw unreadable('the body is not an audit EventList (kind, apiVersion, items)');
  }
  const { apiVersion, items } = list.data;
  if (apiVersion !== 'audit.k8s.io/v1') {
    const given = JSON.stringify(apiVersion.slice(0, 60));
    throw unreadable(`apiVersion is ${given}; start the API server with --audit-webhook-version=audit.k8s.io/v1`);
  }
  if (items.length > MAX_ITEMS) {
    throw new Fault(
      'terminal',
      `the body has ${items.length} items, at most ${MAX_ITEMS} are taken; lower --audit-webhook-batch-max-size`,
      { reason: 'BodyTooLarge' },
    );
  }
  return items;
}

function unreadable(what: string): Fault {
  return new Fault('terminal', what, { reason: 'UnreadableBody' });
}

/** Keys only, each once. */
export function admitChanges(source: AuditSource, items: readonly unknown[]): Admission {
  const events = new Map<string, EvenkeelEvent>();
  const keys = new Set<string>();
  const counts = { admitted: 0, ignored: 0, own: 0, repeated: 0, unreadable: 0 };
  let firstUnreadable: string | undefined;
  for (const [index, item] of items.entries()) {
    const verdict = judge(source, item, keys);
    counts[verdict.is] += 1;
    if (verdict.is === 'unreadable') firstUnreadable ??= `items[${index}]${verdict.why}`;
    if (verdict.is !== 'admitted') continue;
    events.set(eventText(verdict.event), verdict.event);
    if (verdict.key !== undefined) keys.add(verdict.key);
  }
  return {
    events: [...events.values()],
    counts: { ...counts, ...(firstUnreadable !== undefined && { firstUnreadable }) },
    keys,
  };
}

function eventText({ type, detail }: EvenkeelEvent): string {
  return `${type} ${detail.namespace ?? ''}/${detail.name ?? ''}`;
}

type Verdict =
  | { readonly is: 'admitted'; readonly event: EvenkeelEvent; readonly key: string | undefined }
  | { readonly is: 'unreadable'; readonly why: string }
  | { readonly is: 'ignored' | 'own' | 'repeated' };

function judge({ hub, account, recent }: AuditSource, item: unknown, batch: ReadonlySet<string>): Verdict {
  const parsed = z.safeParse(auditEvent, item);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { is: 'unreadable', why: issue ? `.${issue.path.join('.')}: ${issue.message}` : '' };
  }
  const change = changeIn(parsed.data);
  if (change === undefined) return { is: 'ignored' };
  if (account !== undefined && parsed.data.user?.username === account) return { is: 'own' };
  const concern = concernOf(hub, change);
  if (concern.verdict === 'none') return { is: 'ignored' };
  if (concern.verdict === 'unreadable') {
    const field = isObjectName(change.name ?? '') ? 'namespace' : 'name';
    return { is: 'unreadable', why: `.objectRef.${field}: is not a name of a Kubernetes object` };
  }
  const key = keyOf(parsed.data);
  if (key !== undefined && (batch.has(key) || recent?.has(key))) return { is: 'repeated' };
  return { is: 'admitted', event: concern.event, key };
}

/** A change of a watched object that went through. Its status counts only where somebody waits for what stands in it. */
function changeIn({ stage, verb, objectRef, responseStatus }: AuditEvent): Change | undefined {
  const code = responseStatus?.code ?? 0;
  const { apiGroup: group = '', resource = '', subresource, namespace, name } = objectRef ?? {};
  const isItsOwn = ({ status, scaled }: WatchedKind) =>
    !subresource || (subresource === 'status' && status !== undefined) || (subresource === 'scale' && scaled);
  const concernsUs =
    stage === 'ResponseComplete' &&
    watchedVerbs.includes(verb) &&
    code >= 200 &&
    code < 300 &&
    watchedKinds.some((watched) => watched.group === group && watched.resource === resource && isItsOwn(watched));
  return concernsUs ? { group, resource, ofStatus: subresource === 'status', namespace, name } : undefined;
}

/**
 * The id alone would not do: a client may choose it, by the header Audit-ID. One that always sends the same would have each of its
 * changes taken for the first, so that what was done and when are part of the key.
 */
function keyOf({ auditID, verb, requestReceivedTimestamp, objectRef }: AuditEvent): string | undefined {
  if (!auditID || requestReceivedTimestamp === undefined) return undefined;
  const { resource, namespace, name } = objectRef ?? {};
  return [auditID, requestReceivedTimestamp, verb, resource, namespace, name].join(' ');
}
