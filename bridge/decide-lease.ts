/**
 * Decides whether this bridge leads, from the Lease that the bridges of one hub share.
 * Clocks are never compared: a lease has expired if this bridge has observed it without renewal for its whole duration.
 */
import type { Instant } from '../shared/core/time.ts';

export interface BridgeLease {
  readonly holder: string;
  /** As its holder wrote it: only compared for equality. */
  readonly renewTime: string;
  readonly durationSeconds: number;
  readonly transitions: number;
  readonly resourceVersion: string;
}

/** A lease as it was first seen in this state. */
export interface LeaseObservation {
  readonly lease: BridgeLease;
  readonly since: Instant;
}

export type LeaseStep =
  | { readonly step: 'Create'; readonly reason: string }
  | { readonly step: 'Renew'; readonly reason: string }
  | { readonly step: 'Take'; readonly reason: string }
  | { readonly step: 'Wait'; readonly reason: string };

/** Rules in order; the first match decides. Renewal comes before expiry: a slow holder keeps a lease that was not taken over. */
export function decideLease(observation: LeaseObservation | undefined, me: string, now: Instant): LeaseStep {
  if (observation === undefined) return { step: 'Create', reason: 'the lease does not exist yet' };
  const { lease, since } = observation;
  if (lease.holder === me) return { step: 'Renew', reason: 'this bridge holds it' };
  if (lease.holder === '') return { step: 'Take', reason: 'its holder released it' };
  if (now - since > lease.durationSeconds * 1000)
    return { step: 'Take', reason: `${lease.holder} has not renewed it for ${lease.durationSeconds} s` };
  return { step: 'Wait', reason: `${lease.holder} holds it` };
}

/** Keeps the time of the first observation until the lease changes. */
export function observeLease(
  before: LeaseObservation | undefined,
  lease: BridgeLease | undefined,
  now: Instant,
): LeaseObservation | undefined {
  if (lease === undefined) return undefined;
  const same = before?.lease.holder === lease.holder && before.lease.renewTime === lease.renewTime;
  return { lease, since: same ? before.since : now };
}
