/** Parses a line of a control plane's audit log: the text of one audit event, or nothing. */

/** A line that is no JSON is passed on unchanged, so that it is counted as unreadable. */
export function parseLines(lines: readonly string[]): readonly unknown[] {
  return lines.map((line) => {
    try {
      return JSON.parse(line) as unknown;
    } catch {
      return undefined;
    }
  });
}
