/** Fields that more than one kind of ours has in its schema, and how a schema gets its descriptions. */
import * as z from 'zod/mini';

/** A schema with its description in the CRD. */
export function says<S extends z.ZodMiniType>(description: string, schema: S): S {
  z.globalRegistry.add(schema, { description });
  return schema;
}

/** Bounded, or an API server refuses the rules that read it for what they might cost. */
export function text(minimum: number, maximum: number) {
  return z.string().check(z.minLength(minimum), z.maxLength(maximum));
}

export function whole(minimum: number, maximum: number) {
  return z.int().check(z.minimum(minimum), z.maximum(maximum));
}

export const labelSelector = z.object({
  matchLabels: z.optional(z.record(z.string(), z.string())),
  matchExpressions: z.optional(
    z
      .array(
        z.object({
          key: text(1, 317),
          operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
          values: z.optional(z.array(z.string().check(z.maxLength(63))).check(z.maxLength(256))),
        }),
      )
      .check(z.maxLength(64)),
  ),
});

export const condition = z.object({
  type: z.string(),
  status: z.enum(['True', 'False', 'Unknown']),
  reason: z.string(),
  message: z.string(),
  lastTransitionTime: z.string(),
  observedGeneration: z.optional(z.int()),
});

/** What no field says by itself. */
export interface KindRule {
  readonly field: string;
  /** CEL; true where the object may be written. */
  readonly expression: string;
  /** CEL; gives the text that a person reads. */
  readonly message: string;
}
