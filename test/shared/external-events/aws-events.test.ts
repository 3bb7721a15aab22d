/** Every field that is read of the events of AWS. */
import { describe, expect, it } from 'vitest';
import { clusterOfTags } from '../../../shared/external-events/instances.ts';
import { parseExternalEvent } from '../../../shared/external-events/parse-event.ts';
import { at } from '../../builders.ts';

const NOW = at(1);
const account = '111122223333';
const region = 'eu-central-1';
const TIME = '2026-11-21T10:00:00Z';
const prod = `arn:aws:eks:${region}:${account}:cluster/prod`;
const shop = `arn:aws:eks:${region}:${account}:cluster/shop`;

function eventOf(source: string, type: string, detail: object, over: object = {}): object {
  return { id: 'e1', source, 'detail-type': type, account, region, time: TIME, detail, ...over };
}

/** Without what every event has: its text, and when it was received. */
function read(event: object): object | undefined {
  const { event: _, receivedAt: __, ...rest } = parseExternalEvent(JSON.stringify(event), NOW) ?? {};
  return Object.keys(rest).length === 0 ? undefined : rest;
}

const spot = (detail: object) => eventOf('aws.ec2', 'EC2 Spot Instance Interruption Warning', detail);
const shift = (type: string, over: object = {}) =>
  eventOf('aws.arc-zonal-shift', type, { metadata: { awayFrom: 'euc1-az2' } }, over);
const launch = (result: string) =>
  eventOf('aws.autoscaling', `EC2 Instance Launch ${result}`, { AutoScalingGroupName: 'workers' });
const eksCall = (detail: object) => eventOf('aws.eks', 'AWS API Call via CloudTrail', detail);
const health = (detail: object, over: object = {}) =>
  eventOf(
    'aws.health',
    'AWS Health Event',
    { eventArn: 'arn:h', service: 'EC2', eventTypeCategory: 'issue', ...detail },
    over,
  );

const place = { account, region };
const zonal = { ...place, type: 'ZonalShift', id: `ZonalShift/${account}/${region}/euc1-az2`, zones: ['euc1-az2'] };
const issue = { ...place, type: 'HealthIssue', id: `HealthIssue/arn:h/${account}`, startsAt: at(0) };

describe('an event of AWS is read', () => {
  it.each<[string, object, object | undefined]>([
    [
      'of Spot',
      spot({ 'instance-id': 'i-0a1b' }),
      { ...place, type: 'SpotInterruption', id: 'SpotInterruption/i-0a1b', instances: ['i-0a1b'], startsAt: at(0) },
    ],
    [
      'of an interrupted reservation',
      eventOf('aws.ec2', 'EC2 Capacity Reservation Instance Interruption Warning', { 'instance-id': 'i-1' }),
      { ...place, type: 'SpotInterruption', id: 'SpotInterruption/i-1', instances: ['i-1'], startsAt: at(0) },
    ],
    [
      'of a rebalance recommendation',
      eventOf('aws.ec2', 'EC2 Instance Rebalance Recommendation', { 'instance-id': 'i-1' }),
      {
        ...{ ...place, type: 'RebalanceRecommendation', id: 'RebalanceRecommendation/i-1' },
        ...{ instances: ['i-1'], startsAt: at(0) },
      },
    ],
    ['of Spot without an instance', spot({}), undefined],
    ['of Spot with an instance that is no text', spot({ 'instance-id': 5 }), undefined],
    ['of Spot with an empty instance', spot({ 'instance-id': '' }), undefined],
    ['of Spot with a name that is too long', spot({ 'instance-id': 'i'.repeat(254) }), undefined],
    [
      'of Spot with the longest name',
      spot({ 'instance-id': 'i'.repeat(253) }),
      expect.objectContaining({ instances: ['i'.repeat(253)] }) as object,
    ],
    ...['Capacity Block Expiration Warning', 'Capacity Block Reservation Expiration Warning'].map(
      (type): [string, object, object] => [
        `of a ${type}`,
        eventOf('aws.ec2', type, { 'capacity-reservation-id': 'cr-1' }),
        {
          ...{ ...place, type: 'CapacityBlockExpiration', id: 'CapacityBlockExpiration/cr-1' },
          ...{ capacityReservation: 'cr-1', startsAt: at(0) },
        },
      ],
    ),
    ['of a capacity block without its id', eventOf('aws.ec2', 'Capacity Block Expiration Warning', {}), undefined],
    ...[
      'Autoshift In Progress',
      'FIS Experiment Autoshift In Progress',
      'Manual Shift Started',
      'Manual Shift Updated',
    ].map((type): [string, object, object] => [`of a shift: ${type}`, shift(type), { ...zonal, startsAt: at(0) }]),
    ...[
      'Autoshift Completed',
      'FIS Experiment Autoshift Completed',
      'FIS Experiment Autoshift Canceled',
      'Manual Shift Canceled',
      'Manual Shift Completed',
    ].map((type): [string, object, object] => [`of a shift: ${type}`, shift(type), { ...zonal, endsAt: at(0) }]),
    [
      'of a shift of one EKS cluster',
      shift('Manual Shift Started', { resources: ['arn:aws:elb:x', prod] }),
      { ...zonal, id: `${zonal.id}/prod`, eksClusters: ['prod'], startsAt: at(0) },
    ],
    [
      'of a shift of several EKS clusters, in any order',
      shift('Manual Shift Completed', { resources: [shop, prod, shop] }),
      { ...zonal, id: `${zonal.id}/prod/shop`, eksClusters: ['prod', 'shop'], endsAt: at(0) },
    ],
    [
      'of a shift of other resources',
      shift('Manual Shift Started', { resources: [`x${prod}`, `${prod}/node`] }),
      { ...zonal, startsAt: at(0) },
    ],
    ['of a shift without a zone', eventOf('aws.arc-zonal-shift', 'Manual Shift Started', {}), undefined],
    [
      'of a failed launch',
      launch('Unsuccessful'),
      {
        ...{ ...place, type: 'LaunchFailure', id: `LaunchFailure/${account}/${region}/workers` },
        ...{ autoScalingGroup: 'workers', startsAt: at(0) },
      },
    ],
    [
      'of a launch',
      launch('Successful'),
      {
        ...{ ...place, type: 'LaunchFailure', id: `LaunchFailure/${account}/${region}/workers` },
        ...{ autoScalingGroup: 'workers', endsAt: at(0) },
      },
    ],
    ['of a launch without a group', eventOf('aws.autoscaling', 'EC2 Instance Launch Successful', {}), undefined],
    ...['UpdateClusterVersion', 'UpdateNodegroupVersion', 'UpdateNodegroupConfig'].map(
      (eventName): [string, object, object] => [
        `of the call ${eventName}`,
        eksCall({ eventName, requestParameters: { name: 'prod' }, responseElements: { update: { id: 'u-1' } } }),
        {
          ...{ ...place, type: 'EksUpdate', id: `EksUpdate/${account}/${region}/prod/u-1` },
          ...{ eksClusters: ['prod'], startsAt: at(0) },
        },
      ],
    ),
    [
      'of a call without the id of its update',
      eksCall({ eventName: 'UpdateClusterVersion', requestParameters: { name: 'prod' } }),
      expect.objectContaining({ id: `EksUpdate/${account}/${region}/prod/` }) as object,
    ],
    ['of a call without a cluster', eksCall({ eventName: 'UpdateClusterVersion' }), undefined],
    ['of an issue of a region', health({}), issue],
    ['of an issue of EKS', health({ service: 'EKS' }), issue],
    [
      'of an issue elsewhere, of another account',
      health({ eventRegion: 'eu-west-1', affectedAccount: '444455556666' }),
      { ...issue, region: 'eu-west-1', account: '444455556666', id: 'HealthIssue/arn:h/444455556666' },
    ],
    [
      'of an issue of instances and clusters',
      health({
        affectedEntities: ['i-0f', 'i-xyz', 'xi-0f', 'i-0f.', 'vol-1', shop, prod].map((entityValue) => ({
          entityValue,
        })),
      }),
      { ...issue, instances: ['i-0f'], eksClusters: ['prod', 'shop'] },
    ],
    ['of an issue of an entity without a value', health({ affectedEntities: [{}] }), issue],
    [
      'of an issue, from its report and not from its begin',
      health({ startTime: 'Sat, 21 Nov 2026 08:00:00 GMT', endTime: 'Sat, 21 Nov 2026 12:00:00 GMT' }),
      issue,
    ],
    [
      'of an issue that is over',
      health({ statusCode: 'closed', endTime: 'Sat, 21 Nov 2026 09:00:00 GMT' }),
      { ...place, type: 'HealthIssue', id: issue.id, endsAt: at(-3600) },
    ],
    [
      'of an issue that is over, at an unknown time',
      health({ statusCode: 'closed', endTime: 'today' }),
      { ...place, type: 'HealthIssue', id: issue.id, endsAt: at(0) },
    ],
    [
      'of an announced change',
      health({
        eventTypeCategory: 'scheduledChange',
        startTime: 'Sat, 21 Nov 2026 11:00:00 GMT',
        endTime: 'Sat, 21 Nov 2026 12:00:00 GMT',
      }),
      {
        ...{ ...place, type: 'HealthScheduledChange', id: `HealthScheduledChange/arn:h/${account}` },
        ...{ startsAt: at(3600), endsAt: at(7200) },
      },
    ],
    [
      'of an announced change without times',
      health({ eventTypeCategory: 'scheduledChange' }),
      { ...place, type: 'HealthScheduledChange', id: `HealthScheduledChange/arn:h/${account}`, startsAt: at(0) },
    ],
    ['of AWS Health that is not of its schema', health({ eventArn: 5 }), undefined],
    [
      'of AWS Health without an account',
      health({}, { account: '' }),
      { region, type: 'HealthIssue', id: 'HealthIssue/arn:h/', startsAt: at(0) },
    ],
    [
      'that names a member cluster',
      spot({ 'instance-id': 'i-1', cluster: 'member1' }),
      {
        ...{ ...place, type: 'SpotInterruption', id: 'SpotInterruption/i-1/member1', cluster: 'member1' },
        ...{ instances: ['i-1'], startsAt: at(0) },
      },
    ],
    [
      'of another type of its service, as that of a user',
      eventOf('aws.ec2', 'EC2 Instance State-change Notification', {}),
      { type: 'Other', id: 'Other/e1', startsAt: at(0) },
    ],
  ])('%s', (_, event, expected) => {
    expect(read(event)).toEqual(expected);
  });

  it('with its text, up to 100,000 characters', () => {
    const of = (characters: number) => {
      const event = spot({ 'instance-id': 'i-1', text: '' });
      const missing = characters - JSON.stringify(event).length;
      return parseExternalEvent(JSON.stringify(spot({ 'instance-id': 'i-1', text: 'x'.repeat(missing) })), NOW);
    };
    expect(of(100_000)).toHaveProperty('event');
    expect(of(100_001)).not.toHaveProperty('event');
  });

  it('or rejected with the field, and at most 40 characters of a wrong time', () => {
    const wrong = { ...spot({ 'instance-id': 'i-1' }), time: 'x'.repeat(60) };
    expect(() => parseExternalEvent(JSON.stringify(wrong), NOW)).toThrow(
      `not an event of EventBridge: time: "${'x'.repeat(39)} is no RFC 3339 time`,
    );
    const unnamed = { ...spot({ 'instance-id': 'i-1' }), id: '' };
    expect(() => parseExternalEvent(JSON.stringify(unnamed), NOW)).toThrow('not an event of EventBridge: id: ');
    expect(() => parseExternalEvent('{', NOW)).toThrow(
      expect.objectContaining({ reason: 'UnreadableEvent', retryClass: 'terminal' }) as Error,
    );
  });
});

describe('the cluster of an instance', () => {
  it.each([
    [
      [
        { Key: 'eks:cluster-name', Value: 'b' },
        { Key: 'aws:eks:cluster-name', Value: 'a' },
      ],
      'a',
    ],
    [
      [
        { Key: 'kubernetes.io/cluster/c', Value: 'owned' },
        { Key: 'eks:cluster-name', Value: 'b' },
      ],
      'b',
    ],
    [
      [
        { Key: 'Name', Value: 'x' },
        { Key: 'kubernetes.io/cluster/c', Value: 'owned' },
      ],
      'c',
    ],
    [[{ Key: 'aws:eks:cluster-name', Value: '' }, { Key: 'kubernetes.io/cluster/c' }], 'c'],
    [[{ Key: 'kubernetes.io/cluster/' }, {}, { Value: 'a' }], undefined],
    [[], undefined],
  ])('with the tags %j is %j', (tags, expected) => {
    expect(clusterOfTags(tags)).toBe(expected);
  });
});
