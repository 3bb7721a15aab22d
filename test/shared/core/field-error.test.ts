import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { whatIsWrong } from '../../../shared/core/field-error.ts';

const schema = z.strictObject({
  name: z.string(),
  size: z.optional(z.int().check(z.minimum(1), z.maximum(5))),
  kind: z.optional(z.union([z.literal('a'), z.number()])),
  even: z.optional(z.number().check(z.refine((number) => number % 2 === 0, 'is odd'))),
});

describe('the description of an invalid object', () => {
  it.each([
    [{}, 'is missing, or is no string'],
    [{ name: 'x', nope: 1 }, 'there is no field nope'],
    [{ name: 'x', nope: 1, no: 2 }, 'there is no field nope, no'],
    [{ name: 'x', size: 0 }, 'has fewer than 1, or is less'],
    [{ name: 'x', size: 6 }, 'has more than 5, or is more'],
    [{ name: 'x', kind: 'b' }, 'is not as it has to be'],
    [{ name: 'x', even: 3 }, 'is odd'],
  ])('%j: %s', (object, description) => {
    const { error } = z.safeParse(schema, object);
    expect(error?.issues.map(whatIsWrong)).toEqual([description]);
  });
});
