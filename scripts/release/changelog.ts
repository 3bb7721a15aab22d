/** Reads and changes CHANGELOG.md, in the form of Keep a Changelog 1.1. */

const headings = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
const UNRELEASED = '## [Unreleased]';

export interface ReleasedChangelog {
  /** The whole file, with an empty section for the next changes. */
  readonly text: string;
  /** The section of the version, without its heading. */
  readonly notes: string;
}

/** `date`: as in 2026-11-29. Throws an Error that names the heading and the fix. */
export function releaseChangelog(changelog: string, version: string, date: string): ReleasedChangelog {
  const [before, rest] = splitOnce(changelog, `${UNRELEASED}\n`);
  if (rest === undefined) throw new Error(`CHANGELOG.md: Required value: the heading "${UNRELEASED}"; add it`);
  const next = rest.search(/^## /m);
  const notes = (next < 0 ? rest : rest.slice(0, next)).trim();
  const older = next < 0 ? '' : `\n${rest.slice(next)}`;
  if (older.includes(`\n## [${version}]`))
    throw new Error(`CHANGELOG.md: version ${version} has a section already; release a higher version`);
  check(notes);
  return { text: `${before}${UNRELEASED}\n\n## [${version}] - ${date}\n\n${notes}\n${older}`, notes };
}

function check(notes: string): void {
  const used = [...notes.matchAll(/^### (.*)$/gm)].map(([, heading = '']) => heading);
  const unknown = used.find((heading) => !headings.includes(heading));
  if (unknown !== undefined)
    throw new Error(`CHANGELOG.md: Unsupported value: "### ${unknown}": supported values: ${headings.join(', ')}`);
  if (used.length === 0 || !/^- /m.test(notes))
    throw new Error(
      `CHANGELOG.md: the section ${UNRELEASED} has no entry under a heading ("### Added"); add what changed`,
    );
}

function splitOnce(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}
