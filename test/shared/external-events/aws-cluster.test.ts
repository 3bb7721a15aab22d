/** Which clusters an event concerns, and which part of them. */
import { describe, expect, it } from 'vitest';
import { awsClusters, concerns, zoneShare } from '../../../shared/external-events/aws-cluster.ts';
import type { EventPlace } from '../../../shared/external-events/external-event.ts';
import { clusterOfTags } from '../../../shared/external-events/instances.ts';

const ARN = 'arn:aws:eks:eu-central-1:111122223333:cluster/prod';
const read = (annotations: object, spec: object = {}, status: object = {}) =>
  awsClusters.parse({
    metadata: {
      name: 'member1',
      uid: 'u',
      resourceVersion: '1',
      creationTimestamp: '2026-11-20T09:00:00Z',
      annotations,
    },
    spec,
    status,
  });
const prod = read(
  {
    'evenkeel.dev/eks-cluster': ARN,
    'evenkeel.dev/zones': 'euc1-az2, euc1-az3',
    'evenkeel.dev/auto-scaling-groups': 'workers',
  },
  { zones: ['eu-central-1a', 'eu-central-1b'] },
  { nodeSummary: { totalNum: 30 } },
);
const here: EventPlace = { account: '111122223333', region: 'eu-central-1' };

describe('a member cluster on AWS', () => {
  it('has account, region and EKS cluster from the ARN of its annotation, and its nodes from its report', () => {
    expect(prod).toMatchObject({ account: '111122223333', region: 'eu-central-1', eksCluster: 'prod', nodes: 30 });
  });

  it('without the annotation is the EKS cluster of its own name, in the region of its spec', () => {
    const cluster = read({}, { region: 'eu-central-1' });
    expect(cluster).toEqual({
      name: 'member1',
      eksCluster: 'member1',
      region: 'eu-central-1',
      zones: [],
      zoneIds: [],
      autoScalingGroups: [],
      capacityReservations: [],
    });
    expect(concerns({ ...here, eksClusters: ['member1'] }, cluster)).toBe(true);
  });

  it.each<[EventPlace, boolean]>([
    [{ ...here, eksClusters: ['prod'] }, true],
    [{ ...here, eksClusters: ['other'] }, false],
    [{ ...here, eksClusters: ['other', 'prod'] }, true],
    [{ ...here, account: '444455556666', eksClusters: ['prod'] }, false],
    [{ ...here, region: 'us-east-1', eksClusters: ['prod'] }, false],
    [here, true],
    [{}, false],
    [{ cluster: 'member1' }, true],
    [{ cluster: 'member2' }, false],
    [{ ...here, zones: ['euc1-az2'] }, true],
    [{ ...here, zones: ['eu-central-1b'] }, true],
    [{ ...here, zones: ['euc1-az1'] }, false],
    [{ ...here, instances: ['i-1'] }, false],
    [{ ...here, instances: ['i-1'], eksClusters: ['prod'] }, true],
    [{ ...here, autoScalingGroup: 'workers' }, true],
    [{ ...here, autoScalingGroup: 'others' }, false],
    [{ ...here, capacityReservation: 'cr-1' }, false],
  ])('is concerned by %j: %s', (event, expected) => {
    expect(concerns(event, prod)).toBe(expected);
  });

  it('is concerned by the share of its zones, by name or by id', () => {
    expect(
      [['euc1-az2'], ['eu-central-1a'], ['euc1-az2', 'euc1-az3'], undefined].map((zones) =>
        zoneShare(zones ? { zones } : {}, prod),
      ),
    ).toEqual([50, 50, 100, 100]);
  });
});

describe('the cluster of an instance', () => {
  it('is named by the tag of EKS, else of its tools, else of every cluster on AWS', () => {
    const owned = { Key: 'kubernetes.io/cluster/self-made', Value: 'owned' };
    const tool = { Key: 'eks:cluster-name', Value: 'by-tool' };
    const eks = { Key: 'aws:eks:cluster-name', Value: 'prod' };
    expect([[owned, tool, eks], [owned, tool], [owned], [{ Key: 'Name', Value: 'x' }]].map(clusterOfTags)).toEqual([
      'prod',
      'by-tool',
      'self-made',
      undefined,
    ]);
  });
});
