/** Evaluates kubectl's JSONPath expressions with jsonpath-plus. */
import { invalidOption } from '../../shared/core/fault.ts';
import type { FindValues } from './output-template.ts';

/** Loaded on demand: no other output needs the library. */
export async function jsonPathFinder(): Promise<FindValues> {
  const { JSONPath } = await import('jsonpath-plus');
  return (given, current, root) => {
    const path = libraryPath(given);
    const json = (given.startsWith('$') ? root : current) as object;
    // Of a number or a text, the library finds nothing, not even the value itself.
    if (path === '$') return [current];
    if (typeof json !== 'object' || json === null) return [];
    const find = (ignoreEvalErrors: boolean) =>
      JSONPath({ path, json, wrap: true, eval: 'safe', ignoreEvalErrors }) as unknown[];
    try {
      return find(false);
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      // An item without the field of a filter does not match it.
      if (message.includes('Cannot read properties of')) return find(true);
      throw invalidOption(
        `-o: ${JSON.stringify(given)} is not a JSONPath expression (${message.replace(/^jsonPath: /, '')}); write one like .items[*].name`,
      );
    }
  };
}

/** "name", ".name", "@.name" → "$.name"; "a\.b" is one key; "[-1]" is the last item; "['a','b']" both fields. */
function libraryPath(given: string): string {
  const path = given
    .replace(/^[$@]/, '')
    .replaceAll(/\.((?:[\w/-]|\\\.)*\\\.(?:[\w/-]|\\\.)*)/g, (_, key: string) => `['${key.replaceAll('\\.', '.')}']`)
    .replaceAll(/\[-(\d+)\]/g, (_, place: string) => (place === '1' ? '[-1:]' : `[-${place}:-${Number(place) - 1}]`))
    .replaceAll(/\['[^'\]]+'(?:,\s*'[^'\]]+')+\]/g, (union) => union.replaceAll(/['\s]/g, ''));
  if (path === '' || path === '.') return '$';
  return /^[.[]/.test(path) ? `$${path}` : `$.${path}`;
}
