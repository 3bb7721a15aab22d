/** Each function's role, with IAM enforced: it allows what the function needs, and nothing else. */
import { beforeAll, describe, expect, it } from 'vitest';
import { shortNameOf } from '../../../../infra/function-paths.ts';
import { type FunctionName, functionNames, functions } from '../../../../shared/bus/functions.ts';
import { routes } from '../../../../shared/bus/routes.ts';
import { scheduleName } from '../../../../shared/core/digest.ts';
import { createTransport } from '../../../../shared/kubernetes/client/transport.ts';
import { credentialsOf, type FunctionProcess, functionProcesses } from '../../parts/aws-functions.ts';
import { deploymentIn, REBALANCERS, until } from '../hub-client.ts';
import { readJsonLines } from '../json-lines.ts';
import { Caller, commands, queries } from './caller.ts';
import { type Deployed, HUB, scheduleCalled, startDeployed, taskOnce } from './deployed.ts';
import { bindingIn, clustersWith, estimateBy, withoutClusters } from './estimated.ts';
import { type Clients, clientsOf, type Probe, probesOn } from './iam-probes.ts';
import { OcmByHand } from './ocm-by-hand.ts';
import { createPolicy, POLICIES, policyOnce, scheduleTriggered, spread, turn } from './policies.ts';

const NAME = `privilege-${Date.now()}`;

interface Decision {
  /** An assumed role's ARN ends with the name of the function. */
  readonly caller: string;
  readonly action: string;
  readonly resource: string;
  readonly allowed: boolean;
}

/** The function that reads logs is deployed only if a hub names a log group, and this hub names none. */
const deployedNames = functionNames.filter((name) => functions[name].invokedBy !== 'logs');

let deployed: Deployed;
let decisions: readonly Decision[];

beforeAll(async () => {
  deployed = await startDeployed();
  const before = readDecisions().length;
  await playEverything();
  decisions = readDecisions().slice(before);
});

describe.each(deployedNames)('the role of %s', (name) => {
  it('allowed all calls of the function in a complete job', () => {
    const own = decisions.filter(({ caller }) => caller.endsWith(`/${deployedName(name)}`));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter(({ allowed }) => !allowed)).toEqual([]);
  });

  it('allows exactly the calls that the table of functions grants it', async () => {
    const { emulator, deployment } = deployed.aws;
    const probes = probesOn(emulator, deployment);
    const clients = clientsOf(emulator, credentialsOf(processOf(name)));
    const open: string[] = [];
    for (const probe of probes) if (await isAllowed(probe, clients)) open.push(probe.call);
    expect(open).toEqual(probes.filter(({ isGranted }) => isGranted(name)).map(({ call }) => call));
  });
});

describe('between services', () => {
  it.each(routes.map(({ name }) => name))('the rule of %s may send to its queue, and did', (route) => {
    const sent = decisions.filter(({ caller }) => caller.endsWith(`:rule/evenkeel/evenkeel-${route}`));
    expect(new Set(sent.map(({ action, resource }) => `${action} ${resource.split(':').at(-1)}`))).toEqual(
      new Set([`sqs:SendMessage evenkeel-${route}`]),
    );
  });

  it('no call of a complete job was denied', () => {
    expect(decisions.filter(({ allowed }) => !allowed)).toEqual([]);
    const asServices = decisions.filter(({ action }) => action === 'sts:AssumeRole').map(({ caller }) => caller);
    expect(new Set(asServices)).toEqual(new Set(['lambda.amazonaws.com', 'scheduler.amazonaws.com']));
    const apis = decisions.filter(({ action }) => action === 'lambda:InvokeFunction');
    expect(new Set(apis.map(({ resource }) => resource.split(':').at(-1)))).toEqual(
      new Set(['evenkeel-admit-change', 'evenkeel-review-admission', 'evenkeel-receive-alerts', queries, commands]),
    );
  });
});

describe('credentials of an unknown user', () => {
  it('are rejected by every service', async () => {
    const { emulator, deployment } = deployed.aws;
    const clients = clientsOf(emulator, { accessKeyId: 'AKIASTRANGER00000000', secretAccessKey: 'stranger' });
    for (const probe of probesOn(emulator, deployment)) {
      await expect(probe.make(clients), probe.call).rejects.toThrow(
        /security token|InvalidClientTokenId|not exist|invalid/i,
      );
    }
  });
});

/** A rebalancer of two chunks from its creation to its deletion, with an edit, a rescheduling check and a resync: every route is used. */
async function playEverything(): Promise<void> {
  const { client, tap } = deployed;
  const names = Array.from({ length: 101 }, (_, index) => `w${String(index).padStart(3, '0')}`);
  await client.bindings(NAME, names);
  const workloads = names.map((name) => deploymentIn(NAME, name));
  await client.rebalancer(NAME, workloads);
  await client.finished(NAME);
  await postToHook('admission', {
    ...{ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
    request: { uid: NAME, dryRun: true },
  });
  await playEvents();
  workloads.pop();
  await client.merge(`${REBALANCERS}/${NAME}`, { spec: { workloads } });
  const rebalancer = await client.finished(NAME);
  const due = (type: string) => ({ source: 'evenkeel', 'detail-type': type, detail: { hub: HUB, version: 1 } });
  // With the mark of a hub whose placements are recorded.
  const binding = { hub: HUB, namespace: NAME, name: 'w000-deployment', version: 1, history: 1 };
  const changed = { source: 'evenkeel', 'detail-type': 'BindingChanged', detail: binding };
  const score = { hub: HUB, resourceName: 'prices', version: 1 };
  const scored = { source: 'evenkeel', 'detail-type': 'AddOnPlacementScoreChanged', detail: score };
  await bindingIn(deployed, `${NAME}-unschedulable`, { m1: [5, 2] });
  await playPolicy();
  await playElastic();
  await playUsers();
  const endEstimates = await estimateBy(deployed, { unschedulable: () => 3, capacity: () => 9 });
  const everyMinute = { source: 'evenkeel', 'detail-type': 'HubSchedulesDue', detail: { version: 1 } };
  await tap.publish([everyMinute, due('ResyncDue'), due('HubTokenCheckDue'), due('DeschedulingDue'), changed, scored]);
  await taskOnce(deployed, rebalancer, ({ rescheduling }) => rescheduling?.state === 'Waiting');
  const finishedFor = Math.ceil((Date.now() - Date.parse(rebalancer.status?.finishTime ?? '')) / 1000);
  // In the future: for an expired TTL no schedule would be created.
  await client.merge(`${REBALANCERS}/${NAME}`, { spec: { ttlSecondsAfterFinished: finishedFor + 8 } });
  await until('the rebalancer is gone', async () => {
    const { status } = await client.send({ method: 'GET', path: `${REBALANCERS}/${NAME}` });
    return status === 404 ? true : undefined;
  });
  await until('every function has run', async () =>
    deployedNames.every((name) => functionProcesses(deployed.aws.emulator).some(isOf(name))) ? true : undefined,
  );
  await endEstimates();
}

/** Every query and command, and a dead-letter message for them. */
async function playUsers(): Promise<void> {
  const { aws, queues } = deployed;
  const user = await Caller.withAccessTo(aws.emulator, NAME, [queries, commands]);
  const hub = { hub: HUB };
  await queues.send('resync', { source: 'evenkeel', 'detail-type': 'ResyncDue', detail: { version: 0 } });
  await until('there is a dead letter', async () => (await user.ask('listDeadLetters', {})).deadLetters.at(0));
  for (const query of ['listHubs', 'getHealth'] as const) await user.ask(query, {});
  for (const query of ['getFleet', 'listTasks', 'listDecisions', 'listRuns'] as const) await user.ask(query, hub);
  await user.ask('getTask', { ...hub, name: NAME });
  await user.ask('getTaskDiff', { ...hub, name: NAME });
  await user.ask('getWorkload', { ...hub, namespace: NAME, name: 'w000-deployment' });
  await user.ask('listPlacements', { ...hub, namespace: NAME, name: 'w000-deployment' });
  await user.ask('getClusterHistory', { ...hub, cluster: 'm1' });
  const { runs } = await user.ask('listRuns', hub);
  for (const { run } of runs.slice(0, 1)) {
    await user.ask('getRun', { ...hub, run });
    await user.ask('getRunDiff', { ...hub, run });
  }
  expect(await user.command('redriveDeadLetters', {})).toEqual({ redriven: 1 });
  await until('it is a dead letter again', () => queues.takeDeadLetter('resync'));
  await user.command('pauseHub', hub);
  await user.command('resumeHub', hub);
  const workloads = [deploymentIn(NAME, 'w000')];
  await deployed.client.finished((await user.command('createRebalancer', { ...hub, workloads })).name);
}

/** A policy whose wave is checked more than once, and with a cron schedule: both of its functions create a one-time schedule. */
async function playPolicy(): Promise<void> {
  const policy = `${NAME}-policy`;
  await clustersWith(deployed, { q1: 30, q2: 30 });
  for (const cluster of ['q1', 'q2']) await turn(deployed, cluster, 'healthy');
  await spread(deployed, policy, { names: ['web'], held: { q1: [4, 4] }, over: ['q1', 'q2'] });
  const schedule = { cron: '0 0 1 1 *', timeZone: 'UTC' };
  await createPolicy(deployed, policy, { triggers: { imbalance: { percent: 10 }, schedule } });
  await policyOnce(deployed, policy, ({ message }) => message === 'wave 1 of 1: 1 workload not ready yet');
  await until('the wave is triggered', async () =>
    (await scheduleTriggered(deployed, policy, { q1: [2, 2], q2: [2, 2] })).at(0),
  );
  await policyOnce(deployed, policy, ({ lastRun }) => lastRun?.state === 'Finished');
  await deployed.client.delete(`${POLICIES}/${policy}`);
  await withoutClusters(deployed, ['q1', 'q2']);
}

/** An ElasticWorkload that waits for its clusters: its function writes ManifestWorks, saves reconciler state and creates a schedule. */
async function playElastic(): Promise<void> {
  const [namespace, cluster] = [`${NAME}-fleet`, `${NAME}-cluster`];
  const ocm = await OcmByHand.start(deployed.client, namespace, [cluster]);
  const balanceStrategy = { type: 'LimitRange', limitRange: { max: 9 } };
  await ocm.run(namespace, NAME, { distributionStrategy: { totalReplicas: 3 }, balanceStrategy });
  await until('its number is written', async () => ((await ocm.written(NAME))[cluster] === 3 ? true : undefined));
  const name = scheduleName('elastic', { hub: HUB, uid: await ocm.uidOf(namespace, NAME) });
  await until('a reconcile is scheduled', () => scheduleCalled(deployed, name));
}

/** An event of AWS, whose instance is found by its tags, and an alert. */
async function playEvents(): Promise<void> {
  const detail = { 'instance-id': 'i-0b662ef9931388ba0', 'instance-action': 'terminate' };
  const type = 'EC2 Spot Instance Interruption Warning';
  await deployed.tap.publish([{ source: 'aws.ec2', 'detail-type': type, detail }]);
  const alert = { status: 'firing', labels: { alertname: 'NodesLost', cluster: 'q1' }, fingerprint: NAME };
  await postToHook('alerts', { version: '4', alerts: [alert] });
}

/** As an API server without admission policies, or Alertmanager, does. */
async function postToHook(path: string, body: object): Promise<void> {
  const { url, cert, token } = deployed.hub.hook;
  const way = { server: url, caData: cert, token, hookTokens: [] };
  const transport = createTransport(way, { maxSockets: 1, timeoutMs: 10_000 });
  const { status } = await transport.send({ method: 'POST', path: `/hubs/${HUB}/${path}`, body });
  transport.close();
  expect(status).toBe(200);
}

function readDecisions(): readonly Decision[] {
  return readJsonLines(deployed.aws.emulator.decisionsFile);
}

function deployedName(name: FunctionName): string {
  return `evenkeel-${shortNameOf(name)}`;
}

function isOf(name: FunctionName): (process: FunctionProcess) => boolean {
  return ({ functionName }) => functionName === deployedName(name);
}

function processOf(name: FunctionName): FunctionProcess {
  const found = functionProcesses(deployed.aws.emulator).find(isOf(name));
  if (found === undefined) throw new Error(`${name} has not run`);
  return found;
}

/** Whatever else is wrong with a probe is found only when IAM has let it in. */
async function isAllowed({ make }: Probe, clients: Clients): Promise<boolean> {
  try {
    await make(clients);
    return true;
  } catch (thrown) {
    return !/AccessDenied/.test((thrown as Error).name);
  }
}
