/** Decides which of a hub's audit events concern us, and what to say of them. */
import * as z from 'zod/mini';
import { ResyncDue } from '../../shared/events/catalogue/resync-due.ts';
import { WorkloadRebalancerChanged } from '../../shared/events/catalogue/workload-rebalancer-changed.ts';
import type { EvenkeelEvent } from '../../shared/events/event.ts';
import { Fault } from '../../shared/model/fault.ts';

const MAX_NAME = 253;

/** Only what is read of an audit event; the rest, which may hold whole objects, is never looked at. */
const auditEvent = z.object({
  stage: z.string(),
  verb: z.string(),
  objectRef: z.optional(
    z.object({
      apiGroup: z.optional(z.string()),
      resource: z.optional(z.string()),
      subresource: z.optional(z.string()),
      name: z.optional(z.string().check(z.maxLength(MAX_NAME))),
    }),
  ),
  responseStatus: z.optional(z.object({ code: z.optional(z.number()) })),
});

type AuditEvent = z.output<typeof auditEvent>;

const WATCHED_VERBS = ['create', 'update', 'patch', 'delete', 'deletecollection'];

export interface Admission {
  readonly events: readonly EvenkeelEvent[];
  /** Audit events that became, or were folded into, an event of ours. */
  readonly admitted: number;
  /** Well-formed and of no concern. */
  readonly ignored: number;
  /** Items that are no audit events; the first is described. The rest of the batch is taken all the same. */
  readonly unreadable: number;
  readonly firstUnreadable?: string;
}

/** Reads a request body as an audit EventList; a terminal Fault says what is wrong with it and what the API server should be told. */
export function parseEventList(body: string): readonly unknown[] {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw new Fault('terminal', 'the body is not JSON', { reason: 'UnreadableBody' });
  }
  const list = z.safeParse(z.object({ kind: z.string(), apiVersion: z.string(), items: z.array(z.unknown()) }), json);
  if (!list.success || list.data.kind !== 'EventList') {
    throw new Fault('terminal', 'the body is not an audit EventList (kind, apiVersion, items)', {
      reason: 'UnreadableBody',
    });
  }
  if (list.data.apiVersion !== 'audit.k8s.io/v1') {
    const given = JSON.stringify(list.data.apiVersion).slice(0, 60);
    throw new Fault(
      'terminal',
      `apiVersion is ${given}; start the API server with --audit-webhook-version=audit.k8s.io/v1`,
      {
        reason: 'UnreadableBody',
      },
    );
  }
  return list.data.items;
}

/**
 * Keys only, each once. A change that can't be told by name (generateName at Metadata level, a deletecollection) becomes
 * a resync of the hub: slower, and as right.
 */
export function admitChanges(hub: string, items: readonly unknown[]): Admission {
  const events = new Map<string, EvenkeelEvent>();
  let admitted = 0;
  const unreadable: string[] = [];
  for (const [index, item] of items.entries()) {
    const parsed = z.safeParse(auditEvent, item);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      unreadable.push(`items[${index}]${issue ? `.${issue.path.join('.')}: ${issue.message}` : ''}`);
      continue;
    }
    if (!concernsUs(parsed.data)) continue;
    admitted += 1;
    const name = parsed.data.objectRef?.name;
    if (name) events.set(name, WorkloadRebalancerChanged.of({ hub, name }));
    else events.set('', ResyncDue.of({ hub }));
  }
  return {
    events: [...events.values()],
    admitted,
    ignored: items.length - admitted - unreadable.length,
    unreadable: unreadable.length,
    ...(unreadable[0] !== undefined && { firstUnreadable: unreadable[0] }),
  };
}

/** A change of a rebalancer's spec or existence that went through. Status is our own writing and nobody's wish. */
function concernsUs({ stage, verb, objectRef, responseStatus }: AuditEvent): boolean {
  const code = responseStatus?.code ?? 0;
  return (
    stage === 'ResponseComplete' &&
    WATCHED_VERBS.includes(verb) &&
    code >= 200 &&
    code < 300 &&
    objectRef?.apiGroup === 'apps.karmada.io' &&
    objectRef.resource === 'workloadrebalancers' &&
    !objectRef.subresource
  );
}
