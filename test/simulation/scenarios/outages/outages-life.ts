/** A hub with rebalancers, on which and on whose deployment one disaster happens. */

import { WorkloadRebalancerChanged } from '../../../../shared/bus/catalogue.ts';
import type { FunctionName } from '../../../../shared/bus/functions.ts';
import { type RandomValues, randomOf } from '../../random-values.ts';
import type { Backup } from '../../system/restorable-store.ts';
import type { System } from '../../system/system.ts';
import type { Violations } from '../../violations.ts';
import type { Act as RebalancerAct } from '../rebalancers/acts.ts';
import type { Life } from '../scenario.ts';
import type { Act } from './acts.ts';
import { type DisasterName } from './disasters.ts';
import { poisonObjects } from './poison-objects.ts';

const MINUTE = 60_000;
const DELIVERIES = 1000;
/** Writes of the functions for the acts of users within that time: at most 50 acts, of up to six workloads, with conflicts. */
const MOST_WRITES = 200;
/** All deliveries of the message are within this time. */
const DELIVERED_MS = 20 * MINUTE;
/** What a restore adds to the version of the backup: nothing, or as etcdutl with --bump-revision. */
const BUMPS = [0, 0, 1_000_000] as const;

const functions = [
  'workload-rebalancer/plan-rebalance',
  'workload-rebalancer/trigger-bindings',
  'workload-rebalancer/report-status',
  'workload-rebalancer/expire-rebalancer',
  'workload-rebalancer/confirm-rescheduling',
  'resync/find-drift',
] as const satisfies readonly FunctionName[];

export interface OutagesContext {
  readonly disaster: DisasterName;
  readonly violations: Violations;
}

export class OutagesLife implements Life<Act> {
  readonly #system: System;
  readonly #life: Life<RebalancerAct>;
  readonly #random: RandomValues;
  #backup: Backup | undefined;
  #backedUpAt: number | undefined;
  readonly #violations: Violations;
  #isRepeating = false;

  constructor(system: System, life: Life<RebalancerAct>, { disaster, violations }: OutagesContext) {
    this.#violations = violations;
    this.#system = system;
    this.#life = life;
    this.#random = randomOf(system.random.below('disaster', 2 ** 32));
    if (disaster === 'table restored') system.adversity.record();
    if (disaster === 'delivered 1,000 times') this.#repeatOne();
  }

  act(act: Act): void {
    switch (act.do) {
      case 'backup':
        this.#backup = this.#system.hub.store.backup();
        this.#backedUpAt = this.#system.clock.now();
        return;
      case 'disaster':
        return this.#begin(act.disaster);
      case 'disaster over':
        return this.#end();
      default:
        return this.#life.act(act);
    }
  }

  calm(): void {
    this.#end();
    this.#life.calm();
  }

  atRest(): void | Promise<void> {
    return this.#life.atRest();
  }

  #begin(disaster: DisasterName): void {
    const { hub, adversity, clock, transit } = this.#system;
    switch (disaster) {
      case 'hub restored':
        if (this.#backup !== undefined) hub.restore(this.#backup, this.#random.pick('bump', BUMPS));
        return;
      case 'table restored':
        return this.#system.restoreTable(this.#backedUpAt ?? clock.now());
      case 'region lost':
        return this.#system.loseRegion();
      case 'clock off':
        adversity.clockOff = {
          function: this.#random.pick('whose clock', functions),
          aheadMs: this.#random.pick('how far', [90_000, -90_000]),
        };
        return;
      case 'poison objects':
        hub.poison(poisonObjects);
        return void transit.publish([WorkloadRebalancerChanged.of({ hub: hub.name, name: 'poison' })]);
      case 'secret rotated':
        hub.accepted += 1;
        return;
      case 'table throttled':
        adversity.isTableThrottled = true;
        return;
      case 'bus delayed':
        adversity.busDelayMs = 60 * MINUTE;
        return;
      case 'delivered 1,000 times':
        this.#isRepeating = true;
        return;
    }
  }

  /** Of a rotation: the secret has the new credential. */
  #end(): void {
    const { hub, adversity } = this.#system;
    hub.inSecret = hub.accepted;
    adversity.clockOff = undefined;
    adversity.isTableThrottled = false;
    adversity.isRegionLost = false;
    adversity.busDelayMs = 0;
  }

  /** The next message of one route after the begin is delivered again and again. */
  #repeatOne(): void {
    const { bus, clock, hub } = this.#system;
    const name = this.#random.pick('function of the message', functions);
    this.#system.onDelivery((route, { Records: [record] }) => {
      const queue = bus.queues.get(route);
      if (this.#isRepeating && route.function === name && queue !== undefined && record !== undefined) {
        this.#isRepeating = false;
        const before = hub.writes;
        clock.after(DELIVERED_MS, () => this.#checkWrites(hub.writes - before));
        for (let turn = 1; turn < DELIVERIES; turn++)
          clock.after(this.#random.below(`delivery ${turn}`, DELIVERED_MS), () => queue.send(record.body));
      }
      return () => undefined;
    });
  }

  /** A redelivery finds what is done. Users' acts of the same time cause the other writes. */
  #checkWrites(count: number): void {
    if (count > MOST_WRITES) this.#violations.add('redeliveries of a message write nothing', `${count} writes`);
  }
}
