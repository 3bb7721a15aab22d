/** Decides what a line of a control plane's audit log is: the text of one audit event, or nothing that can be read. */

/** A line that is no JSON stands for itself: it is counted as unreadable with the audit events that are none. */
export function parseLines(lines: readonly string[]): readonly unknown[] {
  return lines.map((line) => {
    try {
      return JSON.parse(line) as unknown;
    } catch {
      return undefined;
    }
  });
}
