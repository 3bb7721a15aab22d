/** ElasticWorkloads with everything deployed: from an audit event to replicas in ManifestWorks, through a one-time schedule to borrowed replicas, until deletion. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scheduleName } from '../../../../shared/core/digest.ts';
import { elasticKind } from '../../../../shared/elastic-workload/elastic-workload.ts';
import type { ElasticStatus } from '../../../../shared/elastic-workload/elastic-workload-schema.ts';
import { resourcePath } from '../../../../shared/kubernetes/resource.ts';
import { isDenied, ourRequests } from '../audit-log.ts';
import { until } from '../hub-client.ts';
import { type Deployed, HUB, ONE_TIME_GROUP, scheduleCalled, startDeployed } from './deployed.ts';
import { OcmByHand } from './ocm-by-hand.ts';

const ID = Date.now().toString(36);
const NAMESPACE = `fleet-${ID}`;
const NAME = `web-${ID}`;
const CLUSTERS = ['e1', 'e2', 'e3'].map((name) => `${name}-${ID}`);
const [E1 = '', E2 = '', E3 = ''] = CLUSTERS;
const kind = elasticKind('workload.open-cluster-management.io');
const PATH = resourcePath(kind, { namespace: NAMESPACE, name: NAME });

interface Elastic {
  readonly metadata: { readonly uid: string };
  readonly status?: ElasticStatus;
}

let deployed: Deployed;
let ocm: OcmByHand;

beforeAll(async () => {
  deployed = await startDeployed();
  ocm = await OcmByHand.start(deployed.client, NAMESPACE, CLUSTERS);
});

afterAll(async () => {
  await deployed.client.send({ method: 'DELETE', path: PATH });
});

/** Agents report in each round, as real ones do periodically. */
async function numbersOnce(wanted: Readonly<Record<string, number>>): Promise<void> {
  await until(`the numbers are ${JSON.stringify(wanted)}`, async () => {
    await ocm.report();
    return JSON.stringify(await ocm.written(NAME)) === JSON.stringify(wanted) ? true : undefined;
  });
}

async function conditionOnce(type: string, status: string, reason: string): Promise<ElasticStatus> {
  return until(`${type} is ${status} ${reason}`, async () => {
    await ocm.report();
    const { status: found } = await deployed.client.get<Elastic>(PATH);
    const condition = found?.conditions?.find((one) => one.type === type);
    return condition?.status === status && condition.reason === reason ? found : undefined;
  });
}

describe('an ElasticWorkload, deployed', () => {
  it('is divided among the clusters of its placement, triggered by audit events', async () => {
    await ocm.run(NAMESPACE, NAME, {
      distributionStrategy: { totalReplicas: 12 },
      balanceStrategy: { type: 'LimitRange', limitRange: { max: 12 }, hesitationSeconds: 5 },
    });
    await numbersOnce({ [E1]: 4, [E2]: 4, [E3]: 4 });
    const { replicas, readyReplicas, manifestWorks } = await conditionOnce('Balanced', 'True', 'Balanced');
    expect({ replicas, readyReplicas }).toEqual({ replicas: 12, readyReplicas: 12 });
    expect(manifestWorks?.map(({ namespace }) => namespace)).toEqual(CLUSTERS);
    // A due workload may be balanced before the events of its ManifestWorks arrive.
    for (const wanted of ['ElasticWorkloadChanged', 'ManifestWorkChanged'])
      await until(`${wanted} is on the bus`, async () =>
        (await deployed.tap.typesAbout(NAME)).find((type) => type === wanted),
      );
  });

  it('waits for hesitationSeconds in a one-time schedule, and lets other clusters borrow the missing replicas', async () => {
    ocm.capacity.set(E2, 2);
    await ocm.report();
    const { metadata } = await deployed.client.get<Elastic>(PATH);
    const name = scheduleName('elastic', { hub: HUB, uid: metadata.uid });
    const schedule = await until('a schedule is there', () => scheduleCalled(deployed, name));
    expect(schedule).toMatchObject({ GroupName: ONE_TIME_GROUP, ActionAfterCompletion: 'DELETE', State: 'ENABLED' });
    await numbersOnce({ [E1]: 5, [E2]: 2, [E3]: 5 });
    await conditionOnce('Balanced', 'False', 'Borrowed');
    expect(await deployed.tap.typesAbout(NAME)).toContain('ElasticWorkloadDue');
  });

  it('returns the borrowed replicas when the cluster has capacity again', async () => {
    ocm.capacity.delete(E2);
    await numbersOnce({ [E1]: 4, [E2]: 4, [E3]: 4 });
    await conditionOnce('Balanced', 'True', 'Balanced');
  });

  it('is deleted together with its ManifestWorks', async () => {
    await deployed.client.delete(PATH);
    await until('it is gone', async () =>
      (await deployed.client.send({ method: 'GET', path: PATH })).status === 404 ? true : undefined,
    );
    expect(await ocm.written(NAME)).toEqual({});
  });

  it('leaves no dead-letter message, and needs no request that the shipped RBAC denies', async () => {
    await deployed.queues.areWithoutDeadLetters();
    expect(ourRequests(deployed.hub).filter(isDenied)).toEqual([]);
  });
});
