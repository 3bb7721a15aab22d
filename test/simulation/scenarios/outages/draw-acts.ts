/** Random acts on rebalancers before, during and after one disaster. */
import { type RandomValues, randomOf } from '../../random-values.ts';
import { drawActs as drawOfRebalancers, rebalancerNames } from '../rebalancers/draw-acts.ts';
import { workloadNames } from '../rebalancers/workloads.ts';
import type { TimedAct } from '../scenario.ts';
import type { Act } from './acts.ts';
import { disasterOf, disasters } from './disasters.ts';

const MINUTE = 60_000;
/** The age of the backup and of the rows to which hub and table are restored. */
const OLDEST_MS = 60 * MINUTE;
/** Other outages of what all functions share: a history has one disaster. */
const OTHERS: readonly string[] = ['bus down', 'bus up', 'lose table'];

export function drawActs(random: RandomValues): readonly TimedAct<Act>[] {
  const disaster = disasterOf(random);
  const own = randomOf(random.below('disaster acts', 2 ** 32));
  const first = usersActs(random);
  const begins = Math.max(0, (first.at(-1)?.at ?? 0) - own.below('begins before the last act', MINUTE));
  const over = begins + own.below('lasts', Math.max(1, disasters[disaster].lastsMs));
  const second = usersActs(own).map(({ at, act }) => ({ at: begins + at, act }));
  const backup = begins - own.below('age of the backup', Math.min(OLDEST_MS, begins) + 1);
  const ofDisaster: readonly TimedAct<Act>[] = [
    { at: backup, act: { do: 'backup' } },
    { at: begins, act: { do: 'disaster', disaster } },
    { at: over, act: { do: 'disaster over', disaster } },
  ];
  const edits = editsAround(own, { from: backup, to: begins });
  return [...first, ...second, ...ofDisaster, ...edits].sort((a, b) => a.at - b.at);
}

/** One rebalancer is edited shortly before and after: both edits have one generation if the first of them is lost with the hub. */
function editsAround(random: RandomValues, { from, to }: { readonly from: number; readonly to: number }) {
  const name = random.pick('edited', rebalancerNames);
  const edit = (turn: string, at: number): TimedAct<Act> => {
    const workloads = [random.pick(`adds ${turn}`, workloadNames), random.pick(`adds too ${turn}`, workloadNames)];
    return { at, act: { do: 'edit list', name, workloads: [...new Set(workloads)] } };
  };
  return [
    edit('before', from + random.below('edited before', to - from + 1)),
    edit('after', to + random.below('edited after', 3000)),
  ];
}

function usersActs(random: RandomValues): readonly TimedAct<Act>[] {
  return drawOfRebalancers(random).filter(({ act }) => !OTHERS.includes(act.do));
}
