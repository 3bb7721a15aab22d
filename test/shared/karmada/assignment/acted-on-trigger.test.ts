/** What the scheduler records about the last handled trigger, and what follows for the affinity term in use. */
import { describe, expect, it } from 'vitest';
import {
  ACTED_ON_TRIGGER,
  actedOn,
  affinityInUse,
  hasActedOnTrigger,
  isTriggered,
} from '../../../../shared/karmada/assignment/plan-scheduling.ts';
import { at } from '../../../builders.ts';
import { placedBinding } from '../../../placed-objects.ts';

const [five, six] = ['2026-11-21T10:00:05Z', '2026-11-21T10:00:06Z'];

const binding = (parts: { triggered?: string; last?: string; note?: string; inUse?: string }) =>
  placedBinding({
    metadata: { annotations: parts.note === undefined ? {} : { [ACTED_ON_TRIGGER]: parts.note } },
    spec: { rescheduleTriggeredAt: parts.triggered },
    status: { lastScheduledTime: parts.last, schedulerObservingAffinityName: parts.inUse },
  });

describe('the note of a trigger', () => {
  it('has its time, and the term that was used, where there are any', () => {
    expect([actedOn(at(6), undefined), actedOn(at(6), 'far away')]).toEqual([six, `${six} far away`]);
  });

  it('states whether this exact trigger was handled', () => {
    const noted = (triggered: string | undefined, note: string | undefined) =>
      hasActedOnTrigger(binding({ ...(triggered && { triggered }), ...(note && { note }) }));
    expect([noted(six, six), noted(six, `${six} far`)]).toEqual([true, true]);
    expect([noted(six, five), noted(six, undefined), noted(undefined, six), noted(undefined, undefined)]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('a trigger', () => {
  it.each([
    [six, five, true],
    [five, five, false],
    ['2026-11-21T10:00:05.900Z', five, false],
    [five, six, false],
    [undefined, five, false],
    [six, undefined, false],
  ])('at %s is newer than the scheduling at %s: %s', (triggered, last, newer) => {
    expect(isTriggered(binding({ ...(triggered && { triggered }), ...(last && { last }) }))).toBe(newer);
  });
});

describe('the term in use', () => {
  it.each<[string, Parameters<typeof binding>[0], string | undefined]>([
    ['is the one of the status', { last: five, inUse: 'near' }, 'near'],
    ['is none where there are no terms', { last: five }, undefined],
    [
      'is the one of the note, where the status is behind the trigger that was acted on',
      { triggered: six, last: five, note: `${six} far away`, inUse: 'near' },
      'far away',
    ],
    ['stays where the note names none', { triggered: six, last: five, note: six, inUse: 'near' }, 'near'],
    [
      'stays where the trigger was not acted on yet',
      { triggered: six, last: five, note: `${five} far`, inUse: 'near' },
      'near',
    ],
    ['stays where the status has caught up', { triggered: six, last: six, note: `${six} far`, inUse: 'near' }, 'near'],
  ])('%s', (_, parts, name) => {
    expect(affinityInUse(binding(parts))).toBe(name);
  });
});
