/** The definition of an operation on a deployment: one table for the API, its OpenAPI file, the command line and the page. */
import * as z from 'zod/mini';

/**
 * `query`: only reads. `command`: writes, with a separate permission. `practice`: acts on the practice hub's
 * clusters, which only a local run has.
 */
export type OperationKind = 'query' | 'command' | 'practice';

export interface Operation<I extends z.ZodMiniType = z.ZodMiniType, O extends z.ZodMiniType = z.ZodMiniType> {
  readonly kind: OperationKind;
  /** Below the API's root; a part in braces is a field of the input: "/hubs/{hub}/tasks". */
  readonly path: `/${string}`;
  /** What it does, in a sentence. */
  readonly description: string;
  /** A flat object. For a query, fields that are not in the path are in the query; otherwise they are the JSON body. */
  readonly input: I;
  readonly output: O;
}

export function query<I extends z.ZodMiniType, O extends z.ZodMiniType>(
  operation: Omit<Operation<I, O>, 'kind'>,
): Operation<I, O> & { readonly kind: 'query' } {
  return { kind: 'query', ...operation };
}

export function command<I extends z.ZodMiniType, O extends z.ZodMiniType>(
  operation: Omit<Operation<I, O>, 'kind'>,
): Operation<I, O> & { readonly kind: 'command' } {
  return { kind: 'command', ...operation };
}

export function practice<I extends z.ZodMiniType, O extends z.ZodMiniType>(
  operation: Omit<Operation<I, O>, 'kind'>,
): Operation<I, O> & { readonly kind: 'practice' } {
  return { kind: 'practice', ...operation };
}

/** A number or its text in a query: "100". */
export function wholeNumber(least: number, most: number) {
  return z.pipe(
    z.union([z.number(), z.string().check(z.regex(/^\d{1,9}$/, 'is not a whole number'))]),
    z.pipe(z.transform(Number), z.int().check(z.gte(least), z.lte(most))),
  );
}

export function methodOf({ kind }: Pick<Operation, 'kind'>): 'GET' | 'POST' {
  return kind === 'query' ? 'GET' : 'POST';
}
