/** Reads a stream of JSON objects, as `kubectl get -o json` and `jq -c` write them: with or without line breaks between. */

/**
 * The objects; undefined if the text is not valid JSON. It is then parsed as YAML, which also reports the line of a syntax
 * error.
 *
 * JSON is not parsed as YAML: 5,000 bindings of 1 KB take 30 ms here and many seconds there.
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

/** Tracks the depth of braces outside of strings. */
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
