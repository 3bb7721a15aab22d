/** What is read of events of AWS, of users and of Alertmanager, and what is stored of begins and ends. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAlerts } from '../../../functions/external-events/receive-alerts.ts';
import {
  afterReceived,
  type ExternalEvent,
  type ReceivedEvent,
} from '../../../shared/external-events/external-event.ts';
import { knownEvents, parseExternalEvent } from '../../../shared/external-events/parse-event.ts';
import { at } from '../../builders.ts';
import { samples, sampleTypes } from '../../external-events/samples.ts';

const NOW = at(1);
const parse = (event: object) => parseExternalEvent(JSON.stringify(event), NOW);
const place = { account: '111122223333', region: 'eu-central-1' };

describe('an event of AWS', () => {
  it.each(sampleTypes)('of type %s is known by its source and detail-type', (type) => {
    const event = samples[type].begin() as { readonly source: string; readonly 'detail-type': string };
    const known = knownEvents.filter(
      ({ source, detailTypes }) => source === event.source && detailTypes.includes(event['detail-type']),
    );
    expect(known).toHaveLength(1);
    expect(parse(event)).toMatchObject({ ...place, type, receivedAt: NOW, event });
  });

  it.each(sampleTypes.filter((type) => 'end' in samples[type]))(
    'of type %s has one id for its begin and its end',
    (type) => {
      const { begin, end = begin } = samples[type] as { begin: () => object; end?: () => object };
      const [first, last] = [parse(begin()), parse(end())];
      expect(last?.id).toBe(first?.id);
      expect([first?.startsAt, last?.startsAt, last?.endsAt]).toEqual([
        expect.any(Number),
        undefined,
        expect.any(Number),
      ]);
    },
  );

  it('names what it concerns', () => {
    expect(parse(samples.SpotInterruption.begin({ instance: 'i-1f' }))).toMatchObject({ instances: ['i-1f'] });
    expect(parse(samples.ZonalShift.begin())).toMatchObject({ zones: ['euc1-az2'] });
    expect(parse(samples.HealthIssue.begin())).toMatchObject({ eksClusters: ['prod'] });
    expect(parse(samples.EksUpdate.begin())).toMatchObject({ eksClusters: ['prod'] });
    expect(parse(samples.LaunchFailure.begin())).toMatchObject({ autoScalingGroup: 'eks-workers-0ac1' });
    expect(parse(samples.CapacityBlockExpiration.begin())).toMatchObject({
      capacityReservation: 'cr-1234567890abcdefg',
    });
  });

  it.each(sampleTypes)('of type %s has an id of its own for each member cluster that events name', (type) => {
    const ids = ['member1', 'member2'].map((cluster) => {
      const event = samples[type].begin() as { readonly detail: object };
      return parse({ ...event, detail: { ...event.detail, cluster } })?.id;
    });
    expect(new Set([...ids, parse(samples[type].begin())?.id]).size).toBe(3);
  });

  it('of AWS Health has an id of its own in each account that it affects', () => {
    const ids = ['111122223333', '444455556666'].map((account) => parse(samples.HealthIssue.begin({ account }))?.id);
    expect(new Set(ids).size).toBe(2);
  });

  it('of AWS Health has an id of its own for each further page', () => {
    const [first, second] = ['1', '2'].map((page) => {
      const event = samples.HealthIssue.begin() as { readonly detail: object };
      return parse({ ...event, detail: { ...event.detail, page, totalPages: '2' } })?.id;
    });
    expect(second).toBe(`${first}/2`);
  });

  it('that is announced begins at its own time', () => {
    const { startsAt, endsAt } = parse(samples.HealthScheduledChange.begin()) ?? {};
    expect((startsAt ?? 0) - at(0)).toBe(5 * 60_000);
    expect((endsAt ?? 0) - (startsAt ?? 0)).toBe(25 * 60_000);
  });

  it.each<[string, object]>([
    [
      'of a failed call of EKS',
      {
        ...samples.EksUpdate.begin(),
        detail: { eventName: 'UpdateClusterVersion', errorCode: 'AccessDenied', requestParameters: { name: 'prod' } },
      },
    ],
    [
      'of another call of EKS',
      { ...samples.EksUpdate.begin(), detail: { eventName: 'DescribeCluster', requestParameters: { name: 'prod' } } },
    ],
    [
      'of AWS Health about another service',
      { ...samples.HealthIssue.begin(), detail: { eventArn: 'a', service: 'S3', eventTypeCategory: 'issue' } },
    ],
    [
      'of AWS Health for the account',
      {
        ...samples.HealthIssue.begin(),
        detail: { eventArn: 'a', service: 'EC2', eventTypeCategory: 'accountNotification' },
      },
    ],
    ['without an instance', { ...samples.SpotInterruption.begin(), detail: {} }],
  ])('%s concerns no cluster', (_, event) => {
    expect(parse(event)).toBeUndefined();
  });
});

describe('an event of a user', () => {
  it('is of type Other, and its detail may name a member cluster', () => {
    const event = {
      id: 'e1',
      source: 'ci',
      'detail-type': 'Done',
      time: '2026-11-21T10:00:00Z',
      detail: { cluster: 'member1' },
    };
    expect(parse(event)).toMatchObject({ id: 'Other/e1', type: 'Other', cluster: 'member1' });
  });

  it('has no account and region: they are where it was sent', () => {
    const event = { id: 'e1', source: 'ci', 'detail-type': 'Done', time: '2026-11-21T10:00:00Z', detail: {}, ...place };
    expect(parse(event)).toEqual({ id: 'Other/e1', type: 'Other', startsAt: at(0), receivedAt: NOW, event });
  });

  it('larger than 100 kB is stored without its text', () => {
    const event = {
      id: 'e1',
      source: 'ci',
      'detail-type': 'Done',
      time: '2026-11-21T10:00:00Z',
      detail: { text: 'x'.repeat(100_000) },
    };
    expect(parse(event)).not.toHaveProperty('event');
  });

  it.each([
    ['not JSON', 'not an event of EventBridge: the message is not JSON'],
    ['{"id":"a","source":"ci","detail-type":"x","time":"today","detail":{}}', 'time: "today" is no RFC 3339 time'],
    ['{"id":"a","source":"ci","detail-type":"x","time":"2026-11-21T10:00:00Z"}', 'detail: '],
  ])('that is unreadable is an error with the field: %s', (body, message) => {
    expect(() => parseExternalEvent(body, NOW)).toThrow(message);
  });
});

describe('a notification of Alertmanager', () => {
  const alert = {
    status: 'firing',
    labels: { alertname: 'NodesLost', cluster: 'member1' },
    fingerprint: 'f1',
    startsAt: '2026-11-21T08:00:00Z',
  };

  it('has an event for each alert, which begins when it is received', () => {
    const body = JSON.stringify({
      version: '4',
      status: 'firing',
      alerts: [alert, { ...alert, status: 'resolved', fingerprint: 'f2' }],
    });
    expect(parseAlerts('karmada', body, NOW)).toEqual([
      {
        id: 'Alert/karmada/f1',
        type: 'Alert',
        hub: 'karmada',
        cluster: 'member1',
        startsAt: NOW,
        receivedAt: NOW,
        event: expect.objectContaining({ source: 'alertmanager', 'detail-type': 'NodesLost' }) as object,
      },
      {
        id: 'Alert/karmada/f2',
        type: 'Alert',
        hub: 'karmada',
        cluster: 'member1',
        endsAt: NOW,
        receivedAt: NOW,
        event: expect.anything() as object,
      },
    ]);
  });

  it('that is unreadable is an error with the field', () => {
    const { fingerprint: _, ...rest } = alert;
    expect(() => parseAlerts('karmada', '{', NOW)).toThrow('not a notification of Alertmanager: the body is not JSON');
    expect(() => parseAlerts('karmada', JSON.stringify({ alerts: [rest] }), NOW)).toThrow('alerts.0.fingerprint: ');
  });
});

describe('what is stored of begins and ends', () => {
  const begin = (time: number): ReceivedEvent => ({
    id: 'a',
    type: 'ZonalShift',
    startsAt: at(time),
    receivedAt: at(time),
  });
  const end = (time: number): ReceivedEvent => ({
    id: 'a',
    type: 'ZonalShift',
    endsAt: at(time),
    receivedAt: at(time),
  });
  const after = (...received: readonly ReceivedEvent[]) =>
    received.reduce<ExternalEvent | undefined>((known, each) => afterReceived(known, each) ?? known, undefined);

  it('is the same in any order, with any repetitions', () => {
    const events = [begin(1), end(5), begin(9), end(12)];
    const wanted = after(...events);
    fc.assert(
      fc.property(fc.shuffledSubarray([...events, ...events], { minLength: 8 }), (shuffled) => {
        const { startsAt, endsAt } = after(...shuffled) ?? {};
        expect(endsAt).toBe(wanted?.endsAt);
        expect([at(1), at(5), at(9), at(12)]).toContain(startsAt);
      }),
    );
  });

  it('goes on after the last begin, in any order, with any repetitions', () => {
    const events = [begin(1), end(5), begin(9)];
    fc.assert(
      fc.property(fc.shuffledSubarray([...events, ...events], { minLength: 6 }), (shuffled) => {
        const { startsAt = 0, repeatedAt = startsAt, endsAt } = after(...shuffled) ?? {};
        expect([repeatedAt, endsAt]).toEqual([at(9), undefined]);
      }),
    );
  });

  it('begins again after an end, and goes on while it is reported again', () => {
    expect(after(begin(1), end(5), begin(9))).toMatchObject({ startsAt: at(9) });
    expect(after(begin(1), end(5), begin(9))?.endsAt).toBeUndefined();
    expect(after(begin(1), begin(9))).toMatchObject({ startsAt: at(1), repeatedAt: at(9) });
  });

  it('concerns what the last repetition names', () => {
    const wider = { ...begin(9), zones: ['euc1-az1', 'euc1-az2'] };
    expect(after(begin(1), wider)).toMatchObject({
      startsAt: at(1),
      receivedAt: at(1),
      zones: ['euc1-az1', 'euc1-az2'],
    });
  });

  it('is not begun by a late begin, and not ended by the end of an earlier incident', () => {
    expect(after(begin(1), end(5), begin(3))?.endsAt).toBe(at(5));
    expect(after(begin(9), end(5))?.endsAt).toBeUndefined();
  });
});
