/** Reads a stream of JSON objects, as `kubectl get -o json` and `jq -c` write them: one after the other, with or without lines between. */

/**
 * The objects; undefined where it is not JSON through and through, so that it is to be read as YAML, which also says in
 * which line a slip is.
 *
 * Why not YAML for all, which JSON is part of: 5,000 bindings of 1 KB take 30 ms here and many seconds there.
 */
export function jsonStream(text: string): readonly unknown[] | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  return parsed([text]) ?? parsed(objectsIn(text));
}

function parsed(texts: readonly string[] | undefined): readonly unknown[] | undefined {
  try {
    return texts?.map((text) => JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** By depth of braces outside of strings. */
function objectsIn(text: string): string[] | undefined {
  const texts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: mark, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}]/gs)) {
    if (mark === '{') depth += 1;
    if (mark !== '}') continue;
    depth -= 1;
    if (depth < 0) return undefined;
    if (depth > 0) continue;
    texts.push(text.slice(start, index + 1));
    start = index + 1;
  }
  return depth === 0 && text.slice(start).trim() === '' ? texts : undefined;
}
