/** One WorkloadRebalancer on the complete deployment; each stage is checked by the objects and events that it leaves. */
import { DescribeArchiveCommand, EventBridgeClient, ListArchivesCommand } from '@aws-sdk/client-eventbridge';
import { beforeAll, describe, expect, it } from 'vitest';
import { scheduleName } from '../../../../shared/core/digest.ts';
import { toTimestamp } from '../../../../shared/core/time.ts';
import { isDenied, ourRequests, patchesOf } from '../audit-log.ts';
import { bindingsPath, deploymentIn, REBALANCERS, type Rebalancer, until } from '../hub-client.ts';
import { type Deployed, HUB, ONE_TIME_GROUP, scheduleCalled, startDeployed, taskKeyOf, taskOnce } from './deployed.ts';

const NAME = `life-${Date.now()}`;
const TTL_SECONDS = 12;

let deployed: Deployed;
let rebalancer: Rebalancer;

beforeAll(async () => {
  deployed = await startDeployed();
  const { client } = deployed;
  await client.bindings(NAME, ['api', 'web']);
  const workloads = ['web', 'gone', 'api'].map((name) => deploymentIn(NAME, name));
  await client.rebalancer(NAME, workloads, { ttlSecondsAfterFinished: TTL_SECONDS });
  rebalancer = await client.finished(NAME);
});

describe('a WorkloadRebalancer, with everything deployed', () => {
  it("is published after the hub's audit event, and each stage publishes the event of the next", async () => {
    const wanted = ['WorkloadRebalancerChanged', 'RebalanceFinished', 'RebalanceReported'];
    await until('the finish is reported on the bus', async () =>
      (await deployed.tap.typesAbout(NAME)).includes('RebalanceReported') ? true : undefined,
    );
    // Without duplicates: a resync in the same second may have published one of them again.
    expect([...new Set(await deployed.tap.typesAbout(NAME))].slice(0, wanted.length)).toEqual(wanted);
    const [first] = await deployed.tap.about(NAME);
    expect(first?.detail).toEqual({ hub: HUB, name: NAME, version: 1 });
  });

  it('has a trigger on each binding, of its own creation, written once', async () => {
    const { creationTimestamp } = rebalancer.metadata;
    expect(await deployed.client.triggers(NAME)).toEqual(
      new Map([
        ['api-deployment', creationTimestamp],
        ['web-deployment', creationTimestamp],
      ]),
    );
    expect(patchesOf(deployed.hub, NAME)).toEqual(
      new Map([
        ['api-deployment', 1],
        ['web-deployment', 1],
      ]),
    );
  });

  it('shows each workload in its status, in order', () => {
    expect(rebalancer.status?.observedWorkloads).toEqual([
      { workload: deploymentIn(NAME, 'api'), result: 'Successful' },
      { workload: deploymentIn(NAME, 'gone'), result: 'Failed', reason: 'ReferencedBindingNotFound' },
      { workload: deploymentIn(NAME, 'web'), result: 'Successful' },
    ]);
  });

  it('has its task and its chunk in the table', async () => {
    const task = await taskOnce(deployed, rebalancer, ({ state }) => state === 'Finished');
    expect(task).toMatchObject({ name: NAME, generation: 1, workloads: 3, successful: 2, failed: 1, chunks: 1 });
    expect(toTimestamp(task.finishTime ?? 0)).toBe(rebalancer.status?.finishTime);
    const [chunk, ...others] = await deployed.tasks.readChunks(task);
    expect(others).toEqual([]);
    expect(chunk?.workloads.map(({ workload, result }) => [workload.name, result])).toEqual([
      ['api', 'Successful'],
      ['gone', 'Failed'],
      ['web', 'Successful'],
    ]);
  });

  it('waits for its ttl in a one-time schedule that deletes itself', async () => {
    const schedule = await until('the schedule is there', expirySchedule);
    const due = Date.parse(rebalancer.status?.finishTime ?? '') + TTL_SECONDS * 1000;
    expect(schedule.ScheduleExpression).toBe(`at(${toTimestamp(due).replace('Z', '')})`);
    expect(schedule).toMatchObject({ GroupName: ONE_TIME_GROUP, ActionAfterCompletion: 'DELETE', State: 'ENABLED' });
    // What the emulator keeps and does not act on: it never fails to put an event, and knows one time zone.
    expect(schedule).toMatchObject({
      ScheduleExpressionTimezone: 'UTC',
      Target: {
        RetryPolicy: { MaximumRetryAttempts: 20, MaximumEventAgeInSeconds: 3600 },
        DeadLetterConfig: { Arn: expect.stringMatching(/:evenkeel-one-time-schedules-dead-letters$/) as string },
      },
    });
  });

  it('is confirmed by a scheduled check after the scheduler has acted', async () => {
    const after = new Date(Date.parse(rebalancer.metadata.creationTimestamp) + 1000).toISOString();
    for (const binding of ['api', 'web']) {
      const status = `${bindingsPath(NAME)}/${binding}-deployment/status`;
      await deployed.client.merge(status, { status: { lastScheduledTime: after } });
    }
    const task = await taskOnce(deployed, rebalancer, ({ rescheduling }) => rescheduling?.state === 'Confirmed');
    expect(task.rescheduling).toMatchObject({ confirmed: 2, waitingFor: [] });
    expect(await deployed.tap.typesAbout(NAME)).toContain('ReschedulingCheckDue');
  });

  it('is deleted once, not before its schedule is due', async () => {
    await until('the rebalancer is gone', async () => {
      const { status } = await deployed.client.send({ method: 'GET', path: `${REBALANCERS}/${NAME}` });
      return status === 404 ? true : undefined;
    });
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(rebalancer.status?.finishTime ?? '') + TTL_SECONDS * 1000);
    await until('its schedule has published its event and is deleted', async () => {
      const isPublished = (await deployed.tap.typesAbout(NAME)).includes('RebalancerExpiryDue');
      return isPublished && (await expirySchedule()) === undefined ? true : undefined;
    });
    const deletes = ourRequests(deployed.hub).filter(
      ({ verb, objectRef }) => verb === 'delete' && objectRef?.name === NAME,
    );
    expect(deletes.map(({ responseStatus }) => responseStatus?.code)).toEqual([200]);
  });

  it('leaves its events in the archive, no dead-letter message, and no request that the shipped RBAC denies', async () => {
    const events = new EventBridgeClient(deployed.aws.emulator.client());
    const { Archives: archives = [] } = await events.send(new ListArchivesCommand({}));
    expect(archives).toHaveLength(1);
    const archive = await events.send(new DescribeArchiveCommand({ ArchiveName: archives[0]?.ArchiveName }));
    expect(archive.EventCount).toBeGreaterThanOrEqual((await deployed.tap.about(NAME)).length);
    await deployed.queues.areWithoutDeadLetters();
    expect(ourRequests(deployed.hub).filter(isDenied)).toEqual([]);
  });
});

function expirySchedule() {
  return scheduleCalled(deployed, scheduleName('expire', taskKeyOf(rebalancer)));
}
