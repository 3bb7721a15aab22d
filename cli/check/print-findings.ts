/** The findings about a hub as people read them: a line each, and below it how it is mended. */
import { aligned } from '../aligned.ts';
import type { Colours } from '../terminal.ts';
import type { Finding } from './finding.ts';

const colourOf = { ok: 'green', warn: 'yellow', fail: 'red' } as const satisfies Record<
  Finding['state'],
  keyof Colours
>;

export function printFindings(findings: readonly Finding[], colours: Colours): string {
  // What is found is never cut, nor is a command that somebody is to copy.
  const lines = aligned(
    findings.map(({ state, about, what }) => [state, about, what]),
    { width: undefined },
  );
  const told = findings.flatMap(({ state, mend }, i) => {
    const line = (lines[i] ?? '').replace(state, colours[colourOf[state]](state));
    return mend === undefined ? [line] : [line, `      → ${mend}`];
  });
  return [...told, '', summary(findings)].join('\n');
}

function summary(findings: readonly Finding[]): string {
  const count = (state: Finding['state']) => findings.filter((each) => each.state === state).length;
  const [fails, warns] = [count('fail'), count('warn')];
  if (fails > 0) return `${fails} of ${findings.length} must be mended before Evenkeel can work here.`;
  return warns > 0 ? `Evenkeel can work here; ${warns} could be better.` : 'All is as it should be.';
}

/** For programs. */
export function findingsDocument(findings: readonly Finding[]): object {
  return { findings };
}
