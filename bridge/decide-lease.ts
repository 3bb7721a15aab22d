/**
 * Decides, of the Lease that the bridges of one hub share, whether this one leads.
 * Nobody's clock is compared with another's: a lease has run out when this bridge itself has seen it unrenewed for its whole duration.
 */
import type { Instant } from '../shared/model/time.ts';

export interface Lease {
  readonly holder: string;
  /** As its holder wrote it: only ever compared with itself. */
  readonly renewTime: string;
  readonly durationSeconds: number;
  readonly transitions: number;
  readonly resourceVersion: string;
}

/** A lease as it was first seen in this state. */
export interface Sighting {
  readonly lease: Lease;
  readonly since: Instant;
}

export type LeaseStep =
  | { readonly step: 'Create'; readonly reason: string }
  | { readonly step: 'Renew'; readonly reason: string }
  | { readonly step: 'Take'; readonly reason: string }
  | { readonly step: 'Wait'; readonly reason: string };

/** Rules in order; the first that holds decides. Ours comes before expiry: a holder that was slow keeps what nobody has taken. */
export function decideLease(sighting: Sighting | undefined, me: string, now: Instant): LeaseStep {
  if (sighting === undefined) return { step: 'Create', reason: 'there is no lease yet' };
  const { lease, since } = sighting;
  if (lease.holder === me) return { step: 'Renew', reason: 'it is ours' };
  if (lease.holder === '') return { step: 'Take', reason: 'its holder let go of it' };
  if (now - since > lease.durationSeconds * 1000)
    return { step: 'Take', reason: `${lease.holder} has not renewed it for ${lease.durationSeconds} s` };
  return { step: 'Wait', reason: `${lease.holder} holds it` };
}

/** The same sighting as long as nobody renewed, a new one where the lease changed. */
export function sight(before: Sighting | undefined, lease: Lease | undefined, now: Instant): Sighting | undefined {
  if (lease === undefined) return undefined;
  const same = before?.lease.holder === lease.holder && before.lease.renewTime === lease.renewTime;
  return { lease, since: same ? before.since : now };
}
