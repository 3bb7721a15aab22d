/** Equality of JSON values. */

/** Whether two JSON values say the same, whatever the order of their fields; a field that is undefined is none. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a, inOrder) === JSON.stringify(b, inOrder);
}

/** The value without what says nothing: nulls, and empty texts, lists and objects. Programs written in Go leave these out when they write. */
export function withoutEmpties(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpties);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).map(([name, each]) => [name, withoutEmpties(each)] as const);
  return Object.fromEntries(kept.filter(([, each]) => !isEmpty(each)));
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Fields by name; lists as they are. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
