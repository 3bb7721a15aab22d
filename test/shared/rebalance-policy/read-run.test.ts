/** The runs of a hub, of which the states of its policies have the last ones. */
import { expect, it } from 'vitest';
import type { PolicyRun, RunRecord } from '../../../shared/rebalance-policy/policy-run.ts';
import { readRuns } from '../../../shared/rebalance-policy/read-run.ts';
import { at } from '../../builders.ts';
import { MemoryPolicyStore } from '../../fakes/stores/memory-policy-store.ts';

const run = (name: string, over: Partial<PolicyRun> = {}): PolicyRun => ({
  ...{ run: name, triggers: [], state: 'Finished', message: '', startedAt: at(0), plan: 'plan', waves: 1 },
  ...{ wavesDone: 0, notBefore: at(0), workloads: 1, moved: 0, skipped: 0, before: { clusters: {} } },
  ...over,
});

function record(uid: string, name: string): RunRecord {
  const { plan: _, before: __, ...shown } = run(name);
  return { hub: 'h', uid, name: uid, run: shown };
}

it('the run of a state comes before its record, and all of them newest first, as many as requested', async () => {
  const policies = new MemoryPolicyStore();
  for (const name of ['1', '3', '5']) await policies.recordRun('h', record('a', name));
  for (const [uid, last] of [
    ['a', run('5', { moved: 7 })],
    ['b', run('4')],
    ['c', run('5')],
  ] as const)
    await policies.saveState({ hub: 'h', uid, name: uid, version: 0, answered: { clusters: {} }, run: last });
  await policies.saveState({ hub: 'h', uid: 'd', name: 'd', version: 0, answered: { clusters: {} } });
  const read = async (limit: number) =>
    (await readRuns(policies, 'h', limit)).map((each) => `${each.run.run} of ${each.name}: ${each.run.moved} moved`);
  const newest = ['5 of c: 0 moved', '5 of a: 7 moved', '4 of b: 0 moved'];
  expect(await read(9)).toEqual([...newest, '3 of a: 0 moved', '1 of a: 0 moved']);
  expect(await read(3)).toEqual(newest);
  expect(await readRuns(policies, 'other', 9)).toEqual([]);
});
