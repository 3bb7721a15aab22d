/**
 * The store for the hub's own controllers: what they make of a kind that is to be reported (a cluster's taint, a wave that is
 * collected as garbage), or of a binding that names another scheduler than Karmada's, is in the audit log, as on a real hub, where
 * they write through the API like everybody. Of other bindings nobody needs to hear: thousands in a large story.
 */

import { kindsToReport } from '../../../shared/events/watched-kinds.ts';
import { DEFAULT_SCHEDULER } from '../../../shared/model/assignment/scheduling-decision.ts';
import type { Instant } from '../../../shared/model/time.ts';
import { bindingPlurals } from '../controllers/binding-view.ts';
import type { KindDefinition } from '../store/kind-definition.ts';
import { kindOf } from '../store/kinds.ts';
import { keyOf } from '../store/object-collection.ts';
import type { Actor, KubeObject, ObjectStore } from '../store/objects.ts';
import type { AuditLog } from './audit.ts';
import { auditEvent } from './audit-event.ts';

export interface AuditedStoreOptions {
  readonly store: ObjectStore;
  readonly audit: AuditLog;
  readonly now: () => Instant;
  readonly newId: () => string;
}

export function auditedStore({ store, audit, now, newId }: AuditedStoreOptions): ObjectStore {
  function record(verb: 'create' | 'patch' | 'delete', plural: string, { object, by }: Written): KubeObject {
    const kind = kindOf(plural);
    if (kind === undefined || !(isReported(kind) || isForAnotherScheduler(plural, object))) return object;
    const at = now();
    const { username, manager: userAgent } = by;
    const target = { verb, kind, key: keyOf(object) };
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
      // An audit policy that names a kind does not mean its status.
      return patch.subresource === undefined ? record('patch', plural, { object, by }) : object;
    },
    delete: (plural, key, by, preconditions) =>
      record('delete', plural, { object: store.delete(plural, key, by, preconditions), by }),
  };
}

interface Written {
  readonly object: KubeObject;
  readonly by: Actor;
}

function isReported({ group, plural }: KindDefinition): boolean {
  return kindsToReport({ policies: true }).some((reported) => reported.group === group && reported.resource === plural);
}

function isForAnotherScheduler(plural: string, { spec }: KubeObject): boolean {
  if (!(bindingPlurals as readonly string[]).includes(plural)) return false;
  return (spec?.schedulerName || DEFAULT_SCHEDULER) !== DEFAULT_SCHEDULER;
}
