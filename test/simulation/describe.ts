/** Text reports of runs. */
import type { Played } from './play.ts';
import { describeAct } from './scenarios/scenario.ts';

export interface Totals {
  seeds: number;
  deliveries: number;
  virtualMs: number;
  readonly faults: Map<string, number>;
}

export function noTotals(): Totals {
  return { seeds: 0, deliveries: 0, virtualMs: 0, faults: new Map() };
}

/** "3.2 virtual years, 1,970,213 invocations, 41,201 faults (crash after 4,012, …)". */
export function describeTotals({ virtualMs, deliveries, faults }: Totals): string {
  const all = [...faults].sort(([, a], [, b]) => b - a);
  const sum = all.reduce((total, [, count]) => total + count, 0);
  const kinds = all.map(([kind, count]) => `${kind} ${number(count)}`).join(', ');
  const years = (virtualMs / (365 * 24 * 3_600_000)).toFixed(2);
  return `${years} virtual years, ${number(deliveries)} invocations, ${number(sum)} faults (${kinds})`;
}

export function number(value: number): string {
  return value.toLocaleString('en-US');
}

/** The acts in order of time, the faults, and the violations. */
export function describeHistory({ history, violations }: Played): string {
  const acts = history.acts.map(({ at, act }) => `  ${(at / 1000).toFixed(3).padStart(9)} s  ${describeAct(act)}`);
  const faults = history.faults.map(({ at, kind }) => `  ${kind}: ${at}`);
  return [
    'Acts of users and the hub:',
    ...acts,
    faults.length > 0 ? 'Faults:' : 'No faults.',
    ...faults,
    'Violations:',
    ...violations.map(({ oracle, detail }) => `  ${oracle}\n    ${detail}`),
  ].join('\n');
}
