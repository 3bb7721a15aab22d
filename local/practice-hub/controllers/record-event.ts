/** Writes the core/v1 Events that the practice hub's controllers leave on bindings. */
import { createHash } from 'node:crypto';
import { toTimestamp } from '../../../shared/model/time.ts';
import type { Actor, ObjectStore } from '../store/objects.ts';
import { StatusError } from '../store/status-error.ts';
import type { BindingView } from './binding-view.ts';

export interface EventText {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export interface Recorder {
  record(binding: BindingView, event: EventText, by: Actor): void;
}

/**
 * The same words again count up the same Event, so that a binding that is retried all day has one, not thousands.
 * An Event that cannot be written (its namespace is going) is let go: it is news, not state.
 */
export function createRecorder(store: ObjectStore, now: () => number): Recorder {
  return {
    record(binding, event, by) {
      try {
        write(store, binding, { ...event, at: toTimestamp(now()) }, by);
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
      }
    },
  };
}

function write(
  store: ObjectStore,
  { plural, key, metadata }: BindingView,
  event: EventText & { at: string },
  by: Actor,
): void {
  const { type, reason, message, at: lastTimestamp } = event;
  const namespace = key.namespace || 'default';
  const hash = createHash('sha256').update(`${metadata.uid} ${reason} ${message}`).digest('hex').slice(0, 16);
  const at = { namespace, name: `${key.name.slice(0, 230)}.${hash}` };
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
    involvedObject: {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: plural === 'resourcebindings' ? 'ResourceBinding' : 'ClusterResourceBinding',
      name: key.name,
      ...(key.namespace !== '' && { namespace: key.namespace }),
      uid: metadata.uid,
    },
    ...{ type, reason, message, count: 1, firstTimestamp: lastTimestamp, lastTimestamp },
    source: { component: by.manager },
  };
  store.create('events', object, by);
}
