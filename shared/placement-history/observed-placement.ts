/** A binding as its history reads it: with the time of its last write, and the client that wrote its assignment. */
import * as z from 'zod/mini';
import type { Instant } from '../core/time.ts';
import { clusterResourceBindings, resourceBindings } from '../karmada/binding.ts';
import { type PlacedBinding, parsePlacedBinding } from '../karmada/placed-binding.ts';
import { managedField, parseObject, timestamp } from '../kubernetes/hub-object.ts';
import type { ObjectKey } from '../kubernetes/object-key.ts';
import type { Resource } from '../kubernetes/resource.ts';

export interface ObservedPlacement {
  readonly binding: PlacedBinding;
  readonly createdAt?: Instant;
  /** The hub's time of the last write of any field; absent if the hub keeps no managedFields. */
  readonly changedAt?: Instant;
  /** The field manager that last changed spec.clusters, for example "karmada-scheduler". */
  readonly assignedBy?: string;
}

const schema = z.object({
  metadata: z.object({
    creationTimestamp: z.optional(timestamp),
    managedFields: z._default(
      z.array(z.extend(managedField, { fieldsV1: z.optional(z.record(z.string(), z.unknown())) })),
      [],
    ),
  }),
});

type ManagedFields = z.output<typeof schema>['metadata']['managedFields'];

export function parseObservedPlacement(object: unknown): ObservedPlacement {
  const binding = parsePlacedBinding(object);
  const { creationTimestamp, managedFields } = parseObject(schema, object, 'binding').metadata;
  const times = managedFields.flatMap(({ time }) => time ?? []);
  const assignedBy = managerOfClusters(managedFields);
  return {
    binding,
    ...(creationTimestamp !== undefined && { createdAt: creationTimestamp }),
    ...(times.length > 0 && { changedAt: Math.max(...times) }),
    ...(assignedBy !== undefined && { assignedBy }),
  };
}

/** Several own the field if one applied it and another wrote the same: the later one counts. */
function managerOfClusters(fields: ManagedFields): string | undefined {
  const owners = fields.filter(
    ({ subresource, fieldsV1 }) =>
      subresource === undefined && Object.keys(fieldsOf(fieldsV1?.['f:spec'])).includes('f:clusters'),
  );
  return owners.toSorted((a, b) => (b.time ?? 0) - (a.time ?? 0))[0]?.manager;
}

function fieldsOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

const observedBindings: Resource<ObservedPlacement> = { ...resourceBindings, parse: parseObservedPlacement };
const observedClusterBindings: Resource<ObservedPlacement> = {
  ...clusterResourceBindings,
  parse: parseObservedPlacement,
};

export function observedKind({ namespace }: Pick<ObjectKey, 'namespace'>): Resource<ObservedPlacement> {
  return namespace === '' ? observedClusterBindings : observedBindings;
}
