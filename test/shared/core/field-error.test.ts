import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { fieldError } from '../../../shared/core/field-error.ts';

const schema = z.strictObject({
  name: z.string(),
  size: z.optional(z.int().check(z.minimum(1), z.maximum(5))),
  kind: z.optional(z.union([z.literal('a'), z.number()])),
  even: z.optional(z.number().check(z.refine((number) => number % 2 === 0, 'is odd'))),
});

describe('the description of an invalid object', () => {
  it.each([
    [{}, 'must be a string'],
    [{ name: 'x', nope: 1 }, 'unknown field "nope"'],
    [{ name: 'x', nope: 1, no: 2 }, 'unknown field "nope", "no"'],
    [{ name: 'x', size: 0 }, 'must be greater than or equal to 1'],
    [{ name: 'x', size: 6 }, 'must be less than or equal to 5'],
    [{ name: 'x', kind: 'b' }, 'is invalid'],
    [{ name: 'x', even: 3 }, 'is odd'],
  ])('%j: %s', (object, description) => {
    const { error } = z.safeParse(schema, object);
    expect(error?.issues.map(fieldError)).toEqual([description]);
  });
});
