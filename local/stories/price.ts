/** Policies by pressure and price: some replicas leave a crowded cluster, and others go where they are cheaper; all others stay. */
import { deploymentOf, policyOf, rebalancePolicyOf } from './manifests.ts';
import { printRun, printWhy } from './policy-runs.ts';
import { become, type ExpectedReplicas, printDistribution, type StoryReplicas } from './replicas.ts';
import { type PracticeScene, paths, type Story, until } from './scene.ts';

const MEMBERS = ['member1', 'member2', 'member3'];
const CROWDED = { name: 'web', replicas: 18 };
/** In proportion to the free capacity, so that no tie decides where they start. */
const COSTLY = { name: 'api', replicas: 7 };
const CAPACITY = 20;

export const price: Story = {
  on: 'the practice hub',
  title: 'a crowded cluster gives replicas to others, and replicas move to a cheaper one where that is worth it',
  settings: { policyLookSeconds: 1 },
  async play(scene) {
    await crowd(scene);
    await level(scene);
    await saveTooLittle(scene);
    await save(scene);
  },
};

async function crowd(scene: PracticeScene): Promise<void> {
  const { namespace, ask } = scene;
  for (const path of ['level', 'cheap', 'cheaper'].map(paths.rebalancePolicy)) await ask('DELETE', path);
  for (const { name } of [CROWDED, COSTLY])
    for (const path of [paths.deployments(namespace), paths.policies(namespace)])
      await ask('DELETE', `${path}/${name}`);
  await capacities(scene, [CAPACITY, 0, 0]);
  await run(scene, CROWDED);
  await settle(scene, CROWDED, { member1: CROWDED.replicas });
  await capacities(
    scene,
    MEMBERS.map(() => CAPACITY),
  );
  await printDistribution(
    scene,
    CROWDED,
    `Deployment ${CROWDED.name} fills member1 to 90 %; two more clusters have capacity now`,
  );
}

async function level(scene: PracticeScene): Promise<void> {
  await create(scene, 'level', { pressure: { high: 80, low: 60, resources: ['pods'] } });
  scene.print('  RebalancePolicy level: pressure, from 80 % to halfway between that and 60 %');
  await printRun(scene, 'level', 'Pressure above 80 %');
  await printWhy(scene, 'level');
  await settle(scene, CROWDED, { member1: 14, member2: 2, member3: 2 });
  await printDistribution(scene, CROWDED, 'member1 is at 70 %, and no other replica has moved');
}

async function saveTooLittle(scene: PracticeScene): Promise<void> {
  await run(scene, COSTLY);
  await settle(scene, COSTLY, { member1: 1, member2: 3, member3: 3 });
  await printDistribution(scene, COSTLY, `Deployment ${COSTLY.name} is spread over the clusters`);
  const clusters = MEMBERS.map((name) => ({ name, price: name === 'member2' ? '0.08' : '0.10' }));
  await create(scene, 'cheap', { price: { clusters } }, COSTLY.name);
  await until({ ...scene.timing, claim: 'the policy is accepted', instead: () => 'no status' }, async () =>
    (await scene.ask('GET', paths.rebalancePolicy('cheap')))?.status?.state === 'Idle' ? true : undefined,
  );
  scene.print(
    '  RebalancePolicy cheap: a core of member2 costs 0.08 an hour, of the others 0.10; no move saves enough',
  );
}

async function save(scene: PracticeScene): Promise<void> {
  const clusters = MEMBERS.map((name) => ({ name, price: name === 'member2' ? '0.03' : '0.10' }));
  await create(scene, 'cheaper', { price: { clusters } }, COSTLY.name);
  scene.print('  RebalancePolicy cheaper: a core of member2 costs 0.03');
  await printRun(scene, 'cheaper', 'Price, score from 50 %');
  await printWhy(scene, 'cheaper');
  await settle(scene, COSTLY, { member2: COSTLY.replicas });
  await printDistribution(scene, COSTLY, 'The replicas run where they are cheap');
}

function create({ ask }: PracticeScene, name: string, triggers: object, workload = CROWDED.name) {
  return ask('POST', paths.rebalancePolicies, rebalancePolicyOf({ name, workload, triggers }));
}

async function run({ ask, namespace }: PracticeScene, replicas: StoryReplicas): Promise<void> {
  const workload = { ...replicas, namespace };
  await ask('POST', paths.policies(namespace), policyOf(workload));
  await ask('POST', paths.deployments(namespace), deploymentOf(workload));
}

/** Until the clusters report them: policies decide by the reports. */
async function capacities(scene: PracticeScene, slots: readonly number[]): Promise<void> {
  const { ask, practice, timing } = scene;
  for (const [i, name] of practice.fleet.memberNames.entries()) practice.fleet.setCapacity(name, slots[i] ?? 0);
  for (const [i, name] of MEMBERS.entries())
    await until({ ...timing, claim: `${name} reports its capacity`, instead: () => 'another' }, async () => {
      const { resourceSummary } = ((await ask('GET', `${paths.clusters}/${name}`))?.status ?? {}) as ReportedCapacity;
      return resourceSummary?.allocatable?.pods === String(slots[i]) ? true : undefined;
    });
}

interface ReportedCapacity {
  readonly resourceSummary?: { readonly allocatable?: { readonly pods?: string } };
}

function settle(scene: PracticeScene, workload: StoryReplicas, wanted: ExpectedReplicas): Promise<void> {
  return become(scene, workload, { claim: `${workload.name} has its replicas`, wanted });
}
