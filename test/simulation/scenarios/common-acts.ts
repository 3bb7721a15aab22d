/** Acts in every scenario: outages of hook and bus, a lost table, invalid messages in the queues, and resync. */
import { ResyncDue } from '../../../shared/events/catalogue.ts';
import type { Lots } from '../lots.ts';
import { HUB, type System } from '../system/system.ts';

export type CommonAct =
  | { readonly do: 'hook away' }
  | { readonly do: 'hook back' }
  | { readonly do: 'bus away' }
  | { readonly do: 'bus back' }
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
export function commonActs(lots: Lots, turn: number): readonly (readonly [number, CommonAct])[] {
  return [
    [3, { do: 'hook away' }],
    [3, { do: 'hook back' }],
    [2, { do: 'bus away' }],
    [2, { do: 'bus back' }],
    [2, { do: 'lose table' }],
    [2, { do: 'poison', body: lots.pick(`poison ${turn}`, POISON) }],
    [6, { do: 'resync' }],
  ];
}

export function doCommon(system: System, act: CommonAct): void {
  const { transit, hook } = system;
  switch (act.do) {
    case 'hook away':
    case 'hook back':
      hook.isUp = act.do === 'hook back';
      return;
    case 'bus away':
    case 'bus back':
      transit.isCut = act.do === 'bus away';
      return;
    case 'lose table':
      system.loseTable();
      return;
    case 'poison':
      for (const queue of system.bus.queues.values()) queue.send(act.body);
      return;
    case 'resync':
      void transit.publish([ResyncDue.of({ hub: HUB })]);
      return;
  }
}

/** A random act, by weight. */
export function drawn<A>(lots: Lots, turn: number, acts: readonly (readonly [number, A])[]): A {
  let left = lots.of(`act ${turn}`) * acts.reduce((sum, [weight]) => sum + weight, 0);
  const found = acts.find(([weight]) => (left -= weight) < 0) ?? acts[0];
  if (found === undefined) throw new Error('no acts');
  return found[1];
}

/** The turn whose choice is kept: several acts in a row have the same object, so that they conflict. */
export function lasting(lots: Lots, what: string, turn: number): number {
  return turn > 0 && lots.of(`same ${what} ${turn}`) < 0.5 ? lasting(lots, what, turn - 1) : turn;
}
