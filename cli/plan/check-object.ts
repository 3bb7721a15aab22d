/** Reports what is wrong with an object from a file: the field, the value and the remedy. */
import { Fault } from '../../shared/core/fault.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import { knownStrategy, unsupportedField } from '../../shared/karmada/assignment/placement.ts';
import { type Quantities, quantityMilli } from '../../shared/karmada/assignment/quantity.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';

export interface Wrong {
  readonly path: readonly PropertyKey[];
  /** Without the field: "-3 is not …; write …". */
  readonly what: string;
}

/** An issue of the schema's checks; which fields are set depends on the code. */
export interface Issue {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly expected?: string;
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly origin?: string;
}

/** What a schema found wrong with the object; undefined if the fault is not from a schema. */
export function schemaWrong(thrown: unknown, object: unknown): Wrong | undefined {
  const issue = schemaIssues(thrown)?.[0];
  return issue && issueWrong(issue, object);
}

/** Undefined if the fault is not from a schema. */
export function schemaIssues(thrown: unknown): readonly Issue[] | undefined {
  return thrown instanceof Fault ? (thrown.cause as { issues?: readonly Issue[] } | undefined)?.issues : undefined;
}

export function issueWrong({ path, code, message, expected }: Issue, object: unknown): Wrong {
  const value = valueAt(object, path);
  if (value === undefined) return { path, what: `is missing; write ${kindOf(expected)} there` };
  if (code === 'invalid_type') return { path, what: `${show(value)} is not ${kindOf(expected)}; write one there` };
  if (code === 'custom') return { path, what: `${show(value)} ${message}; write one like 2026-11-21T10:00:00Z` };
  return {
    path,
    what: `${show(value)} is not what this field takes; write it as the hub has it (kubectl get -o yaml)`,
  };
}

/** Values that parse but that a hub's own validation would reject. */
export function bindingWrong({ metadata, spec }: PlacedBinding): Wrong | undefined {
  if (metadata.name === '') return { path: ['metadata', 'name'], what: 'is empty; write the name of the binding' };
  if (!isCount(spec.replicas)) return { path: ['spec', 'replicas'], what: notCount(spec.replicas) };
  const at = spec.clusters.findIndex(({ replicas }) => !isCount(replicas));
  const odd = spec.clusters[at];
  if (odd !== undefined) return { path: ['spec', 'clusters', at, 'replicas'], what: notCount(odd.replicas) };
  const twice = spec.clusters.findIndex(({ name }, i) => spec.clusters.findIndex((one) => one.name === name) < i);
  const repeated = spec.clusters[twice];
  if (repeated !== undefined)
    return { path: ['spec', 'clusters', twice, 'name'], what: `${show(repeated.name)} is there twice; leave one out` };
  const request = quantitiesWrong(spec.replicaRequirements?.resourceRequest);
  if (request) return { path: ['spec', 'replicaRequirements', 'resourceRequest', ...request.path], what: request.what };
  return strategyWrong(spec.placement ?? {});
}

export function clusterWrong({ resourceSummary = {} }: Cluster): Wrong | undefined {
  for (const list of ['allocatable', 'allocated', 'allocating'] as const) {
    const found = quantitiesWrong(resourceSummary[list]);
    if (found) return { path: ['status', 'resourceSummary', list, ...found.path], what: found.what };
  }
  return undefined;
}

function strategyWrong(placement: NonNullable<PlacedBinding['spec']['placement']>): Wrong | undefined {
  const unsupported = knownStrategy(placement) === undefined ? unsupportedField(placement) : undefined;
  return unsupported && { path: unsupported.field.split('.'), what: unsupported.detail };
}

function quantitiesWrong(quantities: Quantities | null | undefined): Wrong | undefined {
  const [resource, text] = Object.entries(quantities ?? {}).find(([, each]) => quantityMilli(each) === undefined) ?? [];
  if (resource === undefined) return undefined;
  return { path: [resource], what: `${show(text)} is no quantity; write one like 500m, 2 or 4Gi` };
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function notCount(value: number): string {
  return `${value} is not a whole number from 0; write one there`;
}

export function valueAt(object: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], object);
}

function kindOf(expected: string | undefined): string {
  if (expected === 'string') return 'a text';
  if (expected === 'array') return 'a list';
  if (expected === undefined) return 'it';
  return `${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}`;
}

export function show(value: unknown): string {
  return JSON.stringify(value).slice(0, 60);
}
