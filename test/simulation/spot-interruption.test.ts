/** The scenario of events from outside without faults: replicas are ready elsewhere before the nodes of a Spot interruption are gone. */
import { expect, it } from 'vitest';
import { seeds } from '../depth.ts';
import { recordedFaults } from './fault-injector.ts';
import { randomOf } from './random-values.ts';
import { externalEvents } from './scenarios/external-events/scenario.ts';
import { assignedOf, readyOf } from './scenarios/fleet/binding-fields.ts';
import { bindingKeyOf, memberNames, workloadNames } from './scenarios/fleet/parts.ts';
import { System } from './system/system.ts';
import { Violations } from './violations.ts';

const SECOND = 1000;
/** From the warning to the end of the instances. */
const WARNING_SECONDS = 120;
const NODES = 4;
/** Of each member, so that the nodes that stay have no place for the pods of the others. */
const SLOTS = 12;
const REPLICAS = 6;

it.each(seeds({ few: 2, all: 20 }))(
  'a Spot interruption of a quarter or half of the nodes of a cluster leaves every replica ready, elsewhere before the nodes are gone: seed %i',
  async (seed) => {
    const random = randomOf(seed);
    const { settings } = externalEvents;
    const system = new System({ random, injector: recordedFaults([]), settings, maxSkewMs: 400 });
    const violations = new Violations();
    const life = externalEvents.begin(system, { violations, skewMs: 800 });
    const bindings = () =>
      workloadNames.flatMap((name) => system.hub.store.get('resourcebindings', bindingKeyOf(name)) ?? []);
    const onMember1 = () => bindings().map((binding) => assignedOf(binding).get('member1') ?? 0);
    let least = Number.POSITIVE_INFINITY;
    const passCounting = async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        await system.pass(SECOND);
        const ready = bindings().map((binding) => [...readyOf(binding).values()].reduce((sum, each) => sum + each, 0));
        least = Math.min(least, ...ready);
      }
    };
    for (const member of memberNames) life.act({ do: 'capacity', member, slots: SLOTS });
    await system.pass(30 * SECOND);
    life.act({ do: 'policy for events', name: 'aws', entries: 'spot', suspend: false });
    await system.pass(60 * SECOND);
    const before = onMember1();
    const nodes = 1 + random.below('nodes', 2);
    const sent = { type: 'SpotInterruption', phase: 'begin', member: 'member1', origin: 'it', nodes } as const;
    const incident = random.below('first node', NODES);
    life.act({ do: 'send', ...sent, incident, isNamed: false, lateMs: 0, copies: 2 });
    await passCounting(WARNING_SECONDS);
    const stays = 1 - nodes / NODES;
    const differences = onMember1().map((replicas, i) => Math.abs(replicas - (before[i] ?? 0) * stays));
    expect(differences.filter((each) => each >= 1)).toEqual([]);
    life.act({ do: 'capacity', member: 'member1', slots: SLOTS * stays });
    await passCounting(60);
    expect({ least, violations: violations.found }).toEqual({ least: REPLICAS, violations: [] });
    expect(before.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(SLOTS * stays - 4);
  },
);
