/** Parses hub objects: the fields that all kinds share, and one format for parse errors. */
import * as z from 'zod/mini';
import { Fault } from '../core/fault.ts';
import { fromTimestamp, type Instant } from '../core/time.ts';

/** A Kubernetes timestamp, read into an instant. */
export const timestamp = z.pipe(
  z.string().check(z.refine((text) => fromTimestamp(text) !== undefined, 'is not an RFC 3339 time')),
  z.transform((text): Instant => fromTimestamp(text) ?? Number.NaN),
);

/** An entry of metadata.managedFields. */
export const managedField = z.object({
  manager: z.optional(z.string()),
  operation: z.optional(z.string()),
  subresource: z.optional(z.string()),
  time: z.optional(timestamp),
});

/** The part of ObjectMeta that decisions read. */
export const objectMeta = z.object({
  name: z.string().check(z.minLength(1)),
  namespace: z._default(z.string(), ''),
  uid: z.string().check(z.minLength(1)),
  resourceVersion: z.string(),
  generation: z._default(z.number(), 1),
  creationTimestamp: timestamp,
  deletionTimestamp: z.optional(timestamp),
  annotations: z._default(z.record(z.string(), z.string()), {}),
  managedFields: z._default(z.array(managedField), []),
});

/** The fields of an ObjectReference as the API server sends them. */
export const referenceFields = {
  apiVersion: z.string(),
  kind: z.string(),
  namespace: z._default(z.string(), ''),
  name: z.string(),
};

/** Parses with `schema`, or throws a terminal Fault that names the object, the field and what is wrong with it. */
export function parseObject<S extends z.ZodMiniType>(schema: S, object: unknown, kind: string): z.output<S> {
  const parsed = z.safeParse(schema, object);
  if (parsed.success) return parsed.data;
  const meta = z.safeParse(z.object({ metadata: z.object({ name: z.string() }) }), object);
  const issues = parsed.error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.') || 'the object'}: ${issue.message}`);
  throw new Fault(
    'terminal',
    `${kind} ${meta.success ? meta.data.metadata.name : '(no name)'} cannot be read: ${issues.join('; ')}`,
    {
      reason: 'UnreadableObject',
      cause: parsed.error,
    },
  );
}
