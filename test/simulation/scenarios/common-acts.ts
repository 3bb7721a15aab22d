/** Acts in every scenario: outages of hook and bus, a lost table, invalid messages in the queues, and resync. */
import { catalogue, ResyncDue } from '../../../shared/bus/catalogue.ts';
import type { RandomValues } from '../random-values.ts';
import type { SimulatedHub } from '../system/simulated-hub.ts';

export type CommonAct =
  | { readonly do: 'hook down' }
  | { readonly do: 'hook up' }
  | { readonly do: 'bus down' }
  | { readonly do: 'bus up' }
  | { readonly do: 'lose table' }
  | { readonly do: 'poison'; readonly body: string }
  | { readonly do: 'resync' };

const POISON = [
  '',
  '{',
  '[]',
  '{"source":"evenkeel"}',
  '{"source":"evenkeel","detail-type":"Nothing","detail":{}}',
] as const;

/** The acts with their weights. */
export function commonActs(random: RandomValues, turn: number): readonly (readonly [number, CommonAct])[] {
  return [
    [3, { do: 'hook down' }],
    [3, { do: 'hook up' }],
    [2, { do: 'bus down' }],
    [2, { do: 'bus up' }],
    [2, { do: 'lose table' }],
    [2, { do: 'poison', body: random.pick(`poison ${turn}`, POISON) }],
    [6, { do: 'resync' }],
  ];
}

export function doCommon({ name, hook, system }: SimulatedHub, act: CommonAct): void {
  const { transit } = system;
  switch (act.do) {
    case 'hook down':
    case 'hook up':
      hook.isUp = act.do === 'hook up';
      return;
    case 'bus down':
    case 'bus up':
      transit.isCut = act.do === 'bus down';
      return;
    case 'lose table':
      system.loseTable();
      return;
    case 'poison':
      // Events from outside have any form, and placements are only recorded; no scenario has either.
      for (const [{ consumes, onlyFor }, queue] of system.bus.queues)
        if (onlyFor === undefined && !consumes.some((type) => 'external' in catalogue[type])) queue.send(act.body);
      return;
    case 'resync':
      void transit.publish([ResyncDue.of({ hub: name })]);
      return;
  }
}

/** A random act, by weight. */
export function drawn<A>(random: RandomValues, turn: number, acts: readonly (readonly [number, A])[]): A {
  let left = random.of(`act ${turn}`) * acts.reduce((sum, [weight]) => sum + weight, 0);
  const found = acts.find(([weight]) => (left -= weight) < 0) ?? acts[0];
  if (found === undefined) throw new Error('no acts');
  return found[1];
}

/** The turn whose choice is kept: several acts in a row have the same object, so that they conflict. */
export function lasting(random: RandomValues, what: string, turn: number): number {
  return turn > 0 && random.of(`same ${what} ${turn}`) < 0.5 ? lasting(random, what, turn - 1) : turn;
}
