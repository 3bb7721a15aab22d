/** One deployment with many hubs, each of them as in the scenario of rebalancers, with the same oracles; and the fairness between them. */
import { HubSchedulesDue, WorkloadRebalancerChanged } from '../../../../shared/bus/catalogue.ts';
import type { System } from '../../system/system.ts';
import { Violations } from '../../violations.ts';
import { doCommon } from '../common-acts.ts';
import type { Act as RebalancerAct } from '../rebalancers/acts.ts';
import { lifeOf, rebalancers } from '../rebalancers/scenario.ts';
import type { Life, Scenario, ScenarioContext } from '../scenario.ts';
import type { Act } from './acts.ts';
import { drawActs } from './draw-acts.ts';
import { FairnessOracle } from './fairness-oracle.ts';

const MINUTE = 60_000;
/** Between two acts `resync`, in which the schedule fires every minute. */
const RESYNC_MINUTES = 10;

export function manyHubs(count: number): Scenario<Act> {
  const names = Array.from({ length: count }, (_, place) => `hub-${place}`);
  return {
    settings: { ...rebalancers.settings, resyncMinutes: '20', deschedulingMinutes: '60' },
    hubs: names as unknown as readonly [string, ...string[]],
    draw: (random) => drawActs(random, names),
    begin: (system, context) => new ManyLives(system, context),
  };
}

class ManyLives implements Life<Act> {
  readonly #system: System;
  readonly #lives: ReadonlyMap<string, Life<RebalancerAct>>;
  readonly #fairness: FairnessOracle;

  constructor(system: System, { violations, skewMs }: ScenarioContext) {
    this.#system = system;
    this.#fairness = new FairnessOracle(system, violations);
    this.#lives = new Map(
      [...system.hubs.values()].map((hub) => [
        hub.name,
        lifeOf(hub, { violations: new HubViolations(hub.name, violations), skewMs }),
      ]),
    );
  }

  act(act: Act): void {
    const { transit, hubs, clock } = this.#system;
    switch (act.do) {
      case 'on hub':
        return this.#lives.get(act.hub)?.act(act.act);
      case 'outage':
      case 'outage over': {
        const hub = hubs.get(act.hub);
        if (hub !== undefined) hub.outage = act.do === 'outage' ? act.outage : undefined;
        return this.#fairness.disturbed(act.hub);
      }
      case 'flood':
        this.#fairness.disturbed(act.hub);
        return void transit.publish(
          Array.from({ length: act.changes }, (_, turn) =>
            WorkloadRebalancerChanged.of({ hub: act.hub, name: `flood-${turn}` }),
          ),
        );
      case 'schedule':
        return void transit.publish([HubSchedulesDue.of({})]);
      case 'resync':
        for (let minute = 0; minute < RESYNC_MINUTES; minute++)
          clock.after(minute * MINUTE, () => this.act({ do: 'schedule' }));
        return;
      default:
        return doCommon(this.#system.hub, act);
    }
  }

  calm(): void {
    for (const hub of this.#system.hubs.values())
      if (hub.outage !== undefined) this.act({ do: 'outage over', hub: hub.name });
    for (const life of this.#lives.values()) life.calm();
  }

  async atRest(): Promise<void> {
    for (const life of this.#lives.values()) await life.atRest();
  }

  get figures() {
    return this.#fairness.figures;
  }
}

/** Names the hub of a violation. */
class HubViolations extends Violations {
  readonly #hub: string;
  readonly #all: Violations;

  constructor(hub: string, all: Violations) {
    super();
    this.#hub = hub;
    this.#all = all;
  }

  override add(oracle: string, detail: string): void {
    this.#all.add(oracle, `${this.#hub}: ${detail}`);
  }
}
