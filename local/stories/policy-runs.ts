/** Waits for and prints the runs of a policy of a story. */
import type { PolicyStatus } from '../../shared/rebalance-policy/rebalance-policy.ts';
import { type PracticeScene, paths, StepFailed, until } from './scene.ts';

/** A schedule fires once a minute. */
const RUN_MS = 120_000;

/** Waits for a run of this policy with these triggers, and prints its result. */
export async function printRun(scene: PracticeScene, name: string, trigger: string): Promise<void> {
  const read = async () => (await scene.ask('GET', paths.rebalancePolicy(name)))?.status as PolicyStatus | undefined;
  const instead = async () => JSON.stringify((await read())?.lastRun ?? 'no run');
  const claim = `policy ${name} has had a run for ${trigger}`;
  const { state, message } = await until({ claim, timeoutMs: RUN_MS, instead }, async () => {
    const run = (await read())?.lastRun;
    return run?.finishedAt !== undefined && run.triggers.join() === trigger ? run : undefined;
  });
  if (state !== 'Finished') throw new StepFailed(`the run of ${name} finishes; instead: ${state}: ${message}`);
  scene.print(`  policy ${name}, triggered by ${trigger}: ${message}`);
}

/** Why its last run has moved each workload: as `evenkeel plan` and `evenkeel get runs` have it. */
export async function printWhy({ stack, hubName, print, ask }: PracticeScene, name: string): Promise<void> {
  const policy = await ask('GET', paths.rebalancePolicy(name));
  const { lastRun } = (policy?.status ?? {}) as PolicyStatus;
  const key = { hub: hubName, uid: policy?.metadata.uid ?? '', run: lastRun?.name ?? '' };
  const { waves } = await stack.policies.decisions(key);
  for (const { workload, why } of waves.flatMap(({ workloads }) => workloads)) print(`  ${workload.name}: ${why}`);
}
