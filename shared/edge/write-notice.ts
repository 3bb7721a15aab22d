/** Writes beside an object of a hub what people are to notice: an Event (core/v1). */
import { asFault } from '../model/fault.ts';
import { hubEvents, type Notice } from '../model/hub-event.ts';
import type { ObjectKey } from '../model/object-key.ts';
import { apiVersionOf, type Resource } from '../model/resource.ts';
import { type Instant, toTimestamp } from '../model/time.ts';
import type { Hub } from '../ports/hub.ts';

/** What a notice is about. */
export interface Regarding {
  readonly kind: Resource<unknown>;
  readonly key: ObjectKey;
  readonly uid: string;
}

/** An Event that cannot be written is no reason to stop for: it says what is said elsewhere as well. Returns why it could not be. */
export async function writeNotice(
  hub: Hub,
  { kind, key, uid }: Regarding,
  { notice: { id, ...notice }, now }: { readonly notice: Notice; readonly now: Instant },
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
      ...notice,
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
