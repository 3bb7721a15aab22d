/** Schema fields that several of our kinds share, and descriptions for CRD schemas. */
import * as z from 'zod/mini';
import { timestamp } from './hub-object.ts';

/** A copy of the schema with a description in the CRD: two kinds that share a schema would otherwise have the description that is registered last. */
export function describe<S extends z.ZodMiniType>(description: string, schema: S): S {
  const copy = z.clone(schema);
  z.globalRegistry.add(copy, { ...z.globalRegistry.get(schema), description });
  return copy;
}

/** An optional time, which the API server checks too. */
export function describeTime(description: string) {
  const schema = z.optional(timestamp);
  z.globalRegistry.add(schema, { description, format: 'date-time' });
  return schema;
}

/** Bounded, because an API server rejects CEL rules over unbounded strings for their estimated cost. */
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

const condition = z.object({
  type: z.string(),
  status: z.enum(['True', 'False', 'Unknown']),
  reason: z.string(),
  message: z.string(),
  lastTransitionTime: z.string(),
  observedGeneration: z.optional(z.int()),
});

export const conditions = z.optional(z.array(condition));
// As in Kubernetes' own kinds: clients that apply different conditions own different entries.
z.globalRegistry.add(conditions, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] });

/** A rule that involves several fields. */
export interface KindRule {
  readonly field: string;
  /** CEL; true if the write is allowed. */
  readonly expression: string;
  /** CEL; evaluates to the message for the user. */
  readonly message: string;
}
