import { describe, expect, it } from 'vitest';
import { applyPatch } from '../../../shared/admission/apply-patch.ts';

describe('a patch', () => {
  it('is applied step by step, to a copy', () => {
    const object = { metadata: { annotations: { 'a/b': '1', c: '2' } }, spec: {} };
    const next = applyPatch(object, [
      { op: 'remove', path: '/metadata/annotations/a~1b' },
      { op: 'add', path: '/metadata/annotations/d~0e', value: '3' },
      { op: 'add', path: '/spec/list', value: [] },
      { op: 'add', path: '/spec/list/-', value: { name: 'm1' } },
    ]);
    expect(next).toEqual({ metadata: { annotations: { c: '2', 'd~e': '3' } }, spec: { list: [{ name: 'm1' }] } });
    expect(object).toEqual({ metadata: { annotations: { 'a/b': '1', c: '2' } }, spec: {} });
  });

  it.each([
    ['remove', '/spec/absent', 'remove /spec/absent: it is not there'],
    ['remove', '/spec/constructor', 'remove /spec/constructor: it is not there'],
    ['add', '/absent/field', 'add /absent/field: nothing is there'],
    ['add', '/constructor/prototype/field', 'nothing is there'],
    ['add', '/nothing/field', 'add /nothing/field: nothing is there'],
    ['add', '/spec/list/0', 'rules only append to a list'],
    ['remove', '/spec/list/-', 'rules only append to a list'],
  ] as const)('with %s %s does not apply', (op, path, message) => {
    expect(() => applyPatch({ spec: { list: [1] }, nothing: null }, [{ op, path, value: 1 }])).toThrow(message);
  });

  it('may write again what it has added, and take it away', () => {
    const [path, op] = ['/spec/size', 'add'] as const;
    const twice = [
      { op, path, value: 1 },
      { op, path, value: 2 },
    ];
    const next = applyPatch<{ spec: { size?: number } }>({ spec: {} }, twice);
    expect(next).toEqual({ spec: { size: 2 } });
    next.spec.size = 3;
    expect(next).toEqual({ spec: { size: 3 } });
    expect(applyPatch({ spec: {} }, [...twice, { op: 'remove', path }])).toEqual({ spec: {} });
  });

  it('adds a field of any name', () => {
    const next = applyPatch({ spec: {} }, [{ op: 'add', path: '/spec/__proto__', value: { a: 1 } }]);
    expect(JSON.stringify(next)).toBe('{"spec":{"__proto__":{"a":1}}}');
  });
});
