/** Applies the steps that rules make of a write, as strictly as an API server: a step that does not fit throws. */
import type { PatchStep } from './evaluate-rules.ts';

export function applyPatch<T>(object: T, steps: readonly PatchStep[]): T {
  const next = structuredClone(object);
  for (const step of steps) applyStep(next, step);
  return next;
}

function applyStep(object: unknown, { op, path, value }: PatchStep): void {
  const names = path.split('/').slice(1).map(unescaped);
  const last = names.pop() ?? '';
  const parent = names.reduce(fieldOf, object);
  if (Array.isArray(parent)) {
    if (op !== 'add' || last !== '-') throw new Error(`${op} ${path}: rules only append to a list`);
    parent.push(structuredClone(value));
    return;
  }
  if (typeof parent !== 'object' || parent === null) throw new Error(`${op} ${path}: nothing is there`);
  const fields = parent as Record<string, unknown>;
  if (op === 'remove' && !Object.hasOwn(fields, last)) throw new Error(`remove ${path}: it is not there`);
  if (op === 'remove') delete fields[last];
  // Not an assignment, to which the name __proto__ means something else.
  else
    Object.defineProperty(fields, last, {
      value: structuredClone(value),
      configurable: true,
      enumerable: true,
      writable: true,
    });
}

function fieldOf(at: unknown, name: string): unknown {
  return typeof at === 'object' && at !== null && Object.hasOwn(at, name)
    ? (at as Record<string, unknown>)[name]
    : undefined;
}

/** A name in a JSON pointer (RFC 6901). */
function unescaped(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}
