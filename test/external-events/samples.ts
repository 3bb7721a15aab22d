/** Events of AWS after their published schemas, with the fields that a test is about. Account 111122223333, region eu-central-1, EKS cluster "prod". */

export interface Sample {
  readonly begin: (options?: SampleOptions) => object;
  /** Absent: its end is never announced. */
  readonly end?: (options?: SampleOptions) => object;
  /** The share of the cluster that it concerns: one of four nodes, one of two zones, or all. */
  readonly percent: number;
}

export interface SampleOptions {
  readonly account?: string;
  readonly region?: string;
  readonly time?: string;
  /** Names or ids of what is concerned instead. */
  readonly instance?: string;
  readonly cluster?: string;
  /** More EKS clusters that an event of AWS Health names. */
  readonly moreClusters?: readonly string[];
  readonly page?: string;
  readonly zone?: string;
  readonly group?: string;
  readonly reservation?: string;
  readonly update?: string;
  /** The end of the ARN of an event of AWS Health. */
  readonly incident?: string;
}

export const ACCOUNT = '111122223333';
export const REGION = 'eu-central-1';
export const INSTANCE = 'i-0b662ef9931388ba0';

let sent = 0;

function envelope(
  { account = ACCOUNT, region = REGION, time = '2026-11-21T10:00:00Z' }: SampleOptions,
  [source, detailType]: readonly [string, string],
  { resources = [], detail }: { readonly resources?: readonly string[]; readonly detail: object },
): object {
  sent += 1;
  const id = `7bf73129-1428-4cd3-a780-${String(sent).padStart(12, '0')}`;
  return { version: '0', id, 'detail-type': detailType, source, account, time, region, resources, detail };
}

const ofInstance =
  (detailType: string, more: object) =>
  (options: SampleOptions = {}) => {
    const { instance = INSTANCE, region = REGION } = options;
    const resources = [`arn:aws:ec2:${region}b:instance/${instance}`];
    return envelope(options, ['aws.ec2', detailType], { resources, detail: { 'instance-id': instance, ...more } });
  };

const health =
  (category: string, status: 'open' | 'closed' | 'upcoming', times: (options: SampleOptions) => object = () => ({})) =>
  (options: SampleOptions = {}) => {
    const { account = ACCOUNT, region = REGION, cluster = 'prod', incident = cluster, page = '1' } = options;
    const named = [cluster, ...(options.moreClusters ?? [])];
    const arns = named.map((name) => `arn:aws:eks:${region}:${account}:cluster/${name}`);
    const lastUpdatedTime = 'Sat, 21 Nov 2026 10:00:00 GMT';
    const code = category === 'issue' ? 'AWS_EKS_OPERATIONAL_ISSUE' : 'AWS_EKS_PLANNED_LIFECYCLE_EVENT';
    const detail = {
      eventArn: `arn:aws:health:${region}::event/EKS/${code}/${code}_${incident}`,
      service: 'EKS',
      eventTypeCode: code,
      eventTypeCategory: category,
      eventScopeCode: 'ACCOUNT_SPECIFIC',
      communicationId: '1234abc01232a4012345678-1',
      lastUpdatedTime,
      statusCode: status,
      eventRegion: region,
      eventDescription: [{ language: 'en_US', latestDescription: 'A description of the event.' }],
      affectedEntities: arns.map((entityValue) => ({ entityValue, lastUpdatedTime, status: 'IMPAIRED' })),
      affectedAccount: account,
      page,
      totalPages: page,
      ...times(options),
    };
    return envelope(options, ['aws.health', 'AWS Health Event'], { resources: arns, detail });
  };

const shift =
  (detailType: string) =>
  (options: SampleOptions = {}) => {
    const detail = { version: '0.0.1', data: '', metadata: { awayFrom: options.zone ?? 'euc1-az2', notes: '' } };
    return envelope(options, ['aws.arc-zonal-shift', detailType], { detail });
  };

const launch =
  (detailType: string) =>
  (options: SampleOptions = {}) => {
    const { account = ACCOUNT, region = REGION, group = 'eks-workers-0ac1' } = options;
    const isFailure = detailType.endsWith('Unsuccessful');
    const detail = {
      Origin: 'EC2',
      Destination: 'AutoScalingGroup',
      AutoScalingGroupName: group,
      ActivityId: '87654321-4321-4321-4321-210987654321',
      RequestId: '12345678-1234-1234-1234-123456789012',
      StatusCode: isFailure ? 'Failed' : 'InProgress',
      StatusMessage: isFailure ? 'We currently do not have sufficient capacity in the Availability Zone.' : '',
      EC2InstanceId: INSTANCE,
      Details: { 'Availability Zone': `${region}b`, 'Subnet ID': 'subnet-12345678' },
      Cause: 'an instance was started in response to a difference between desired and actual capacity.',
    };
    const resources = [`arn:aws:autoscaling:${region}:${account}:autoScalingGroup:uuid:autoScalingGroupName/${group}`];
    return envelope(options, ['aws.autoscaling', detailType], { resources, detail });
  };

/** Begins five minutes after the event, for 25 minutes. */
const announced = (options: SampleOptions) => {
  const now = Date.parse(options.time ?? '2026-11-21T10:00:00Z');
  const [startTime, endTime] = [5, 30].map((minutes) => new Date(now + minutes * 60_000).toUTCString());
  return { startTime, endTime };
};

/** By type. */
export const samples = {
  SpotInterruption: {
    begin: ofInstance('EC2 Spot Instance Interruption Warning', { 'instance-action': 'terminate' }),
    percent: 25,
  },
  RebalanceRecommendation: { begin: ofInstance('EC2 Instance Rebalance Recommendation', {}), percent: 25 },
  HealthIssue: {
    begin: health('issue', 'open', () => ({ startTime: 'Sat, 21 Nov 2026 08:00:00 GMT' })),
    end: health('issue', 'closed'),
    percent: 100,
  },
  HealthScheduledChange: {
    begin: health('scheduledChange', 'upcoming', announced),
    end: health('scheduledChange', 'closed'),
    percent: 100,
  },
  ZonalShift: { begin: shift('Autoshift In Progress'), end: shift('Autoshift Completed'), percent: 50 },
  EksUpdate: {
    begin: (options: SampleOptions = {}) => {
      const { region = REGION, cluster = 'prod' } = options;
      const detail = {
        eventVersion: '1.10',
        eventTime: '2026-11-21T10:00:00Z',
        eventSource: 'eks.amazonaws.com',
        eventName: 'UpdateNodegroupVersion',
        awsRegion: region,
        requestParameters: { name: cluster, nodegroupName: 'workers', clientRequestToken: '0' },
        responseElements: { update: { id: options.update ?? '5d1f8ba2', status: 'InProgress', type: 'VersionUpdate' } },
        readOnly: false,
        eventType: 'AwsApiCall',
      };
      return envelope(options, ['aws.eks', 'AWS API Call via CloudTrail'], { detail });
    },
    percent: 100,
  },
  CapacityBlockExpiration: {
    begin: (options: SampleOptions = {}) => {
      const { account = ACCOUNT, region = REGION, reservation = 'cr-1234567890abcdefg' } = options;
      const resources = [`arn:aws:ec2:${region}:${account}:capacity-reservation/${reservation}`];
      const detail = { 'capacity-reservation-id': reservation, 'end-date': '2026-11-21T10:40:00Z' };
      return envelope(options, ['aws.ec2', 'Capacity Block Expiration Warning'], { resources, detail });
    },
    percent: 100,
  },
  LaunchFailure: {
    begin: launch('EC2 Instance Launch Unsuccessful'),
    end: launch('EC2 Instance Launch Successful'),
    percent: 100,
  },
} as const satisfies Readonly<Record<string, Sample>>;

export type SampleType = keyof typeof samples;
export const sampleTypes = Object.keys(samples) as SampleType[];
