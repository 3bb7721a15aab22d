/**
 * 300 bindings that are rebalanced together, on a real API server: by Evenkeel with its own scheduler, and by Karmada's rebalancer and scheduler. The plan
 * made before is what happens. Prints the time until the last of them is rescheduled; `node bench/moved.ts` measures it in rounds, with 3,000.
 */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { bindingPath, makeBindings } from '../../../../bench/bindings.ts';
import { type BenchClusters, makeClusters } from '../../../../bench/moved/clusters.ts';
import { type Contender, contenderNames, contendersIn, markScheduled } from '../../../../bench/moved/contenders.ts';
import { closeArena, openArena, type RebalanceArena } from '../../../../bench/rebalance/arena.ts';
import { isMissing, planBindings } from '../../../../cli/plan/plan-bindings.ts';
import { parseCluster } from '../../../../shared/karmada/assignment/cluster.ts';
import { distributionOf } from '../../../../shared/karmada/assignment/rebalance-plan.ts';
import { assignedBy } from '../../../../shared/karmada/assignment/scheduling-decision.ts';
import { type PlacedBinding, parsePlacedBinding } from '../../../../shared/karmada/placed-binding.ts';
import { keyText } from '../../../../shared/kubernetes/object-key.ts';
import { startClusterApi } from '../../parts/karmada.ts';
import { Api } from '../api.ts';
import { CLUSTERS } from '../karmada/scheduling/ask-schedulers.ts';

const BINDINGS = 300;
const OF_KARMADA = 'evenkeel-karmada';
const MINUTES = 60_000;
/** The floor is the benchmark's. */
const measured = contenderNames.filter((name) => name !== 'floor');

let arena: RebalanceArena;
let ofKarmada: RebalanceArena;
let clusters: BenchClusters;
let contenders: readonly Contender[] = [];
let api: Api;

beforeAll(async () => {
  arena = await openArena(`${inject('rig')}-moved`, BINDINGS, 'evenkeel');
  await startClusterApi(arena.rig, arena.hub);
  api = await Api.of(arena.hub.adminKubeconfig);
  clusters = await makeClusters(arena.admin);
  await makeBindings(arena.admin, OF_KARMADA, BINDINGS, 'default-scheduler');
  ofKarmada = { ...arena, namespace: OF_KARMADA };
  for (const each of [arena, ofKarmada]) await markScheduled(each);
  contenders = await contendersIn({ arena, ofKarmada, only: measured.join() });
}, 5 * MINUTES);

afterAll(async () => {
  for (const each of contenders) await each.close();
  api.close();
  await closeArena(arena);
});

describe(`${BINDINGS} bindings that are rebalanced together`, () => {
  it.each(measured)('by %s, are on the clusters of the plan', { timeout: 5 * MINUTES }, async (name) => {
    const contender = contenders.find((each) => each.name === name);
    if (contender === undefined) throw new Error(`${name} is not there`);
    const isOurs = name === 'Evenkeel';
    await contender.enter();
    await clusters.turn();
    const path = bindingPath((isOurs ? arena : ofKarmada).namespace);
    const planned = planOf(await bindingsIn(path), (await api.list(CLUSTERS)).map(parseCluster), !isOurs);
    const ms = await contender.reschedule(arena.names);
    const after = new Map((await bindingsIn(path)).map((binding) => [keyText(binding.metadata), binding]));
    await contender.leave();
    let replicas = 0;
    let asPlanned = 0;
    for (const [key, distribution] of planned) {
      for (const { name: cluster, replicas: count } of after.get(key)?.spec.clusters ?? []) {
        replicas += count;
        asPlanned += Math.min(count, distribution.get(cluster) ?? 0);
      }
    }
    console.log(
      `${BINDINGS} bindings, from create to rescheduled, by ${name}: ${Math.round(ms)} ms; ${asPlanned} of ${replicas} replicas are where the plan has them`,
    );
    expect(replicas).toBe(BINDINGS * 10);
    expect(asPlanned / replicas).toBeGreaterThanOrEqual(0.99);
  });
});

async function bindingsIn(path: string): Promise<readonly PlacedBinding[]> {
  return (await api.list(path)).map(parsePlacedBinding);
}

/** Replicas by cluster, as `evenkeel plan` has them. */
function planOf(
  bindings: readonly PlacedBinding[],
  known: ReturnType<typeof parseCluster>[],
  eachAlone: boolean,
): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const input = {
    clusters: new Map(known.map((cluster) => [cluster.name, cluster])),
    bindings: new Map(bindings.map((binding) => [keyText(binding.metadata), binding])),
    rebalancers: new Map(),
    modelled: new Set<string>(),
    withoutEnablements: new Set<string>(),
    notes: [],
    unread: [],
  };
  const { bindings: plans } = planBindings(input, { names: [], eachAlone });
  return new Map(
    plans.flatMap((plan) =>
      isMissing(plan) ? [] : [[keyText(plan.key), distributionOf(assignedBy(plan.fresh) ?? [])] as const],
    ),
  );
}
