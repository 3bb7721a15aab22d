/** Decides which of a hub's audit events are relevant, and which events to publish for them. */
import * as z from 'zod/mini';
import { type EvenkeelEvent, isObjectName } from '../../shared/bus/event.ts';
import {
  type ObservedChange,
  relevanceOf,
  type WatchedKind,
  watchedKinds,
  watchedVerbs,
} from '../../shared/bus/watched-kinds.ts';
import { Fault } from '../../shared/core/fault.ts';
import type { RecentAudits } from './recent-audits.ts';

/** An audit event of level Metadata has at least 300 bytes, so the largest body has fewer items. */
const MAX_ITEMS = 20_000;

/** Only the fields that are read; the rest of an audit event, which may contain whole objects, is ignored. */
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

/** The source of the events. */
export interface AuditSource {
  readonly hub: string;
  /** Our user name on the hub: our own writes are not changes by users. */
  readonly account?: string | undefined;
  readonly recent?: Pick<RecentAudits, 'has'> | undefined;
}

export interface AdmissionCounts {
  /** Audit events that became, or were merged into, an event of ours. */
  readonly admitted: number;
  /** Valid and not relevant. */
  readonly ignored: number;
  /** Changes that we made ourselves. */
  readonly own: number;
  /** Duplicates in this batch or of recent batches. */
  readonly repeated: number;
  /** Items that are no audit events; the first is described. The rest of the batch is still accepted. */
  readonly unreadable: number;
  readonly firstUnreadable?: string;
}

export interface Admission {
  readonly events: readonly EvenkeelEvent[];
  readonly counts: AdmissionCounts;
  /** Deduplication keys of the admitted items, to be added once the bus has accepted their events. */
  readonly keys: ReadonlySet<string>;
}

/** Parses a request body as an audit EventList; a terminal Fault states the problem and the fix in the API server's flags. */
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

/** Keys only, without duplicates. */
export function admitChanges(source: AuditSource, items: readonly unknown[]): Admission {
  const events = new Map<string, EvenkeelEvent>();
  const keys = new Set<string>();
  const counts = { admitted: 0, ignored: 0, own: 0, repeated: 0, unreadable: 0 };
  let firstUnreadable: string | undefined;
  for (const [index, item] of items.entries()) {
    const result = classifyItem(source, item, keys);
    counts[result.is] += 1;
    if (result.is === 'unreadable') firstUnreadable ??= `items[${index}]${result.why}`;
    if (result.is !== 'admitted') continue;
    events.set(eventText(result.event), result.event);
    if (result.key !== undefined) keys.add(result.key);
  }
  return {
    events: [...events.values()],
    counts: { ...counts, ...(firstUnreadable !== undefined && { firstUnreadable }) },
    keys,
  };
}

function eventText({ type, detail }: EvenkeelEvent): string {
  return `${type} ${JSON.stringify(detail)}`;
}

type AdmittedItem =
  | { readonly is: 'admitted'; readonly event: EvenkeelEvent; readonly key: string | undefined }
  | { readonly is: 'unreadable'; readonly why: string }
  | { readonly is: 'ignored' | 'own' | 'repeated' };

function classifyItem({ hub, account, recent }: AuditSource, item: unknown, batch: ReadonlySet<string>): AdmittedItem {
  const parsed = z.safeParse(auditEvent, item);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { is: 'unreadable', why: issue ? `.${issue.path.join('.')}: ${issue.message}` : '' };
  }
  const change = changeIn(parsed.data);
  if (change === undefined) return { is: 'ignored' };
  if (account !== undefined && parsed.data.user?.username === account) return { is: 'own' };
  const concern = relevanceOf(hub, change);
  if (concern.result === 'none') return { is: 'ignored' };
  if (concern.result === 'unreadable') {
    const field = isObjectName(change.name ?? '') ? 'namespace' : 'name';
    return { is: 'unreadable', why: `.objectRef.${field}: is not a name of a Kubernetes object` };
  }
  const key = keyOf(parsed.data);
  if (key !== undefined && (batch.has(key) || recent?.has(key))) return { is: 'repeated' };
  return { is: 'admitted', event: concern.event, key };
}

/** A successful change of a watched object. Status changes count only for kinds whose status is read. */
function changeIn({ stage, verb, objectRef, responseStatus }: AuditEvent): ObservedChange | undefined {
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
 * The audit ID alone is not sufficient: a client may set it in the header Audit-ID. A client that always sends the same ID would have all
 * its changes dropped as duplicates, so the verb and the time are part of the key.
 */
function keyOf({ auditID, verb, requestReceivedTimestamp, objectRef }: AuditEvent): string | undefined {
  if (!auditID || requestReceivedTimestamp === undefined) return undefined;
  const { resource, namespace, name } = objectRef ?? {};
  return [auditID, requestReceivedTimestamp, verb, resource, namespace, name].join(' ');
}
