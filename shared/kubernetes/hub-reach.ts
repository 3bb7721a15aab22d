/** Whether a hub can be read, and how long ago it was compared with its tasks: the one fact that page, CLI, checks and alarm go by. */
import { type Instant, SECOND } from '../core/time.ts';

/** `Unreachable`: a request made just now failed. `NotCompared`: it answers, and resync has not succeeded for too long. */
export type ReachState = 'Reachable' | 'Unreachable' | 'NotCompared';

export interface HubReach {
  readonly state: ReachState;
  /** Why it is not Reachable; absent if it is. */
  readonly message?: string;
  /** Absent if there was none. */
  readonly comparedAt?: Instant;
}

/** So many intervals of resync without a success; the alarm silent-resync fires after as many. */
export const SILENT_INTERVALS = 3;

export interface ReachObservation {
  /** The error of a request made just now; absent if it succeeded. */
  readonly error?: string | undefined;
  readonly comparedAt: Instant | undefined;
  readonly resyncMinutes: number;
  readonly now: Instant;
}

/** Whether resync has not succeeded on a hub for too long, or never. */
export function isSilent({ comparedAt, resyncMinutes, now }: Omit<ReachObservation, 'error'>): boolean {
  return comparedAt === undefined || now - comparedAt > SILENT_INTERVALS * resyncMinutes * 60 * SECOND;
}

export function reachOf({ error, comparedAt, resyncMinutes, now }: ReachObservation): HubReach {
  const compared = comparedAt === undefined ? {} : { comparedAt };
  if (error !== undefined) return { state: 'Unreachable', message: error, ...compared };
  if (comparedAt === undefined) return { state: 'NotCompared', message: 'it was never compared with its tasks' };
  if (!isSilent({ comparedAt, resyncMinutes, now })) return { state: 'Reachable', ...compared };
  return { state: 'NotCompared', message: `resync has not succeeded for ${SILENT_INTERVALS} intervals`, ...compared };
}
