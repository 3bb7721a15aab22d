/** Equality of JSON values. */

/** Whether two JSON values are equal, regardless of the order of fields; an undefined field counts as absent. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a, inOrder) === JSON.stringify(b, inOrder);
}

/** The value without nulls and empty strings, lists and objects. Go programs omit these when they write. */
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

/** Sorts fields by name; lists keep their order. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
