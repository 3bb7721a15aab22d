/** Expressions as an API server evaluates them: the least that the rules here need of it. */
import { describe, expect, it } from 'vitest';
import type { PatchDialect } from '../../../shared/admission/admission-rules.ts';
import { compileMutation, compileRules, flawOf } from '../../../shared/admission/evaluate-rules.ts';

const always = { name: 'always', expression: 'true' };

/** What an expression comes to, of one object. */
function valueOf(expression: string, object: unknown = null, oldObject: unknown = null): unknown {
  const patches = ({ add }: PatchDialect) => `[${add("'/'", expression)}]`;
  const steps = compileMutation({ when: always, variables: [], patches })({ object, oldObject });
  return steps?.[0]?.value;
}

describe('an expression', () => {
  it.each<[string, unknown, unknown]>([
    ['object.list.sum()', { list: [1, 2, 4] }, 7],
    ['object.list.sum()', { list: [] }, 0],
    ["object.list.indexOf('b')", { list: ['a', 'b'] }, 1],
    ["object.list.indexOf('c')", { list: ['a', 'b'] }, -1],
    ["object.text.find('[0-9]+')", { text: 'a12b3' }, '12'],
    ["object.text.find('[0-9]+')", { text: 'ab' }, ''],
    ["object.text.find('^.$')", { text: '😀' }, '😀'],
    ["object.text.replace('a', 'x')", { text: 'banana' }, 'bxnxnx'],
    ['object.size / 2', { size: 5 }, 2],
    ['object.size', { size: 1.5 }, 1.5],
    ['object.__import__', { import: 'a word of CEL' }, 'a word of CEL'],
    ['object.constructor', { constructor: 'x' }, 'x'],
    [
      'object',
      { list: [1, { a: null, b: true }], text: '', none: {} },
      { list: [1, { a: null, b: true }], text: '', none: {} },
    ],
    ["{'a': dyn([1, 2]), 'b': dyn('c')}", null, { a: [1, 2], b: 'c' }],
    ['oldObject == null', {}, true],
  ])('%s of %j is %j', (expression, object, value) => {
    expect(valueOf(expression, object)).toEqual(value);
  });

  it('sees what was there before', () => {
    expect(valueOf('object.size - oldObject.size', { size: 5 }, { size: 3 })).toBe(2);
  });

  it('reports what is wrong with it at compile time', () => {
    expect(flawOf('object.list.sum() == 1 && request.userInfo.username in variables.names')).toBeUndefined();
    expect(flawOf('oldObject.spec.size')).toBeUndefined();
    expect(flawOf('objct.spec')).toContain('objct');
    expect(flawOf('1 +')).toBeTypeOf('string');
  });
});

describe('a mutation', () => {
  const patches = ({ add, remove }: PatchDialect) => `[${add("'/a'", 'object.a + variables.more')}, ${remove("'/b'")}]`;
  const more = { name: 'more', expression: 'object.more' };

  it('gives the steps of a patch', () => {
    const steps = compileMutation({ when: always, variables: [more], patches });
    expect(steps({ object: { a: 1, more: 2 }, oldObject: null })).toEqual([
      { op: 'add', path: '/a', value: 3 },
      { op: 'remove', path: '/b' },
    ]);
  });

  it('has no step for a write that it is not about', () => {
    const when = { name: 'is-new', expression: 'oldObject == null' };
    const steps = compileMutation({ when, variables: [more], patches });
    expect(steps({ object: {}, oldObject: {} })).toEqual([]);
  });

  it('returns no steps if it cannot be evaluated', () => {
    const steps = compileMutation({ when: always, variables: [more], patches });
    expect(steps({ object: { a: 1 }, oldObject: null })).toBeUndefined();
  });
});

describe('rules', () => {
  const rules = [
    { field: 'spec.absent', expression: 'variables.broken', message: `'never reported'` },
    { field: 'spec.size', expression: 'object.spec.size < 3', message: `'spec.size is ' + string(object.spec.size)` },
    { field: 'spec.size', expression: 'object.spec.size < 5', message: `'spec.size is 5 or more'` },
  ];
  const variables = [{ name: 'broken', expression: 'object.spec.absent > 0' }];
  const evaluate = compileRules({ when: always, variables, rules });
  const ofSize = (size: number) => ({ object: { spec: { size } }, oldObject: null });

  it('that cannot be evaluated are passed over, and the others still hold: the first that is broken speaks', () => {
    expect(evaluate(ofSize(7))).toEqual({ rejection: 'spec.size is 7', unevaluated: ['spec.absent'] });
    expect(evaluate(ofSize(2))).toEqual({ unevaluated: ['spec.absent'] });
  });

  it('reject a value that is neither true nor false', () => {
    const odd = compileRules({
      when: always,
      variables: [],
      rules: [{ ...rules[0], expression: '1' } as (typeof rules)[0]],
    });
    expect(odd(ofSize(1))).toEqual({ rejection: 'never reported', unevaluated: [] });
  });

  it('are asked nothing of a write that they are not about', () => {
    const when = { name: 'is-new', expression: 'oldObject == null' };
    expect(compileRules({ when, variables, rules })({ ...ofSize(7), oldObject: {} })).toEqual({ unevaluated: [] });
  });

  it('are evaluated if their match condition cannot be evaluated', () => {
    const when = { name: 'broken', expression: 'object.spec.absent' };
    expect(compileRules({ when, variables, rules })(ofSize(7)).rejection).toBe('spec.size is 7');
  });

  it('may ask for variables before theirs', () => {
    const two = [
      { name: 'one', expression: 'object.spec.size' },
      { name: 'twice', expression: 'variables.one * 2' },
    ];
    const rule = { field: 'spec.size', expression: 'variables.twice + variables.twice == 12', message: `'no'` };
    expect(compileRules({ when: always, variables: two, rules: [rule] })(ofSize(3))).toEqual({ unevaluated: [] });
  });
});
