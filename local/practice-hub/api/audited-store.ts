/**
 * The store for the hub's own controllers. Their writes are in the audit log if the kind is reported (a cluster's taint, a
 * garbage-collected wave) or if Evenkeel waits for the binding: on a real hub controllers write through the API. Writes of
 * other bindings are left out unless their history is recorded, since a large story has thousands.
 */
import { kindsToReport, reportsStatus } from '../../../shared/bus/watched-kinds.ts';
import type { Instant } from '../../../shared/core/time.ts';
import { QUEUE, REDUCTION_STRATEGY } from '../../../shared/graceful-reduction/replica-reduction.ts';
import { DEFAULT_SCHEDULER } from '../../../shared/karmada/assignment/scheduling-decision.ts';
import { policyOf } from '../../../shared/karmada/rescheduling-policy.ts';
import { bindingPlurals } from '../controllers/binding-view.ts';
import type { KindDefinition } from '../store/kind-definition.ts';
import { kindOf } from '../store/kinds.ts';
import { keyOf } from '../store/object-collection.ts';
import type { Actor, KubeObject, ObjectStore } from '../store/objects.ts';
import { type AuditLog, auditEvent } from './audit.ts';

export interface AuditedStoreOptions {
  readonly store: ObjectStore;
  readonly audit: AuditLog;
  readonly now: () => Instant;
  readonly newId: () => string;
  /** Whether all writes of bindings are in the audit log, as for the feature `history`. */
  readonly recordsHistory: boolean;
}

export function auditedStore({ store, audit, now, newId, recordsHistory }: AuditedStoreOptions): ObjectStore {
  function record(verb: 'create' | 'patch' | 'delete', plural: string, written: AuditedWrite): KubeObject {
    const kind = kindOf(plural);
    const { object, by, subresource } = written;
    const isRecorded = recordsHistory && bindingPlurals.includes(plural);
    if (kind === undefined || !(isRecorded || isWaitedFor(kind, written, store))) return object;
    const at = now();
    const { username, manager: userAgent } = by;
    const target = { verb, kind, key: keyOf(object), ...(subresource && { subresource }) };
    const rest = { uri: '', username, userAgent, body: undefined, code: 200, receivedAt: at, answeredAt: at };
    audit.record(auditEvent({ target, ...rest }, newId()));
    return object;
  }
  return {
    get: (plural, key) => store.get(plural, key),
    list: (plural, namespace) => store.list(plural, namespace),
    onChange: (listener) => store.onChange(listener),
    create: (plural, object, by) => record('create', plural, { object: store.create(plural, object, by), by }),
    patch(plural, key, patch, by) {
      const object = store.patch(plural, key, patch, by);
      const { subresource } = patch;
      return record('patch', plural, { object, by, ...(subresource && { subresource }) });
    },
    apply(plural, key, apply, by) {
      const { subresource } = apply;
      const applied = store.apply(plural, key, apply, by);
      record('patch', plural, { object: applied.object, by, ...(subresource && { subresource }) });
      return applied;
    },
    delete: (plural, key, by, preconditions) =>
      record('delete', plural, { object: store.delete(plural, key, by, preconditions), by }),
  };
}

interface AuditedWrite {
  readonly object: KubeObject;
  readonly by: Actor;
  readonly subresource?: 'status';
}

/** Rules for a kind do not cover its status, except for bindings that hold replicas, whose readiness is awaited. */
function isWaitedFor(kind: KindDefinition, { object, subresource }: AuditedWrite, store: ObjectStore): boolean {
  if (!bindingPlurals.includes(kind.plural)) return isReported(kind, subresource);
  if (subresource !== undefined) return holdsReductions(object);
  return isForAnotherScheduler(object) || holdsReductions(object) || asksForHolds(object, store);
}

/** All optional features, as for the shipped audit policy. */
const USED = { policies: true, drains: true, elasticWorkloads: true };

function isReported({ group, plural }: KindDefinition, subresource: AuditedWrite['subresource']): boolean {
  const reported = kindsToReport(USED).find((one) => one.group === group && one.resource === plural);
  return reported !== undefined && (subresource === undefined || reportsStatus(reported, USED));
}

function isForAnotherScheduler({ spec }: KubeObject): boolean {
  return (spec?.schedulerName || DEFAULT_SCHEDULER) !== DEFAULT_SCHEDULER;
}

/** Whether the binding or its policy asks for holds; the policy's annotation may not be copied yet. */
function asksForHolds({ metadata }: KubeObject, store: ObjectStore): boolean {
  const policy = policyOf(metadata.annotations ?? {});
  const plural = policy?.namespace === '' ? 'clusterpropagationpolicies' : 'propagationpolicies';
  const asking = [metadata, policy && store.get(plural, policy)?.metadata];
  return asking.some((one) => one?.annotations?.[REDUCTION_STRATEGY] !== undefined);
}

function holdsReductions({ metadata }: KubeObject): boolean {
  return Object.keys(metadata.annotations ?? {}).some((name) => name.startsWith(QUEUE));
}
