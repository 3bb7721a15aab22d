/** A WorkloadRebalancer that shows an older generation than its task: an old answer, or a hub that was restored from a backup. */
import { describe, expect, it } from 'vitest';
import { task as planTask } from '../../../functions/workload-rebalancer/plan-rebalance.lambda.ts';
import type { EvenkeelEvent } from '../../../shared/bus/event.ts';
import { parseSettings } from '../../../shared/core/settings.ts';
import type { RebalanceTask } from '../../../shared/workload-rebalancer/rebalance-task.ts';
import type { WorkloadRebalancer } from '../../../shared/workload-rebalancer/workload-rebalancer.ts';
import { at, finishedTask, rebalancer } from '../../builders.ts';

type Uses = Parameters<typeof planTask.run>[1];

/** A hub that gives these answers, the last one again and again, and what comes of them. */
async function planned(answers: readonly WorkloadRebalancer[], before: RebalanceTask) {
  const plans: number[] = [];
  const published: EvenkeelEvent[] = [];
  let asked = 0;
  const get = async () => answers[Math.min(asked++, answers.length - 1)];
  const hub = { name: 'karmada', get, getMany: async () => [] };
  const tasks = {
    readTask: async () => before,
    readChunks: async () => [],
    writeChunks: async () => {},
    commitPlan: async ({ generation }: RebalanceTask) => {
      plans.push(generation);
      return { result: 'done' };
    },
  };
  const bus = { publish: async (events: readonly EvenkeelEvent[]) => void published.push(...events) };
  const context = { now: () => at(20), newId: () => 'plan-2', settings: parseSettings({}) };
  const ports = { ...context, hubs: { connect: async () => hub }, tasks, bus } as unknown as Uses;
  await planTask.run({ hub: 'karmada', name: 'demo' }, ports, new Set());
  return { asked, plans, published: published.map(({ type }) => type) };
}

const [first, second] = [1, 2].map((generation) => rebalancer({ generation, workloads: [] }));
const finished = finishedTask({ generation: 2 });

describe('a generation older than that of the task', () => {
  it('is asked for again: an answer may have been long under way', async () => {
    expect(await planned([first, second] as never, finished)).toEqual({
      asked: 2,
      plans: [],
      published: ['RebalanceFinished'],
    });
  });

  it('is planned if two reads of the hub agree: it was restored from a backup', async () => {
    expect(await planned([first] as never, finished)).toEqual({
      asked: 2,
      plans: [1],
      published: ['RebalanceFinished'],
    });
  });
});
