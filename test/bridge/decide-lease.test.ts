import { describe, expect, it } from 'vitest';
import { type BridgeLease, decideLease, observeLease } from '../../bridge/decide-lease.ts';

function lease(over: Partial<BridgeLease> = {}): BridgeLease {
  return { holder: 'other', renewTime: 't1', durationSeconds: 15, transitions: 3, resourceVersion: '7', ...over };
}

describe('the lease of the bridges', () => {
  it.each([
    ['is created where there is none', undefined, 0, 'Create'],
    ['is renewed by its holder', lease({ holder: 'me' }), 0, 'Renew'],
    [
      'is renewed by its holder even after it expired, as long as no other bridge took it',
      lease({ holder: 'me' }),
      99_000,
      'Renew',
    ],
    ['is taken where its holder let go', lease({ holder: '' }), 0, 'Take'],
    ['is left to its holder to the last second', lease(), 15_000, 'Wait'],
    ['is taken after that', lease(), 15_001, 'Take'],
  ] as const)('%s', (_, found, later, step) => {
    const sighting = observeLease(undefined, found, 1000);
    expect(decideLease(sighting, 'me', 1000 + later).step).toBe(step);
  });

  it('counts from when it was first seen as it is, and anew with each renewal', () => {
    const first = observeLease(undefined, lease(), 1000);
    const again = observeLease(first, lease({ resourceVersion: '8' }), 9000);
    expect(again?.since).toBe(1000);
    expect(observeLease(again, lease({ renewTime: 't2' }), 12_000)?.since).toBe(12_000);
    expect(observeLease(again, lease({ holder: 'third' }), 13_000)?.since).toBe(13_000);
  });

  it('is not taken from a holder whose clock is a year off: only what we saw counts', () => {
    const sighting = observeLease(undefined, lease({ renewTime: '2020-01-01T00:00:00.000000Z' }), 1000);
    expect(decideLease(sighting, 'me', 2000).step).toBe('Wait');
  });
});
