/** Records of hubs: their names, how long readers cache them, and their changes. */
import { Fault } from '../core/fault.ts';
import type { Pause } from './hub-pause.ts';
import type { HubRecord } from './hub-registry.ts';

/** How long a function caches a record: so long a pause, a new hook token or a removal may take to take effect. */
export const RECORD_MS = 5000;

/** How old a cached record may be that is used while the registry cannot be read: longer than most throttling, and bounded, because a pause must take effect. */
export const STALE_RECORD_MS = 60_000;

/** A DNS label of at most 40 characters. */
export const hubNamePattern = /^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$/;

/** Whether functions connect to the hub and accept its events. */
export function isActive(record: HubRecord | undefined): record is HubRecord {
  return record?.state === 'Active';
}

export function paused(record: HubRecord, pause: Pause): HubRecord {
  return { ...record, pause };
}

export function resumed({ pause: _, ...record }: HubRecord): HubRecord {
  return record;
}

const UNKNOWN_HUB = 'UnknownHub';

/** For a hub without a record, and for one that is being removed. */
export function unknownHub(hub: string): Fault {
  return new Fault('terminal', `there is no hub ${hub} in this deployment; evenkeel hub list shows its hubs`, {
    reason: UNKNOWN_HUB,
  });
}

export function isUnknownHub({ reason }: Fault): boolean {
  return reason === UNKNOWN_HUB;
}
