/** Events of AWS with everything deployed: from the default bus through the deployed rules to replicas that are assigned to other clusters. */
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { ResourceGroupsTaggingAPIClient, TagResourcesCommand } from '@aws-sdk/client-resource-groups-tagging-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AUTO_SCALING_GROUPS,
  CAPACITY_RESERVATIONS,
  EKS_CLUSTER,
  ZONES,
} from '../../../../shared/external-events/aws-cluster.ts';
import type { PolicySpec } from '../../../../shared/rebalance-policy/rebalance-policy.ts';
import {
  INSTANCE,
  type SampleOptions,
  type SampleType,
  samples,
  sampleTypes,
} from '../../../external-events/samples.ts';
import { ACCOUNT_ID, REGION } from '../../parts/aws-emulator.ts';
import { isDenied, ourRequests } from '../audit-log.ts';
import { type Binding, bindingsPath, until } from '../hub-client.ts';
import { type Deployed, startDeployed } from './deployed.ts';
import { CLUSTERS, clustersWith, withoutClusters } from './estimated.ts';
import { createPolicy, POLICIES, policyOnce, spread, turn } from './policies.ts';

const ID = Date.now().toString(36);
const NAMES = ['e1', 'e2', 'e3'];
const HELD = { e1: [4, 4], e2: [4, 4], e3: [4, 4] } as const;
const DRAINS = '/apis/evenkeel.dev/v1alpha1/clusterdrains';

interface Drain {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly cluster: string; readonly percent?: number };
}

let deployed: Deployed;

const nameOf = (type: SampleType) => `${type.toLowerCase()}-${ID}`;

beforeAll(async () => {
  deployed = await startDeployed();
  await clustersWith(deployed, { e1: 100, e2: 100, e3: 100 });
  for (const cluster of NAMES) await turn(deployed, cluster, 'healthy');
  const annotations = {
    [EKS_CLUSTER]: `arn:aws:eks:${REGION}:${ACCOUNT_ID}:cluster/prod`,
    [ZONES]: 'euc1-az2,euc1-az3',
    [AUTO_SCALING_GROUPS]: 'eks-workers-0ac1',
    [CAPACITY_RESERVATIONS]: 'cr-1234567890abcdefg',
  };
  await deployed.client.merge(`${CLUSTERS}/e1`, { metadata: { annotations } });
  await deployed.client.merge(`${CLUSTERS}/e1/status`, { status: { nodeSummary: { totalNum: 4, readyNum: 4 } } });
  const tagging = new ResourceGroupsTaggingAPIClient(deployed.aws.emulator.client());
  const ResourceARNList = [`arn:aws:ec2:${REGION}:${ACCOUNT_ID}:instance/${INSTANCE}`];
  await tagging.send(new TagResourcesCommand({ ResourceARNList, Tags: { 'eks:cluster-name': 'prod' } }));
  // A policy and a workload for each type: the drains of all of them go on at once.
  for (const type of sampleTypes) {
    await spread(deployed, nameOf(type), { names: ['web'], held: HELD, over: NAMES });
    const externalEvents = [
      { types: [type], action: 'Drain', limit: '1h' },
    ] as PolicySpec['triggers']['externalEvents'];
    await createPolicy(deployed, nameOf(type), { triggers: { externalEvents } });
  }
  for (const type of sampleTypes) await policyOnce(deployed, nameOf(type), ({ state }) => state === 'Idle');
});

afterAll(async () => {
  await deployed.client.delete(POLICIES);
  await deployed.client.delete(DRAINS);
  await withoutClusters(deployed, NAMES);
});

/** On the default bus, as a service of AWS publishes it. */
async function publish(type: SampleType, options: SampleOptions = {}): Promise<void> {
  const given = {
    account: ACCOUNT_ID,
    region: REGION,
    time: new Date().toISOString().replace(/\.\d+/, ''),
    ...options,
  };
  const event = samples[type].begin(given) as {
    readonly source: string;
    readonly 'detail-type': string;
    readonly time: string;
    readonly resources: string[];
    readonly detail: object;
  };
  const events = new EventBridgeClient(deployed.aws.emulator.client());
  const entry = {
    Source: event.source,
    DetailType: event['detail-type'],
    Time: new Date(event.time),
    Resources: event.resources,
    Detail: JSON.stringify(event.detail),
  };
  const { FailedEntryCount } = await events.send(new PutEventsCommand({ Entries: [entry] }));
  expect(FailedEntryCount).toBe(0);
}

async function drainsOf(type: SampleType): Promise<readonly Drain[]> {
  const drains = await deployed.client.list<Drain>(DRAINS);
  return drains.filter(({ metadata }) => metadata.name.startsWith(nameOf(type)));
}

async function onE1(type: SampleType): Promise<number> {
  const [binding] = await deployed.client.list<Binding>(bindingsPath(nameOf(type)));
  return binding?.spec.clusters?.find(({ name }) => name === 'e1')?.replicas ?? 0;
}

const elsewhere: SampleOptions = {
  ...{ instance: 'i-00000000000000000', cluster: 'other', zone: 'euc1-az1' },
  ...{ group: 'other', reservation: 'cr-0' },
};

describe('the events of AWS, with everything deployed', () => {
  it('of other clusters change nothing', async () => {
    for (const type of sampleTypes) await publish(type, elsewhere);
    const stored = async () => (await deployed.queues.depth('receive-event')) === 0;
    await until('the events are received', async () => ((await stored()) ? true : undefined));
    expect(await deployed.client.list<Drain>(DRAINS)).toEqual([]);
  });

  it('each move the share of the cluster that they concern', async () => {
    for (const type of sampleTypes) await publish(type);
    for (const type of sampleTypes) {
      const { percent } = samples[type];
      const [drain] = await until(`${type} drains e1`, async () => {
        const found = await drainsOf(type);
        return found.length > 0 ? found : undefined;
      });
      expect([type, drain?.spec.cluster, drain?.spec.percent]).toEqual([type, 'e1', percent]);
      await until(`the replicas of ${type} have moved`, async () =>
        (await onE1(type)) === 4 - (4 * percent) / 100 ? true : undefined,
      );
    }
  });

  it('that end have their drains deleted', async () => {
    const { end } = samples.ZonalShift;
    const event = end({ account: ACCOUNT_ID, region: REGION }) as {
      readonly detail: object;
      readonly 'detail-type': string;
    };
    const events = new EventBridgeClient(deployed.aws.emulator.client());
    const entry = {
      Source: 'aws.arc-zonal-shift',
      DetailType: event['detail-type'],
      Detail: JSON.stringify(event.detail),
    };
    await events.send(new PutEventsCommand({ Entries: [entry] }));
    await until('the drain is gone', async () => ((await drainsOf('ZonalShift')).length === 0 ? true : undefined));
    expect(await drainsOf('HealthIssue')).toHaveLength(1);
  });

  it('need no request that the shipped RBAC denies, and leave no dead-letter message', async () => {
    await deployed.queues.areWithoutDeadLetters();
    expect(ourRequests(deployed.hub).filter(isDenied)).toEqual([]);
  });
});
