/** The registry of a local run: the record of its one hub. */
import { Fault } from '../shared/core/fault.ts';
import type { Instant } from '../shared/core/time.ts';
import type { HubRecord, HubRegistry } from '../shared/kubernetes/hub-registry.ts';

/** As LocalHubs. */
interface RecordedHub {
  record(): HubRecord;
}

function notHere(): Promise<never> {
  const message = 'a local run has the one hub that it was started with; start it again for another';
  return Promise.reject(new Fault('terminal', message, { reason: 'NotDeployed' }));
}

/** Read-only. A pause is set by localConnections. A new process publishes recurring events from its start on, so their time is not stored. */
export function localRegistry(hub: RecordedHub): HubRegistry {
  let published: Instant | undefined;
  return {
    list: async () => [hub.record()],
    read: async (name) => [hub.record()].find((record) => record.name === name),
    write: notHere,
    delete: notHere,
    publishedUntil: async () => published,
    markPublished: async (from, until) => {
      if (from !== published) return 'changed';
      published = until;
      return 'done';
    },
  };
}
