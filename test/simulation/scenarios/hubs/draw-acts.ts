/** Random acts on many hubs: users work on all of them, some are out of order for a while, and a few flood the bus. */
import { type RandomValues, randomOf } from '../../random-values.ts';
import type { Outage } from '../../system/hub-client.ts';
import { commonActs, drawn } from '../common-acts.ts';
import { drawActs as drawOnHub } from '../rebalancers/draw-acts.ts';
import type { TimedAct } from '../scenario.ts';
import type { Act } from './acts.ts';

const MINUTE = 60_000;
/** Acts whose effect is not limited to one hub; they are drawn once, for the deployment. */
const OF_ALL: readonly string[] = ['bus down', 'bus up', 'lose table', 'poison'];
const OUTAGES = ['hangs', 'answers 429', 'answers 500'] as const satisfies readonly Outage[];
const MOST_FLOODS = 3;

type Acts = readonly TimedAct<Act>[];

export function drawActs(random: RandomValues, names: readonly string[]): Acts {
  const outages = random.pick('share of outages', [0, 0.02, 0.05]);
  // Users of all hubs begin at once, or within some minutes.
  const spread = random.pick('spread', [0, 5, 20]) * MINUTE;
  const ofHubs = names.flatMap((hub) => {
    const own = randomOf(random.below(`acts on ${hub}`, 2 ** 32));
    const begin = own.below('begin', spread);
    const acts = drawOnHub(own)
      .filter(({ act }) => !OF_ALL.includes(act.do))
      .map(({ at, act }) => ({ at: begin + at, act: { do: 'on hub', hub, act } as const }));
    return own.of('outage') < outages ? [...acts, ...outageOf(hub, own, begin)] : acts;
  });
  const acts = [...ofHubs, ...floodsOf(random, names), ...ofDeployment(random)].sort((a, b) => a.at - b.at);
  return [...acts, ...schedules(acts.at(-1)?.at ?? 0)].sort((a, b) => a.at - b.at);
}

function outageOf(hub: string, random: RandomValues, begin: number): Acts {
  const at = begin + random.below('outage begins', 10 * MINUTE);
  const over = at + random.below('outage lasts', 20 * MINUTE);
  return [
    { at, act: { do: 'outage', hub, outage: random.pick('outage of', OUTAGES) } },
    { at: over, act: { do: 'outage over', hub } },
  ];
}

function floodsOf(random: RandomValues, names: readonly string[]): Acts {
  return Array.from({ length: random.below('floods', MOST_FLOODS + 1) }, (_, turn) => {
    const hub = names[random.below(`floods ${turn}`, names.length)] ?? '';
    const changes = random.pick(`flood of ${turn}`, [500, 2000, 4000]);
    return { at: random.below(`flood ${turn}`, 20 * MINUTE), act: { do: 'flood', hub, changes } };
  });
}

/** Faults of what all hubs share. An outage of the bus lasts for minutes: longer ones have the histories of one hub. */
function ofDeployment(random: RandomValues): Acts {
  return Array.from({ length: random.below('acts on all', 5) }, (_, turn) => {
    const acts = commonActs(random, turn).filter(([, act]) => OF_ALL.includes(act.do));
    const at = random.below(`on all ${turn}`, 30 * MINUTE);
    const act = drawn(random, turn, acts);
    const up = { at: at + random.below(`bus up ${turn}`, 5 * MINUTE), act: { do: 'bus up' } as const };
    return act.do === 'bus down' ? [{ at, act }, up] : [{ at, act }];
  }).flat();
}

function schedules(until: number): Acts {
  const count = Math.ceil(until / MINUTE);
  return Array.from({ length: count }, (_, minute) => ({ at: minute * MINUTE, act: { do: 'schedule' } }));
}
