/** The lower bound for any rebalancer of rebalancers: one create, a bare PATCH for each binding and one of the status, with no read and no decision. */
import { eachAtOnce } from '../../shared/core/each-at-once.ts';
import { bindingPath, MERGE_PATCH, send, trigger } from '../bindings.ts';
import { clear, createRebalancer, NAMESPACE, REBALANCERS, type RebalanceArena } from '../rebalance/arena.ts';
import { window } from './steady.ts';

const IN_FLIGHT = 16;

/** Rebalancers per second, as fast as the API server answers. */
export async function floorRate(
  arena: RebalanceArena,
  { rebalancers, workloads }: { readonly rebalancers: number; readonly workloads: number },
): Promise<number> {
  const time = new Date().toISOString().replace(/\.\d+/, '');
  const patch = (path: string, body: object) =>
    send(arena.admin, { method: 'PATCH', path, body, contentType: MERGE_PATCH });
  const began = performance.now();
  await eachAtOnce(
    Array.from({ length: rebalancers }, (_, number) => number),
    IN_FLIGHT,
    async (number) => {
      const names = window(arena.names, number, workloads);
      const { name } = await createRebalancer(arena, `floor-${number}`, names);
      await Promise.all(names.map((binding) => patch(bindingPath(NAMESPACE, binding), trigger(time))));
      await patch(`${REBALANCERS}/${name}/status`, { status: { finishTime: time } });
    },
  );
  const perSecond = (rebalancers * 1000) / (performance.now() - began);
  await clear(arena);
  return perSecond;
}
