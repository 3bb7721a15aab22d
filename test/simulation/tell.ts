/** Says for people what a run came to. */
import type { Played } from './play.ts';
import { describeAct } from './scenarios/scenario.ts';

export interface Totals {
  seeds: number;
  deliveries: number;
  virtualMs: number;
  readonly mishaps: Map<string, number>;
}

export function noTotals(): Totals {
  return { seeds: 0, deliveries: 0, virtualMs: 0, mishaps: new Map() };
}

/** "3.2 virtual years, 1,970,213 invocations, 41,201 mishaps (crash after 4,012, …)". */
export function describeTotals({ virtualMs, deliveries, mishaps }: Totals): string {
  const all = [...mishaps].sort(([, a], [, b]) => b - a);
  const sum = all.reduce((total, [, count]) => total + count, 0);
  const kinds = all.map(([kind, count]) => `${kind} ${number(count)}`).join(', ');
  const years = (virtualMs / (365 * 24 * 3_600_000)).toFixed(2);
  return `${years} virtual years, ${number(deliveries)} invocations, ${number(sum)} mishaps (${kinds})`;
}

export function number(value: number): string {
  return value.toLocaleString('en-US');
}

/** What happened, in its order in time as far as a mishap tells it, and which promises were broken. */
export function describeHistory({ history, violations }: Played): string {
  const acts = history.acts.map(({ at, act }) => `  ${(at / 1000).toFixed(3).padStart(9)} s  ${describeAct(act)}`);
  const mishaps = history.mishaps.map(({ at, kind }) => `  ${kind}: ${at}`);
  return [
    'What people and the hub do:',
    ...acts,
    mishaps.length > 0 ? 'What goes wrong:' : 'Nothing goes wrong.',
    ...mishaps,
    'What that breaks:',
    ...violations.map(({ oracle, says }) => `  ${oracle}\n    ${says}`),
  ].join('\n');
}
