/** Which bindings find-reductions reads again although they did not change. */
import { describe, expect, it } from 'vitest';
import { mayBecomeDue } from '../../../functions/graceful-reduction/find-reductions.ts';
import { parseSettings } from '../../../shared/core/settings.ts';
import type { PlacedBinding } from '../../../shared/karmada/placed-binding.ts';
import { at } from '../../builders.ts';
import { placedBinding } from '../../placed-objects.ts';

const STRATEGY = { 'evenkeel.dev/replica-reduction-strategy': 'DelayWorkDeletion' };
const HELD = { 'replica-reduction-queue.evenkeel.dev/m1': JSON.stringify({ replicas: 4 }) };
const SHORT = { ...STRATEGY, 'evenkeel.dev/replica-reduction-grace-period-seconds': '60' };
const settings = parseSettings({ reductionGraceSeconds: 600 });

function binding(annotations: Readonly<Record<string, string>>, lastScheduledTime: number | null): PlacedBinding {
  const made = placedBinding();
  const metadata = { ...made.metadata, annotations };
  return { ...made, metadata, status: { ...made.status, lastScheduledTime } };
}

describe('a binding may become due without a change', () => {
  it.each([
    ['while it holds a reduction', HELD, null, true],
    ['while a reduction of its last scheduling can still be held', STRATEGY, at(-599), true],
    ['not when the grace period after its last scheduling is over', STRATEGY, at(-600), false],
    ['not when its own, shorter grace period is over', SHORT, at(-60), false],
    ['not before it was scheduled', STRATEGY, null, false],
    ['not if nothing asks for its reductions to be held', {}, at(-1), false],
  ])('%s', (_, annotations, scheduled, expected) => {
    expect(mayBecomeDue(binding(annotations, scheduled), { settings, now: at(0) })).toBe(expected);
  });
});
