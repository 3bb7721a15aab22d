import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideTrigger, dueIn, triggerPatch } from '../../../functions/workload-rebalancer/trigger-bindings.ts';
import type { SeenBinding } from '../../../shared/model/rebalance-task.ts';
import { at } from '../../builders.ts';

const us = 'demo/uid-demo';

/** A trigger with an author is signed: it is the one that was written by them. */
function seen(trigger: number | undefined, scheduled: number | undefined, triggeredBy?: string): SeenBinding {
  return {
    resourceVersion: '9',
    ...(trigger !== undefined && { rescheduleTriggeredAt: at(trigger) }),
    ...(scheduled !== undefined && { lastScheduledTime: at(scheduled) }),
    ...(triggeredBy !== undefined && { triggeredBy, isSigned: true }),
  };
}

describe('the trigger of a binding wanted since second 5', () => {
  it.each([
    ['writes the wanted time where the binding was scheduled before', seen(undefined, 2), at(5)],
    ['writes it where there is an older trigger', seen(1, 2), at(5)],
    ['writes it where an older trigger is still waiting', seen(4, 2), at(5)],
    ['writes it on a binding that was never scheduled', seen(undefined, undefined), at(5)],
    [
      'writes a second after the last scheduling where it was scheduled since, by something else',
      seen(undefined, 7),
      at(8),
    ],
    ['writes a second after a scheduling in the very same second', seen(undefined, 5), at(6)],
    ["is not lost when another rebalancer's trigger of the same second was acted on", seen(5, 5, 'other/uid-2'), at(6)],
    ["is not lost when another's trigger of the same second was acted on later", seen(5, 9, 'other/uid-2'), at(10)],
    // Scheduled in second 7, and triggered by hand later in it: the scheduler never acted on that, and it looks as if it had.
    ["does not count on a person's trigger of the second in which it was scheduled", seen(7, 7), at(8)],
    [
      "does not count on a person's trigger that replaced one of a rebalancer",
      { ...seen(7, 7), triggeredBy: 'other/uid-2' },
      at(8),
    ],
  ])('%s', (_, binding, expected) => {
    expect(decideTrigger(at(5), binding, us)).toMatchObject({ action: 'Write', rescheduleTriggeredAt: expected });
  });

  it.each([
    ['respects a newer trigger that was acted on', seen(6, 6, 'other/uid-2')],
    ['respects a newer trigger that is waiting', seen(6, 2, 'other/uid-2')],
    [
      "counts another's trigger of the same second that is still waiting: it will be acted on after we were asked",
      seen(5, 2, 'other/uid-2'),
    ],
    ['does not trigger again what this rebalancer triggered, acted on or not', seen(5, 5, us)],
    ['does not trigger again after its own trigger was moved past a scheduling', seen(8, 8, us)],
    ['leaves a trigger on a binding that was never scheduled', seen(5, undefined)],
  ])('%s', (_, binding) => {
    expect(decideTrigger(at(5), binding, us).action).toBe('Keep');
  });

  it('writes anew for a workload that left the list and came back, although the old trigger is ours', () => {
    expect(decideTrigger(at(60), seen(5, 6, us), us)).toMatchObject({ action: 'Write', rescheduleTriggeredAt: at(60) });
  });
});

describe('a trigger of second 8', () => {
  it.each([
    ['waits for the rest of second 7, in which the binding was scheduled', at(7) + 400, 600],
    ['is due when its second has come', at(8), 0],
    ['is due ever after', at(60), 0],
    ['waits for a clock that is a little behind', at(3), 5000],
    ['does not wait for a clock that is far behind: the time may never come', at(2), 0],
  ])('%s', (_, now, expected) => {
    expect(dueIn(at(8), now)).toBe(expected);
  });
});

const second = fc.integer({ min: 0, max: 12 });
const optionalSecond = fc.option(second, { nil: undefined });

describe('for every state of a binding', () => {
  it('never writes a trigger that goes backwards', () => {
    fc.assert(
      fc.property(
        second,
        optionalSecond,
        optionalSecond,
        fc.constantFrom(us, 'x/y', undefined),
        (wanted, trigger, scheduled, by) => {
          const decision = decideTrigger(at(wanted), seen(trigger, scheduled, by), us);
          if (decision.action === 'Write' && trigger !== undefined)
            expect(decision.rescheduleTriggeredAt).toBeGreaterThan(at(trigger));
        },
      ),
    );
  });

  it("always writes one that the scheduler's own condition will see", () => {
    fc.assert(
      fc.property(second, optionalSecond, second, (wanted, trigger, scheduled) => {
        const decision = decideTrigger(at(wanted), seen(trigger, scheduled), us);
        if (decision.action === 'Write') expect(decision.rescheduleTriggeredAt).toBeGreaterThan(at(scheduled));
      }),
    );
  });

  it('keeps what it wrote when it looks again, acted on or not', () => {
    fc.assert(
      fc.property(second, optionalSecond, optionalSecond, fc.boolean(), (wanted, trigger, scheduled, acted) => {
        const decision = decideTrigger(at(wanted), seen(trigger, scheduled), us);
        if (decision.action !== 'Write') return;
        const written = (decision.rescheduleTriggeredAt - at(0)) / 1000;
        expect(decideTrigger(at(wanted), seen(written, acted ? written : scheduled, us), us).action).toBe('Keep');
      }),
    );
  });
});

describe('the patch', () => {
  it('is small, names the version it was decided on, and says who triggered when', () => {
    expect(triggerPatch(seen(undefined, 2), at(5), us)).toEqual({
      metadata: {
        resourceVersion: '9',
        annotations: {
          'evenkeel.dev/triggered-by': 'demo/uid-demo',
          'evenkeel.dev/triggered-at': '2026-11-21T10:00:05Z',
        },
      },
      spec: { rescheduleTriggeredAt: '2026-11-21T10:00:05Z' },
    });
  });
});
