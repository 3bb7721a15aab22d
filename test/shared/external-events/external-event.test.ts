/** What is stored of an event when another of its incident arrives, case by case. */
import { describe, expect, it } from 'vitest';
import {
  afterReceived,
  type ExternalEvent,
  expiryOf,
  type ReceivedEvent,
} from '../../../shared/external-events/external-event.ts';
import { at } from '../../builders.ts';

type Type = ExternalEvent['type'];

const known = (type: Type, over: Partial<ExternalEvent> = {}): ExternalEvent => ({
  ...{ id: 'a', type, startsAt: at(10), receivedAt: at(11) },
  ...over,
});
const received = (type: Type, over: Partial<ReceivedEvent>): ReceivedEvent => ({
  ...{ id: 'a', type, receivedAt: at(20), zones: ['z'] },
  ...over,
});

describe('after a begin', () => {
  const begin = (type: Type, startsAt: number, over: Partial<ReceivedEvent> = {}) =>
    received(type, { startsAt: at(startsAt), ...over });

  it.each<[string, ExternalEvent | undefined, ReceivedEvent, object | undefined]>([
    ['of an unknown incident', undefined, begin('ZonalShift', 12), { startsAt: at(12), receivedAt: at(20) }],
    [
      'after its end',
      known('ZonalShift', { endsAt: at(11) }),
      begin('ZonalShift', 12),
      { startsAt: at(12), receivedAt: at(20) },
    ],
    ['at its end', known('ZonalShift', { endsAt: at(12) }), begin('ZonalShift', 12), undefined],
    ['before its end', known('ZonalShift', { endsAt: at(13) }), begin('ZonalShift', 12), undefined],
    [
      'that is a later one: it goes on',
      known('ZonalShift'),
      begin('ZonalShift', 12),
      { startsAt: at(10), receivedAt: at(11), repeatedAt: at(12), zones: ['z'] },
    ],
    ['that is the same', known('ZonalShift'), begin('ZonalShift', 10), undefined],
    ['that is an earlier one', known('ZonalShift'), begin('ZonalShift', 9), undefined],
    ['that was repeated later', known('ZonalShift', { repeatedAt: at(14) }), begin('ZonalShift', 12), undefined],
    ['that was repeated at that time', known('ZonalShift', { repeatedAt: at(12) }), begin('ZonalShift', 12), undefined],
    ['of an issue that is over', known('HealthIssue', { endsAt: at(15) }), begin('HealthIssue', 18), undefined],
    [
      'of an issue that is over just now',
      known('HealthIssue', { endsAt: at(20) }),
      begin('HealthIssue', 21),
      undefined,
    ],
    [
      'of an issue that goes on',
      known('HealthIssue'),
      begin('HealthIssue', 18),
      { startsAt: at(10), repeatedAt: at(18) },
    ],
    [
      'of an announced change at another time',
      known('HealthScheduledChange', { endsAt: at(90) }),
      begin('HealthScheduledChange', 40, { endsAt: at(90) }),
      { startsAt: at(40), endsAt: at(90), receivedAt: at(11) },
    ],
    [
      'of an announced change with another end',
      known('HealthScheduledChange', { endsAt: at(90) }),
      begin('HealthScheduledChange', 10, { endsAt: at(95) }),
      { startsAt: at(10), endsAt: at(95), receivedAt: at(11) },
    ],
    [
      'of an announced change at the same time',
      known('HealthScheduledChange', { endsAt: at(90) }),
      begin('HealthScheduledChange', 10, { endsAt: at(90) }),
      undefined,
    ],
  ])('%s', (_, before, event, expected) => {
    const after = afterReceived(before, event);
    if (expected === undefined) expect(after).toBeUndefined();
    else expect(after).toMatchObject(expected);
  });
});

describe('after an end', () => {
  const end = (type: Type, endsAt: number) => received(type, { endsAt: at(endsAt) });

  it.each<[string, ExternalEvent | undefined, ReceivedEvent, object | undefined]>([
    ['of an unknown incident', undefined, end('ZonalShift', 12), { startsAt: at(12), endsAt: at(12) }],
    ['without a time', undefined, received('ZonalShift', {}), { startsAt: at(20), endsAt: at(20) }],
    ['of a launch that follows no failure', undefined, end('LaunchFailure', 12), undefined],
    ['of a failure to launch', known('LaunchFailure'), end('LaunchFailure', 12), { startsAt: at(10), endsAt: at(12) }],
    ['that is later', known('ZonalShift'), end('ZonalShift', 12), { startsAt: at(10), endsAt: at(12) }],
    ['at its begin', known('ZonalShift'), end('ZonalShift', 10), { endsAt: at(10) }],
    ['of an earlier incident', known('ZonalShift'), end('ZonalShift', 9), undefined],
    ['before its last repetition', known('ZonalShift', { repeatedAt: at(14) }), end('ZonalShift', 12), undefined],
    ['that is known', known('ZonalShift', { endsAt: at(12) }), end('ZonalShift', 12), undefined],
    ['earlier than the known one', known('ZonalShift', { endsAt: at(13) }), end('ZonalShift', 12), undefined],
    [
      'of an announced change, before it begins',
      known('HealthScheduledChange', { endsAt: at(90) }),
      end('HealthScheduledChange', 5),
      { startsAt: at(10), endsAt: at(5) },
    ],
    [
      'of an announced change, as announced',
      known('HealthScheduledChange', { endsAt: at(90) }),
      end('HealthScheduledChange', 90),
      undefined,
    ],
  ])('%s', (_, before, event, expected) => {
    const after = afterReceived(before, event);
    if (expected === undefined) expect(after).toBeUndefined();
    else expect(after).toMatchObject(expected);
  });
});

describe('an event is kept for 25 hours', () => {
  const HOURS = 25 * 3600;

  it.each([
    ['after it was received', known('ZonalShift'), 11],
    ['after its end', known('ZonalShift', { endsAt: at(30) }), 30],
    ['after its last repetition', known('ZonalShift', { repeatedAt: at(40) }), 40],
    ['after its begin, if it is announced', known('HealthScheduledChange', { startsAt: at(50) }), 50],
  ])('%s', (_, event, last) => {
    expect(expiryOf(event)).toBe(at(last + HOURS));
  });
});
