import { describe, expect, it } from 'vitest';
import { patchesAsMaps } from '../../local/practice-hub/store/json-patch-literals.ts';

describe('a literal of the type JSONPatch', () => {
  it.each([
    ['JSONPatch{op: "remove", path: "/a"}', '{"op": dyn( "remove"), "path": dyn( "/a")}'],
    [
      `[JSONPatch { op: "add", path: "/a/" + x, value: {"b": [1, 2], "c": f(3, 4)} }]`,
      `[ { "op": dyn( "add"), "path": dyn( "/a/" + x), "value": dyn( {"b": [1, 2], "c": f(3, 4)} )}]`,
    ],
    [
      `JSONPatch{op: "add", path: "/a", value: t ? "1" : "2"}`,
      `{"op": dyn( "add"), "path": dyn( "/a"), "value": dyn( t ? "1" : "2")}`,
    ],
    [
      `JSONPatch{op: "add", path: "/a", value: [JSONPatch{op: "test", path: "/b"}]}`,
      `{"op": dyn( "add"), "path": dyn( "/a"), "value": dyn( [{"op": dyn( "test"), "path": dyn( "/b")}])}`,
    ],
  ])('%s is a map', (expression, map) => {
    expect(patchesAsMaps(expression)).toBe(map);
  });

  it.each([
    `"JSONPatch{op: 1, path: 2}"`,
    `'it\\'s JSONPatch{op: 1}'`,
    `r'\\' + "JSONPatch{op: 1}"`,
    `"""a "quoted" JSONPatch{op: 1}"""`,
    `{"op": 1, "path": [2, {"a": 3}]}`,
    '',
  ])('is not replaced in %s', (expression) => {
    expect(patchesAsMaps(expression)).toBe(expression);
  });
});
