/** Writes the core/v1 Events of the practice hub's controllers on bindings and workloads, with Karmada's reasons and messages. */
import { createHash } from 'node:crypto';
import { toTimestamp } from '../../../shared/core/time.ts';
import { clusterResourceBindings, resourceBindings } from '../../../shared/karmada/binding.ts';
import type { ObjectReference } from '../../../shared/kubernetes/object-reference.ts';
import type { Actor, ObjectStore } from '../store/objects.ts';
import { StatusError } from '../store/status-error.ts';
import type { BindingView } from './binding-view.ts';

export interface EventText {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** The object of an Event. */
export interface Involved extends ObjectReference {
  readonly uid: string;
}

export interface Recorder {
  record(object: Involved, event: EventText, by: Actor): void;
  /** On the binding and on its workload. */
  recordOnBoth(binding: BindingView, event: EventText, by: Actor): void;
}

/**
 * The same message increases the count of the same Event, so that a binding that is retried all day has one, not thousands.
 * An Event that cannot be written, as in a terminating namespace, is dropped.
 */
export function createRecorder(store: ObjectStore, now: () => number): Recorder {
  function record(object: Involved, event: EventText, by: Actor): void {
    try {
      write(store, object, { ...event, at: toTimestamp(now()) }, by);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
    }
  }
  return {
    record,
    recordOnBoth(binding, event, by) {
      record(ofBinding(binding), event, by);
      record(binding.spec.resource, event, by);
    },
  };
}

function ofBinding({ plural, key, metadata: { uid } }: BindingView): Involved {
  const { group, version, kind } = plural === 'resourcebindings' ? resourceBindings : clusterResourceBindings;
  return { apiVersion: `${group}/${version}`, kind, ...key, uid };
}

function write(
  store: ObjectStore,
  { apiVersion, kind, namespace: own, name, uid }: Involved,
  event: EventText & { at: string },
  by: Actor,
): void {
  const { type, reason, message, at: lastTimestamp } = event;
  const namespace = own || 'default';
  const hash = createHash('sha256').update(`${uid} ${reason} ${message}`).digest('hex').slice(0, 16);
  const at = { namespace, name: `${name.slice(0, 230)}.${hash}` };
  const before = store.get('events', at);
  if (before !== undefined) {
    const count = Number(before.count ?? 0) + 1;
    store.patch('events', at, { type: 'merge', body: { count, lastTimestamp } }, by);
    return;
  }
  const object = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: at,
    involvedObject: { apiVersion, kind, name, ...(own !== '' && { namespace: own }), uid },
    ...{ type, reason, message, count: 1, firstTimestamp: lastTimestamp, lastTimestamp },
    source: { component: by.manager },
  };
  store.create('events', object, by);
}
