import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterTrigger,
  decideTrigger,
  holdTrigger,
  plannedOn,
  signedTrigger,
  type TriggerRequest,
  triggerPatch,
  triggerStep,
} from '../../../functions/workload-rebalancer/trigger-bindings.ts';
import type { ObjectReference } from '../../../shared/kubernetes/object-reference.ts';
import type { HeldTrigger, SeenBinding } from '../../../shared/workload-rebalancer/rebalance-task.ts';
import { at, deployment, pending, task } from '../../builders.ts';

const us = 'demo/uid-demo';
const wantedSince = (second: number): TriggerRequest => ({ wantedSince: at(second), author: us, version: '100' });

interface BindingFields {
  readonly by?: string;
  /** Of the request, as its resourceVersion. */
  readonly version?: string;
  readonly requested?: number;
  /** The binding's generation is 4. By default the scheduler has observed it. */
  readonly observed?: number;
  readonly always?: true;
}

/** A trigger with an author is signed: it is the one that was written by them. */
function seen(trigger: number | undefined, scheduled: number | undefined, fields: BindingFields = {}): SeenBinding {
  const { by, version, requested, always, observed = scheduled === undefined ? undefined : 4 } = fields;
  return {
    resourceVersion: '9',
    generation: 4,
    ...(observed !== undefined && { schedulerObservedGeneration: observed }),
    ...(trigger !== undefined && { rescheduleTriggeredAt: at(trigger) }),
    ...(scheduled !== undefined && { lastScheduledTime: at(scheduled) }),
    ...(always && { isAlwaysScheduled: always }),
    ...(by !== undefined &&
      trigger !== undefined && {
        signature: {
          triggeredBy: by,
          triggeredAt: at(trigger),
          ...(requested !== undefined && { requestedAt: at(requested) }),
          ...(version !== undefined && { requestVersion: version }),
        },
      }),
  };
}

const other = { by: 'other/uid-2', version: '90' };

describe('the trigger of a binding wanted since second 5', () => {
  it.each([
    ['writes the wanted time where the binding was scheduled before', seen(undefined, 2), at(5)],
    ['writes it where there is an older trigger', seen(1, 2), at(5)],
    ['writes it where an older trigger is still waiting', seen(4, 2, { observed: 3 }), at(5)],
    ['writes it on a binding that was never scheduled', seen(undefined, undefined), at(5)],
    [
      'writes a second after the last scheduling where it was scheduled since, by something else',
      seen(undefined, 7),
      at(8),
    ],
    ['writes a second after a scheduling in the very same second', seen(undefined, 5), at(6)],
    ["is not lost when another rebalancer's trigger of the same second was acted on", seen(5, 5, other), at(6)],
    ["is not lost when another's trigger of the same second was acted on later", seen(5, 9, other), at(10)],
    [
      "is not lost when an earlier request's trigger is newer by its time, as after a clock was set back",
      seen(3600, 3600, other),
      at(3601),
    ],
    [
      'is not lost when the scheduler is ahead, so that the trigger of an earlier request is',
      seen(16, 16, other),
      at(17),
    ],
    [
      'is not lost when the scheduler is behind: it observed the trigger that appears to be pending',
      seen(6, 2, other),
      at(7),
    ],
    ['does not count on another trigger whose request has no number', seen(6, 6, { by: 'other/uid-2' }), at(7)],
    [
      'does not count on one whose number is of another form',
      seen(6, 6, { by: 'other/uid-2', version: 'v200' }),
      at(7),
    ],
    // Scheduled in second 7, and triggered by hand later in it: the scheduler never acted on that, though it appears so.
    ["does not count on a user's trigger of the second in which it was scheduled", seen(7, 7), at(8)],
    [
      "does not count on a later request's trigger that a user took back",
      { ...seen(7, 7), signature: { triggeredBy: 'other/uid-2', triggeredAt: at(8), requestVersion: '200' } },
      at(8),
    ],
    [
      'does not count on a trigger that waits, if the scheduler does not number its passes',
      {
        ...seen(6, 2),
        schedulerObservedGeneration: undefined,
      } as unknown as SeenBinding,
      at(7),
    ],
    ['writes the wanted time where every change has it scheduled', seen(undefined, 7, { always: true }), at(5)],
    [
      'is later than a trigger that stands there, also where every change has it scheduled',
      seen(5, 5, { ...other, always: true }),
      at(6),
    ],
  ])('%s', (_, binding, expected) => {
    expect(decideTrigger(wantedSince(5), binding)).toMatchObject({ action: 'Write', rescheduleTriggeredAt: expected });
  });

  it.each([
    [
      'respects one that was written over the trigger of this very request',
      seen(6, 6, { by: 'other/uid-2', version: '100' }),
    ],
    ["respects a later request's trigger that was acted on", seen(6, 6, { by: 'other/uid-2', version: '101' })],
    ['compares resourceVersions as numbers, not as text', seen(6, 6, { by: 'other/uid-2', version: '1000' })],
    [
      "respects one that a user's later trigger replaced: it was acted on before, or that one is",
      { ...seen(7, 7), signature: { triggeredBy: 'other/uid-2', triggeredAt: at(6), requestVersion: '200' } },
    ],
    ["respects a later request's trigger of an earlier time", seen(3, 3, { by: 'other/uid-2', version: '101' })],
    ['respects a newer trigger that is waiting', seen(6, 2, { ...other, observed: 3 })],
    [
      "counts another's trigger of the same second that is still waiting: it will be acted on after we were asked",
      seen(5, 2, { ...other, observed: 3 }),
    ],
    ['does not trigger again what this rebalancer triggered, acted on or not', seen(5, 5, { by: us, requested: 5 })],
    [
      'does not trigger again what an older version of ours triggered for it, which noted no request',
      seen(5, 5, { by: us }),
    ],
    ['does not trigger again after its own trigger was moved past a scheduling', seen(8, 8, { by: us, requested: 5 })],
    ['leaves a trigger on a binding that was never scheduled', seen(5, undefined)],
  ])('%s', (_, binding) => {
    expect(decideTrigger(wantedSince(5), binding).action).toBe('Keep');
  });

  it('writes anew for a workload that left the list and came back, although the old trigger is ours', () => {
    expect(decideTrigger(wantedSince(60), seen(5, 6, { by: us, requested: 5 }))).toMatchObject({
      action: 'Write',
      rescheduleTriggeredAt: at(60),
    });
  });

  it('writes anew for it where the trigger has a later time than the edit, as with a scheduler ahead', () => {
    expect(decideTrigger(wantedSince(60), seen(90, 90, { by: us, requested: 5 }))).toMatchObject({
      action: 'Write',
      rescheduleTriggeredAt: at(91),
    });
  });
});

describe('holding a trigger', () => {
  const hold = (binding: SeenBinding, held: HeldTrigger | undefined, now: number) =>
    holdTrigger(decideTrigger(wantedSince(5), binding), { seen: binding, held, now });
  const held = (until: number, scheduled: number, times = 1): HeldTrigger => ({
    until,
    times,
    lastScheduledTime: at(scheduled),
  });

  it.each([
    ['holds one of the second after the last scheduling for a second', seen(undefined, 7), held(at(8) + 400, 7)],
    [
      'holds one whose binding the scheduler may have in hand',
      seen(undefined, 2, { observed: 3 }),
      held(at(8) + 400, 2),
    ],
    ['writes the requested time at once', seen(undefined, 2), undefined],
    [
      'writes at once where every change has it scheduled',
      seen(undefined, 7, { observed: 3, always: true }),
      undefined,
    ],
    ['writes at once on a binding that was never scheduled', seen(undefined, undefined), undefined],
    ['has nothing to hold where the trigger stands', seen(6, 2, { ...other, observed: 3 }), undefined],
  ])('%s', (_, binding, expected) => {
    expect(hold(binding, undefined, at(7) + 400)).toEqual(expected);
  });

  it.each<[string, HeldTrigger, number, HeldTrigger | undefined]>([
    ['goes on holding a message that comes back early', held(at(9), 7), at(8) + 200, held(at(9), 7)],
    ['ends when its second is over', held(at(9), 7), at(9), undefined],
    ['ends where our clock was set back', held(at(9), 7), at(-3600), undefined],
    ['begins again where it was scheduled meanwhile', held(at(9), 6), at(9), held(at(10), 7, 2)],
    ['ends after three times, however often it is scheduled', held(at(9), 6, 3), at(9), undefined],
  ])('%s', (_, before, now, expected) => {
    expect(hold(seen(undefined, 7), before, now)).toEqual(expected);
  });

  it('does not wait twice for a scheduler that is away', () => {
    expect(hold(seen(undefined, 2, { observed: 3 }), held(at(9), 2), at(9))).toBeUndefined();
  });
});

const second = fc.integer({ min: 0, max: 12 });
const optionalSecond = fc.option(second, { nil: undefined });
const fields = fc.record<BindingFields>(
  {
    by: fc.constantFrom(us, 'x/y'),
    version: fc.constantFrom('90', '100', '1000', 'none'),
    requested: second,
    observed: fc.constantFrom(3, 4),
    always: fc.constant(true as const),
  },
  { requiredKeys: [] },
);

describe('for every state of a binding, whatever its clocks show', () => {
  it('never writes a trigger that goes backwards', () => {
    fc.assert(
      fc.property(second, optionalSecond, optionalSecond, fields, (wanted, trigger, scheduled, state) => {
        const decision = decideTrigger(wantedSince(wanted), seen(trigger, scheduled, state));
        if (decision.action === 'Write' && trigger !== undefined)
          expect(decision.rescheduleTriggeredAt).toBeGreaterThan(at(trigger));
      }),
    );
  });

  it('always writes one that the scheduler acts on: later than its last scheduling, or every change is acted on', () => {
    fc.assert(
      fc.property(second, optionalSecond, second, fields, (wanted, trigger, scheduled, state) => {
        const decision = decideTrigger(wantedSince(wanted), seen(trigger, scheduled, state));
        if (decision.action === 'Write' && !state.always)
          expect(decision.rescheduleTriggeredAt).toBeGreaterThan(at(scheduled));
      }),
    );
  });

  it('keeps what it wrote when it comes again, acted on or not, by a scheduler with any clock', () => {
    fc.assert(
      fc.property(second, optionalSecond, second, fields, second, (wanted, trigger, scheduled, state, noted) => {
        const decision = decideTrigger(wantedSince(wanted), seen(trigger, scheduled, state));
        if (decision.action !== 'Write') return;
        const written = (decision.rescheduleTriggeredAt - at(0)) / 1000;
        const after = seen(written, noted, { by: us, requested: wanted, version: '100' });
        expect(decideTrigger(wantedSince(wanted), after).action).toBe('Keep');
      }),
    );
  });

  it('keeps another trigger only if a pass that comes after the request is certain', () => {
    fc.assert(
      fc.property(second, optionalSecond, second, fields, (wanted, trigger, scheduled, state) => {
        const decision = decideTrigger(wantedSince(wanted), seen(trigger, scheduled, state));
        if (decision.action === 'Write' || state.by === us) return;
        const isPassToCome = state.observed === 3 && (state.always === true || (trigger ?? 0) > scheduled);
        expect(isPassToCome || state.version === '1000' || state.version === '100').toBe(true);
      }),
    );
  });
});

describe('the patch', () => {
  it('is small, names the version it was decided on, and records who triggered when, for which request', () => {
    const before = seen(undefined, 7);
    expect(triggerPatch(before.resourceVersion, signedTrigger(before, at(8), wantedSince(5)))).toEqual({
      metadata: {
        resourceVersion: '9',
        annotations: {
          'evenkeel.dev/triggered-by': 'demo/uid-demo',
          'evenkeel.dev/triggered-at': '2026-11-21T10:00:08Z',
          'evenkeel.dev/requested-at': '2026-11-21T10:00:05Z',
          'evenkeel.dev/request-version': '100',
        },
      },
      spec: { rescheduleTriggeredAt: '2026-11-21T10:00:08Z' },
    });
  });

  it('keeps the number of a later request that it replaces: it is written after that one too', () => {
    const version = (signed: string) =>
      signedTrigger(seen(5, 5, { by: 'other/uid-2', version: signed }), at(6), wantedSince(5));
    const annotations = (number: string) => ({ annotations: { 'evenkeel.dev/request-version': number } });
    expect(version('200')).toMatchObject(annotations('200'));
    expect(version('99')).toMatchObject(annotations('100'));
    expect(version('other')).toMatchObject(annotations('100'));
  });

  it('leaves the number alone where ours has none, as in a row of an older version', () => {
    const { annotations } = signedTrigger(seen(undefined, 2), at(5), { wantedSince: at(5), author: us });
    expect(annotations).not.toHaveProperty('evenkeel.dev/request-version');
  });
});

describe('the next write for a workload', () => {
  const workload = pending(deployment('a'));
  const step = (binding: SeenBinding | undefined, now = at(20)) =>
    triggerStep(task(), workload, { seen: binding, now });

  it.each([
    ['none without a binding', undefined, 'not found: it has no binding', false],
    ['none where a trigger of ours is written', seen(5, 5, { by: us }), /^left alone: this rebalancer/, false],
    ['a trigger where there is none', seen(undefined, undefined), /^triggered: /, true],
  ])('is %s', (_, binding, why, isWritten) => {
    const { write, triggered } = step(binding);
    expect(triggered.workload.why).toMatch(why);
    expect(write !== undefined).toBe(isWritten);
  });

  const ofAnother = (over: Partial<ObjectReference>) => ({
    ...seen(undefined, undefined),
    resource: { ...deployment('a'), ...over },
  });

  it.each([
    ['of another group', { apiVersion: 'example.com/v1' }, 'example.com/v1 Deployment shop/a'],
    ['of another kind, in the lower case of its name', { kind: 'deployment' }, 'apps/v1 deployment shop/a'],
    ['of another name with the same binding', { name: 'A' }, 'apps/v1 Deployment shop/A'],
  ])('is none if the binding is of an object %s: the result names it', (_, over, named) => {
    const { write, triggered } = step(ofAnother(over));
    expect(write).toBeUndefined();
    expect(triggered.workload).toMatchObject({
      result: 'Failed',
      reason: 'ReferencedBindingMismatch',
      why: `not triggered: its binding is of ${named}`,
    });
  });

  it('is a trigger if the binding is of the object in another version, which its result names', () => {
    const { write, triggered } = step(ofAnother({ apiVersion: 'apps/v1beta1' }));
    expect(write?.trigger).toMatchObject({ rescheduleTriggeredAt: workload.wantedSince });
    expect(triggered.workload).toMatchObject({ result: 'Successful' });
    expect(triggered.workload.why).toMatch(/^triggered: .*; its binding is of apps\/v1beta1$/);
  });

  it('waits while the trigger is held, unless its assignment is part of the write', () => {
    const binding = seen(undefined, 2, { observed: 3 });
    const { write, triggered } = step(binding);
    expect(write).toBeUndefined();
    expect(triggered.workload).toMatchObject({ ...workload, held: { times: 1 } });
    const withIt = triggerStep(task(), workload, { seen: binding, now: at(20), isScheduledWithIt: true });
    expect(withIt.write?.trigger).toMatchObject({ rescheduleTriggeredAt: at(3) });
    expect(withIt.triggered.workload).toMatchObject({ result: 'Successful' });
  });

  it('fails the workload if its binding is deleted before the write', () => {
    const { triggered } = step(seen(undefined, undefined));
    expect(afterTrigger('done', triggered)).toBe(triggered);
    expect(afterTrigger('missing', triggered).workload).toMatchObject({
      result: 'Failed',
      workload: workload.workload,
    });
  });

  it.each([
    ['starts from the binding as it was planned', pending(deployment('a'), { seen: seen(1, 2) }), true],
    ['starts from a read if nothing was seen', workload, false],
    ['starts from a read after a hold', { ...workload, seen: seen(1, 2), held: { until: at(1), times: 1 } }, false],
    ['starts from a read if the row has no generation', { ...workload, seen: { resourceVersion: '1' } }, false],
  ])('%s', (_, row, isKnown) => {
    expect(plannedOn(row) !== undefined).toBe(isKnown);
  });
});
