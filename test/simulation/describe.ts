/** Text reports of runs. */
import type { Played } from './play.ts';
import { type FairnessFigures, type LongestWait, ratioOf, SHORT_MS } from './scenarios/hubs/fairness-oracle.ts';
import { describeAct } from './scenarios/scenario.ts';

export interface Totals {
  seeds: number;
  deliveries: number;
  virtualMs: number;
  readonly faults: Map<string, number>;
  /** Of each history with several hubs. */
  readonly fairness: FairnessFigures[];
}

export function noTotals(): Totals {
  return { seeds: 0, deliveries: 0, virtualMs: 0, faults: new Map(), fairness: [] };
}

/** "3.20 virtual years, 1,970,213 invocations, 41,201 faults (crash after 4,012, …)". */
export function describeTotals({ virtualMs, deliveries, faults }: Totals): string {
  const all = [...faults].sort(([, a], [, b]) => b - a);
  const sum = all.reduce((total, [, count]) => total + count, 0);
  const kinds = all.map(([kind, count]) => `${kind} ${number(count)}`).join(', ');
  const hours = virtualMs / 3_600_000;
  const time = hours < 100 ? `${hours.toFixed(1)} virtual hours` : `${(hours / 24 / 365).toFixed(2)} virtual years`;
  return `${time}, ${number(deliveries)} invocations, ${number(sum)} faults (${kinds})`;
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
    describeViolations(violations),
  ].join('\n');
}

export function describeViolations(violations: Played['violations']): string {
  return violations.map(({ oracle, detail }) => `  ${oracle}\n    ${detail}`).join('\n');
}

/** "15,203 waits of healthy hubs, 12 of them above 5 s; the longest 14.0 s in resync, 1.00 times its fair share". */
export function describeFairness(all: readonly FairnessFigures[]): string {
  const sum = (field: 'waits' | 'longWaits') => number(all.reduce((total, figures) => total + figures[field], 0));
  const most = (field: 'longest' | 'unfairest', by: (wait: LongestWait) => number) =>
    all.flatMap((figures) => figures[field] ?? []).sort((a, b) => by(b) - by(a))[0];
  const [longest, unfairest] = [most('longest', ({ ms }) => ms), most('unfairest', ratioOf)];
  const count = `${sum('waits')} waits of healthy hubs, ${sum('longWaits')} of them above ${SHORT_MS / 1000} s`;
  if (longest === undefined || unfairest === undefined) return count;
  return `${count}; the longest ${describeWait(longest)}; the highest ratio ${describeWait(unfairest)}`;
}

function describeWait(wait: LongestWait): string {
  return `${(wait.ms / 1000).toFixed(1)} s in ${wait.queue}, ${ratioOf(wait).toFixed(2)} times its fair share`;
}
