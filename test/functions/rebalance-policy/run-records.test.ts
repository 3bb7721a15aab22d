/** The history of runs, if a function is killed right after it stored the state of a policy, and its message is never delivered again. */
import { expect, it } from 'vitest';
import { Fault } from '../../../shared/core/fault.ts';
import { toTimestamp } from '../../../shared/core/time.ts';
import type { PolicyState } from '../../../shared/rebalance-policy/policy-run.ts';
import { PolicyWorld } from './scene.ts';

const killed = new Fault('terminal', 'the function was killed', { reason: 'Killed' });

/** A policy that runs on request. */
async function onRequest(spec: object): Promise<PolicyWorld> {
  const world = new PolicyWorld();
  world.policy('home', { triggers: { requestedAt: toTimestamp(0) }, ...spec });
  await world.pass(10);
  return world;
}

/** The same, and a workload whose replicas were evicted from a cluster that is healthy again. */
async function afterOutage(spec: object): Promise<PolicyWorld> {
  const world = await onRequest(spec);
  world.run('web', 6);
  await world.pass(10);
  world.fleet.fail('member1');
  await world.pass(60);
  world.fleet.recover('member1');
  await world.pass(10);
  return world;
}

async function request(world: PolicyWorld, seconds: number): Promise<void> {
  world.editPolicy('home', { triggers: { requestedAt: toTimestamp(world.clock.now()) } });
  await world.pass(seconds);
}

/** Kills the function that stores the first such state, once. */
function killAfter(world: PolicyWorld, wanted: (state: PolicyState) => boolean): void {
  const save = world.policies.saveState.bind(world.policies);
  let isKilled = false;
  world.policies.saveState = async (state) => {
    const isSaved = await save(state);
    if (isKilled || !wanted(state)) return isSaved;
    isKilled = true;
    throw killed;
  };
}

async function history(world: PolicyWorld): Promise<readonly string[]> {
  return (await world.runs('home')).map(({ state, message, moved }) => `${state}, ${moved} moved: ${message}`);
}

it.each([
  ['moves nothing', {}, 'Finished, 0 moved: nothing would move'],
  ['is only recorded', { dryRun: true }, 'DryRun, 0 moved: only recorded: spec.dryRun is true'],
])('a run that %s is in the history, now and after the next run', async (_, spec, text) => {
  const world = await onRequest(spec);
  killAfter(world, ({ run }) => run !== undefined);
  await request(world, 30);
  expect(await history(world)).toEqual([text]);
  await request(world, 30);
  expect(await history(world)).toEqual([text, text]);
});

it('a run that moves replicas is in the history with its end, now and after the next run', async () => {
  const world = await afterOutage({});
  killAfter(world, ({ run }) => run?.state === 'Finished');
  await request(world, 120);
  const moved = 'Finished, 2 moved: 2 replicas moved in 1 wave';
  expect(await history(world)).toEqual([moved]);
  await request(world, 30);
  expect(await history(world)).toEqual([moved, 'Finished, 0 moved: nothing would move']);
});

it('a run in progress is in the history', async () => {
  const world = await afterOutage({ strategy: { approval: 'EachWave' } });
  killAfter(world, ({ run }) => run?.state === 'Running');
  await request(world, 30);
  expect(await history(world)).toEqual(['Running, 0 moved: 1 workload in 1 wave']);
});
