/** RebalancePolicies with everything deployed: from a cluster's taint to returned workloads, without user commands. */

import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PoliciesDue, PolicyRunDue } from '../../../../shared/bus/catalogue.ts';
import { SOURCE } from '../../../../shared/bus/event.ts';
import { scheduleName } from '../../../../shared/core/digest.ts';
import type { Trigger } from '../../../../shared/rebalance-policy/policy-run.ts';
import { readRuns } from '../../../../shared/rebalance-policy/read-run.ts';
import { run } from '../../command.ts';
import { isDenied, ourRequests, patchesOf } from '../audit-log.ts';
import { deploymentIn, until } from '../hub-client.ts';
import { type Deployed, HUB, ONE_TIME_GROUP, scheduleCalled, startDeployed } from './deployed.ts';
import { clustersWith, withoutClusters } from './estimated.ts';
import {
  createPolicy,
  POLICIES,
  type Policy,
  policyOnce,
  scheduleTriggered,
  spread,
  turn,
  wavesOf,
} from './policies.ts';

const CLI = join(import.meta.dirname, '..', '..', '..', '..', 'cli', 'evenkeel.ts');
const ID = Date.now().toString(36);
const CLUSTERS = ['p1', 'p2', 'p3'];
const AWAY = { p2: [3, 3], p3: [3, 3] } as const;
const BACK = { p1: [2, 2], p2: [2, 2], p3: [2, 2] } as const;

let deployed: Deployed;

beforeAll(async () => {
  deployed = await startDeployed();
  await clustersWith(deployed, { p1: 30, p2: 30, p3: 30 });
  await turn(deployed, 'p1', 'not ready');
  for (const cluster of ['p2', 'p3']) await turn(deployed, cluster, 'healthy');
});

afterAll(async () => {
  await deployed.client.delete(POLICIES);
  await withoutClusters(deployed, CLUSTERS);
});

describe('a policy for clusters that recover', () => {
  const NAME = `home-${ID}`;
  const STABLE_MS = 5000;
  let policy: Policy;

  beforeAll(async () => {
    await spread(deployed, NAME, { names: ['api', 'web'], held: AWAY, over: CLUSTERS });
    const strategy = { waves: { size: 1 } };
    await createPolicy(deployed, NAME, { triggers: { clusterRecovered: { stableFor: '5s' } }, strategy });
    policy = await policyOnce(deployed, NAME, ({ state }) => state === 'Idle');
  });

  it('waits in a one-time schedule until the cluster has been Ready for stableFor, and then plans its run', async () => {
    await turn(deployed, 'p1', 'healthy');
    // Policies of other suites with cron schedules share the one-time schedule of the hub.
    const schedule = await until('a schedule is there that is due soon', async () => {
      const found = await policiesSchedule();
      return found && dueAt(found) < Date.now() + 60_000 ? found : undefined;
    });
    expect(schedule).toMatchObject({ GroupName: ONE_TIME_GROUP, ActionAfterCompletion: 'DELETE', State: 'ENABLED' });
    await policyOnce(deployed, NAME, ({ lastRun }) => lastRun !== undefined);
    const { triggers, startedAt } = await ownRun(policy);
    const readySince = at(triggers[0]);
    // A few seconds later where the function was that late.
    expect(dueAt(schedule)).toBeGreaterThanOrEqual(wholeSecond(readySince + STABLE_MS));
    expect(triggers).toEqual([
      { type: 'ClusterRecovered', cluster: 'p1', uid: expect.any(String) as string, at: readySince },
    ]);
    expect(startedAt - readySince).toBeGreaterThanOrEqual(STABLE_MS);
    expect(await deployed.tap.typesAbout('p1')).toContain('ClusterChanged');
    expect(await deployed.tap.typesAbout(NAME)).toEqual(
      expect.arrayContaining(['RebalancePolicyChanged', 'PolicyRunDue']),
    );
  });

  it('creates a WorkloadRebalancer for its first wave, and checks the wave repeatedly until it is ready', async () => {
    const [first] = await until('the wave is made', async () => some(await wavesOf(deployed, NAME)));
    const owner = {
      apiVersion: 'evenkeel.dev/v1alpha1',
      kind: 'RebalancePolicy',
      name: NAME,
      uid: policy.metadata.uid,
    };
    expect(first?.metadata.ownerReferences).toEqual([{ ...owner, controller: true }]);
    expect(first?.spec.workloads).toEqual([deploymentIn(NAME, 'api')]);
    await deployed.client.finished(first?.metadata.name ?? '');
    await policyOnce(deployed, NAME, ({ message }) => message === 'wave 1 of 2: 1 workload not ready yet');
    const checks = async () => (await deployed.tap.typesAbout(NAME)).filter((type) => type === 'PolicyRunDue').length;
    const before = await checks();
    await until('it is checked twice more', async () => ((await checks()) >= before + 2 ? true : undefined));
    expect(await wavesOf(deployed, NAME)).toHaveLength(1);
  });

  it('creates the next wave when the first is rescheduled and ready, and finishes after the last', async () => {
    expect(await scheduled(NAME)).toEqual(['api-deployment']);
    expect(await scheduled(NAME)).toEqual(['web-deployment']);
    const { status } = await policyOnce(deployed, NAME, ({ lastRun }) => lastRun?.state === 'Finished');
    expect(status).toMatchObject({
      state: 'Idle',
      lastRun: { triggers: ['ClusterRecovered p1'], waves: 2, wavesDone: 2, workloads: 2, moved: 4, skipped: 0 },
    });
    expect((await wavesOf(deployed, NAME)).map(({ spec }) => spec.workloads)).toEqual([
      [deploymentIn(NAME, 'api')],
      [deploymentIn(NAME, 'web')],
    ]);
    expect(patchesOf(deployed.hub, NAME)).toEqual(
      new Map([
        ['api-deployment', 1],
        ['web-deployment', 1],
      ]),
    );
  });

  it('reports to users: an Event on the hub, and each decision from the table', async () => {
    expect(await eventsOf(NAME)).toEqual(['RunFinished: 4 replicas moved in 2 waves', started]);
    const { run: id } = await ownRun(policy);
    const printed = await decisionsOf(id);
    expect(printed).toContain(`Run ${id} of RebalancePolicy ${NAME}, set off by ClusterRecovered p1: Finished`);
    const rows = printed.split('\n').filter((line) => line.includes('Deployment'));
    expect(rows.map((row) => row.trim().split(/  +/).slice(0, 4))).toEqual([
      ['1', `Deployment ${NAME}/api`, 'Moved', '2'],
      ['2', `Deployment ${NAME}/web`, 'Moved', '2'],
    ]);
  });
});

describe('a run whose events are duplicated concurrently', () => {
  const NAME = `even-${ID}`;
  const NAMES = ['a', 'b', 'c', 'd'];

  it('finishes as with one delivery of each event', async () => {
    await turn(deployed, 'p1', 'healthy');
    await spread(deployed, NAME, { names: NAMES, held: AWAY, over: CLUSTERS });
    const triggers = { imbalance: { percent: 10 } };
    const { metadata } = await createPolicy(deployed, NAME, { triggers, strategy: { waves: { size: 2 } } });
    const noise = new AbortController();
    const noisy = repeatEverything(metadata, noise.signal);
    expect(await scheduled(NAME, 2)).toEqual(['a-deployment', 'b-deployment']);
    expect(await scheduled(NAME, 2)).toEqual(['c-deployment', 'd-deployment']);
    const { status } = await policyOnce(deployed, NAME, ({ lastRun }) => lastRun?.state === 'Finished');
    noise.abort();
    expect(await noisy).toBeGreaterThan(20);
    await until('the queues are empty', async () =>
      (await deployed.queues.depth('advance-run')) + (await deployed.queues.depth('evaluate-policies')) === 0
        ? true
        : undefined,
    );
    expect(status?.lastRun).toMatchObject({ waves: 2, wavesDone: 2, workloads: 4, moved: 8, skipped: 0 });
    expect((await wavesOf(deployed, NAME)).map(({ spec }) => spec.workloads)).toEqual([
      [deploymentIn(NAME, 'a'), deploymentIn(NAME, 'b')],
      [deploymentIn(NAME, 'c'), deploymentIn(NAME, 'd')],
    ]);
    expect(patchesOf(deployed.hub, NAME)).toEqual(new Map(NAMES.map((name) => [`${name}-deployment`, 1])));
    expect(await eventsOf(NAME)).toEqual(['RunFinished: 8 replicas moved in 2 waves', started]);
    const runs = (await readRuns(deployed.policies, HUB, 100)).filter(({ name }) => name === NAME);
    expect(runs.map((record) => record.run.state)).toEqual(['Finished']);
  });
});

describe('a suite of policies', () => {
  it('leaves no dead-letter message, and needs no request that the shipped RBAC denies', async () => {
    await deployed.queues.areWithoutDeadLetters();
    expect(ourRequests(deployed.hub).filter(isDenied)).toEqual([]);
  });
});

function policiesSchedule() {
  return scheduleCalled(deployed, scheduleName('policies', { hub: HUB, uid: '' }));
}

function dueAt({ ScheduleExpression = '' }: { readonly ScheduleExpression?: string | undefined }): number {
  return Date.parse(`${ScheduleExpression.slice('at('.length, -1)}Z`);
}

/** A schedule has whole seconds and is never early. */
function wholeSecond(ms: number): number {
  return Math.ceil(ms / 1000) * 1000;
}

function at(trigger: Trigger | undefined): number {
  return trigger !== undefined && 'at' in trigger ? trigger.at : Number.NaN;
}

function some<T>(found: readonly T[]): readonly T[] | undefined {
  return found.length > 0 ? found : undefined;
}

/** The policy's run in the table. */
async function ownRun({ metadata: { uid } }: Policy) {
  const state = await deployed.policies.readState({ hub: HUB, uid });
  if (state?.run === undefined) throw new Error(`the policy ${uid} has no run in the table`);
  return state.run;
}

/** Simulates the scheduler for the next wave, when all of its bindings are triggered. */
async function scheduled(namespace: string, size = 1): Promise<readonly string[]> {
  const names: string[] = [];
  await until('the wave is triggered', async () => {
    names.push(...(await scheduleTriggered(deployed, namespace, BACK)));
    return names.length >= size ? true : undefined;
  });
  return names.toSorted();
}

/** Publishes five copies of each event at once, until the signal. Returns how many events it published. */
async function repeatEverything({ name, uid }: Policy['metadata'], signal: AbortSignal): Promise<number> {
  const events = [PolicyRunDue.of({ hub: HUB, uid, name }), PoliciesDue.of({ hub: HUB })];
  let published = 0;
  while (!signal.aborted) {
    const entries = events.map(({ type, detail }) => ({ source: SOURCE, 'detail-type': type, detail }));
    const five = Array.from({ length: 5 }, () => deployed.tap.publish(entries));
    await Promise.all(five);
    published += five.length * events.length;
    await wait(200);
  }
  return published;
}

/** The Event about the begin of a run. */
const started = expect.stringMatching(/^RunStarted: Run .*, set off by .*: \d workloads in 2 waves$/) as string;

/** The Events of the policy once its run has ended, by name. A function creates an Event after the write that it describes. */
function eventsOf(policy: string): Promise<readonly string[]> {
  const path = `/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3D${policy}`;
  return until(`${policy} has an Event about the end of its run`, async () => {
    const events = await deployed.client.list<{ reason: string; message: string }>(path);
    const isOver = events.some(({ reason }) => reason !== 'RunStarted');
    return isOver ? events.map(({ reason, message }) => `${reason}: ${message}`) : undefined;
  });
}

/** The output of the command that operators run. */
function decisionsOf(id: string): Promise<string> {
  const args = [CLI, 'get', 'run', id, '--hub', HUB];
  return run(process.execPath, args, { env: deployed.aws.emulator.environment });
}
