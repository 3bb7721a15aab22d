/** A finding about a hub with its remedy, and how findings are printed: a line each, and below it the remedy. */

import { aligned } from '../aligned.ts';
import { documentText } from '../document-text.ts';
import { type Colours, coloursOf } from '../terminal.ts';

export interface Finding {
  readonly state: 'ok' | 'warn' | 'fail';
  /** A word or two: "rights", "clock". */
  readonly about: string;
  readonly what: string;
  /** A complete command, or an instruction for the operator. */
  readonly mend?: string;
}

export function ok(about: string, what: string): Finding {
  return { state: 'ok', about, what };
}

export function warn(about: string, what: string, mend: string): Finding {
  return { state: 'warn', about, what, mend };
}

export function fail(about: string, what: string, mend: string): Finding {
  return { state: 'fail', about, what, mend };
}

const colourOf = { ok: 'green', warn: 'yellow', fail: 'red' } as const satisfies Record<
  Finding['state'],
  keyof Colours
>;

function printFindings(findings: readonly Finding[], colours: Colours): string {
  // Neither findings nor commands are truncated, so that commands can be copied.
  const lines = aligned(findings.map(({ state, about, what }) => [state, about, what]));
  const printed = findings.flatMap(({ state, mend }, i) => {
    const line = (lines[i] ?? '').replace(state, colours[colourOf[state]](state));
    return mend === undefined ? [line] : [line, `      → ${mend}`];
  });
  return [...printed, '', summary(findings)].join('\n');
}

function summary(findings: readonly Finding[]): string {
  const count = (state: Finding['state']) => findings.filter((each) => each.state === state).length;
  const [fails, warns] = [count('fail'), count('warn')];
  if (fails > 0) return `${fails} of ${findings.length} must be fixed before Evenkeel can work on this hub.`;
  return warns > 0 ? `Evenkeel can work on this hub; ${warns} could be improved.` : 'No problems found.';
}

/** Prints the findings, and returns the exit code. */
export function reportFindings(findings: readonly Finding[], output: 'table' | 'json' | 'yaml'): number {
  const text = output === 'table' ? printFindings(findings, coloursOf()) : documentText({ findings }, output);
  process.stdout.write(`${text}\n`);
  return findings.some(({ state }) => state === 'fail') ? 1 : 0;
}
