/** Random acts on a fleet whose policies act on events from outside. */
import { type SampleType, samples, sampleTypes } from '../../../external-events/samples.ts';
import type { RandomValues } from '../../random-values.ts';
import { drawn, lasting } from '../common-acts.ts';
import { drawAct as drawFleetAct } from '../fleet/draw-acts.ts';
import { memberNames } from '../fleet/parts.ts';
import type { TimedAct } from '../scenario.ts';
import type { Act } from './acts.ts';
import { type Entries, entriesOf, type Identity, type Origin } from './parts.ts';

const GAPS = [0, 2000, 20_000, 120_000, 600_000] as const;
/** The maximum delays of an event on its way: EventBridge retries for up to a day. */
const LATE = [0, 0, 2000, 60_000, 1_200_000, 10_800_000] as const;
const ORIGINS: readonly [Origin, ...Origin[]] = [
  ...(['it', 'it', 'it', 'it', 'it', 'it'] as const),
  ...(['another account', 'another region', 'an unknown cluster'] as const),
];
const IDENTITIES: readonly [Identity, ...Identity[]] = ['own', 'own', 'another account', 'none'];
/** Those that shrink a fleet's capacity or move it for other reasons are rare: they would hide what events do. */
const FLEET_WEIGHT = 20;
/** Of some types several events add up, or begin and end. */
const TYPES: readonly [SampleType, ...SampleType[]] = [
  ...(['SpotInterruption', 'SpotInterruption', 'SpotInterruption', 'ZonalShift', 'ZonalShift', 'ZonalShift'] as const),
  ...(['RebalanceRecommendation', 'LaunchFailure', 'HealthIssue', ...sampleTypes] as const),
];

export function drawActs(random: RandomValues): readonly TimedAct<Act>[] {
  const count = 3 + random.below('acts', 18);
  let at = 60_000;
  const first: TimedAct<Act> = { at, act: policyAct(random, 'aws', 0) };
  const others = Array.from({ length: count }, (_, turn) => {
    at += Math.round(random.of(`gap ${turn}`) * random.pick(`gaps ${turn}`, GAPS));
    return { at, act: drawAct(random, turn + 1) };
  });
  return [first, ...others];
}

function policyAct(random: RandomValues, name: string, turn: number): Act {
  const entries = random.pick(`entries ${turn}`, Object.keys(entriesOf) as [Entries, ...Entries[]]);
  const suspend = turn > 0 && random.of(`suspend ${turn}`) < 0.2;
  return { do: 'policy for events', name, entries, suspend };
}

function drawAct(random: RandomValues, turn: number): Act {
  const member = random.pick(`member ${lasting(random, 'member', turn)}`, memberNames);
  const name = random.pick(`policy ${turn}`, ['aws', 'aws', 'ops']);
  const travel = {
    lateMs: Math.round(random.of(`late ${turn}`) * random.pick(`how late ${turn}`, LATE)),
    copies: random.pick(`copies ${turn}`, [1, 1, 2, 3]),
  };
  const isNamed = random.of(`named ${lasting(random, 'event', turn)}`) < 0.15;
  const named = random.of(`names ${turn}`) < 0.5 ? { member } : {};
  return drawn<Act>(random, turn, [
    [90, { do: 'send', ...drawEvent(random, turn), isNamed, ...travel }],
    [8, { do: 'own event', stage: random.pick(`stage ${turn}`, ['prod', 'all', 'dev']), ...named, ...travel }],
    [10, { do: 'alert', name: 'NodesLost', ...named, isFiring: random.of(`firing ${turn}`) < 0.6 }],
    [2, { do: 'garbage' }],
    [14, policyAct(random, name, turn)],
    [3, { do: 'delete policy for events', name }],
    [4, { do: 'identity', member, identity: random.pick(`identity ${turn}`, IDENTITIES) }],
    [2, { do: 'delete cluster', member }],
    [3, { do: 'join cluster', member }],
    [FLEET_WEIGHT, drawFleetAct(random, turn)],
  ]);
}

/** Several in a row are of one incident: they repeat it, end it or begin it again. */
function drawEvent(random: RandomValues, turn: number) {
  const of = lasting(random, 'event', turn);
  const type = random.pick(`type ${of}`, TYPES);
  const isEnd = 'end' in samples[type] && random.of(`end ${turn}`) < 0.4;
  return {
    type,
    phase: isEnd ? 'end' : 'begin',
    member: random.pick(`event member ${of}`, memberNames),
    origin: random.pick(`origin ${of}`, ORIGINS),
    incident: random.below(`incident ${of}`, 4),
    nodes: 1 + random.below(`nodes ${turn}`, 2),
  } as const;
}
