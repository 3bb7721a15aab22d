/** Writes an Event (core/v1) about an object of a hub. */
import { asFault } from '../core/fault.ts';
import { type Instant, toTimestamp } from '../core/time.ts';
import type { Hub } from './hub.ts';
import { hubEvents, type ObjectEvent, type Regarding } from './object-event.ts';
import { apiVersionOf } from './resource.ts';

/** A failed write does not stop the caller, because the same information is available elsewhere. Returns the error message. */
export async function writeEvent(
  hub: Hub,
  { kind, key, uid }: Regarding,
  { objectEvent: { id, ...objectEvent }, now }: { readonly objectEvent: ObjectEvent; readonly now: Instant },
): Promise<string | undefined> {
  const time = toTimestamp(now);
  const { namespace, name } = key;
  try {
    await hub.create(hubEvents, {
      metadata: { namespace: namespace || 'default', name: `${name}.${id}` },
      involvedObject: {
        apiVersion: apiVersionOf(kind),
        kind: kind.kind,
        ...(namespace !== '' && { namespace }),
        name,
        uid,
      },
      ...objectEvent,
      source: { component: 'evenkeel' },
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
    });
    return undefined;
  } catch (thrown) {
    return asFault(thrown).message;
  }
}
