/** Which lines of a log a query is about. */

/** Whether the line has all fields of any of `about` with these values. */
export function isAbout(
  fields: Readonly<Record<string, unknown>>,
  about: readonly Readonly<Record<string, string>>[],
): boolean {
  return about.some((wanted) => Object.entries(wanted).every(([name, value]) => fields[name] === value));
}
