import { describe, expect, it } from 'vitest';
import { Fault } from '../../../shared/core/fault.ts';
import { hubPaused, isHubPaused } from '../../../shared/kubernetes/hub-pause.ts';
import { at } from '../../builders.ts';

describe('a write on a paused hub', () => {
  it.each([
    ['upgrade of etcd', 'hub west has been paused since 2026-11-21T10:00:05Z (upgrade of etcd); resume it first'],
    ['', 'hub west has been paused since 2026-11-21T10:00:05Z; resume it first'],
  ])('is rejected with a retryable fault that has the start and the reason of the pause: %j', (reason, message) => {
    const fault = hubPaused('west', { since: at(5), reason });
    expect([fault.retryClass, fault.reason, fault.message]).toEqual(['retryable', 'HubPaused', message]);
    expect(isHubPaused(fault)).toBe(true);
  });

  it('is distinguished from every other fault', () => {
    expect(isHubPaused(new Fault('retryable', 'hub west has been paused', { reason: 'Unclassified' }))).toBe(false);
  });
});
