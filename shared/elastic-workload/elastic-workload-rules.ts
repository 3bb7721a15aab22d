/** Rules over several fields of an ElasticWorkload, as CEL that an API server evaluates at each write. */
import type { KindRule } from '../kubernetes/crd-fields.ts';

interface Block {
  /** The field whose value requires the block. */
  readonly strategy: string;
  readonly type: string;
  readonly block: string;
  /** The block's name in CEL, which escapes its keywords. */
  readonly cel?: string;
  /** If omitted, the type's defaults apply. */
  readonly optional?: true;
}

const blocks: readonly Block[] = [
  { strategy: 'target', type: 'Inline', block: 'inline' },
  { strategy: 'target', type: 'Import', block: 'import', cel: '__import__' },
  { strategy: 'distributionStrategy', type: 'Weighted', block: 'weighted', optional: true },
  { strategy: 'balanceStrategy', type: 'LimitRange', block: 'limitRange' },
  { strategy: 'balanceStrategy', type: 'Classful', block: 'classful' },
];

/** Rules over the spec. `spec` is its name in CEL: "self" in a CRD's spec, "object.spec" in an admission policy. */
export function elasticRules(spec: string): readonly KindRule[] {
  return [
    ...blocks.map((block) => ownBlock(spec, block)),
    inOrder(spec, 'limitRange', ['min', 'max']),
    inOrder(spec, 'classful', ['assured', 'softLimit', 'hardLimit']),
    {
      field: 'spec.distributionStrategy.weighted.overrides',
      expression: `!has(${spec}.distributionStrategy.weighted) || !has(${spec}.distributionStrategy.weighted.overrides) || ${spec}.distributionStrategy.weighted.overrides.all(o, has(o.clusterName) != has(o.clusterSelector))`,
      message: `'spec.distributionStrategy.weighted.overrides: each names its clusters in one way; write either clusterName or clusterSelector in every one'`,
    },
  ];
}

const IMMUTABLE =
  'field is immutable; create another ElasticWorkload for the other object, and delete this one once that one is ready';

/**
 * Immutable parts: the object on the managed clusters, by group, kind, name and namespace. A change would create a different
 * workload and remove the first before the second is ready. `before` is the spec before the write.
 */
export function elasticTransitions(spec: string, before: string): readonly KindRule[] {
  const [is, was] = [identityIn(`${spec}.target`), identityIn(`${before}.target`)];
  return [
    {
      field: 'spec.spokeNamespace',
      expression: `${spec}.spokeNamespace == ${before}.spokeNamespace`,
      message: `'${IMMUTABLE}'`,
    },
    // Another rule rejects a target without the block of its type.
    { field: 'spec.target', expression: `${is} == '' || ${was} == '' || ${is} == ${was}`, message: `'${IMMUTABLE}'` },
  ];
}

/** Group, kind and name as one string; empty if the block of its type is missing. Inline and Import may name the same object. */
function identityIn(target: string): string {
  const of = (block: string, name: string) =>
    `has(${block}) ? ${block}.apiVersion.find('^[^/]*/') + ' ' + ${block}.kind + ' ' + ${block}.${name} : ''`;
  const inline = of(`${target}.inline`, 'metadata.name');
  return `(${target}.type == 'Import' ? (${of(`${target}.__import__`, 'name')}) : (${inline}))`;
}

function ownBlock(spec: string, { strategy, type, block, cel = block, optional }: Block): KindRule {
  const field = `spec.${strategy}.${block}`;
  const of = `${spec}.${strategy}`;
  const present = `has(${of}.${cel})`;
  const asked = `(has(${spec}.${strategy}) && has(${of}.type) && ${of}.type == '${type}')`;
  const missing = `'${field} is missing, and spec.${strategy}.type is ${type}; write ${block}, or another type'`;
  const extra = `'${field} goes with type ${type} alone; leave it out, or write spec.${strategy}.type: ${type}'`;
  return optional
    ? { field, expression: `!(has(${spec}.${strategy}) && ${present}) || ${asked}`, message: extra }
    : {
        field,
        expression: `(has(${spec}.${strategy}) && ${present}) == ${asked}`,
        message: `${asked} ? ${missing} : ${extra}`,
      };
}

/** The message omits the numbers: an API server estimates the string of a number at its maximum length, and rejects the rule for its cost. */
function inOrder(spec: string, block: string, names: readonly string[]): KindRule {
  const field = `spec.balanceStrategy.${block}`;
  const of = `${spec}.balanceStrategy.${block}`;
  const steps = names.slice(1).map((name, i) => `${of}.${names[i]} <= ${of}.${name}`);
  return {
    field,
    expression: `!has(${spec}.balanceStrategy) || !has(${of}) || !has(${of}.${names[0]}) || (${steps.join(' && ')})`,
    message: `'${field} is out of order; write numbers with ${names.join(' <= ')}'`,
  };
}

/** Bounds the names of ManifestWorks, which contain namespace and name separated by dots. `object` is the name of the object in CEL. */
export function elasticNameRule(object: string): KindRule {
  return {
    field: 'metadata.name',
    expression: `size(${object}.metadata.name) <= 63 && ${object}.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')`,
    message: `'metadata.name is ' + ${object}.metadata.name + '; use at most 63 lower case alphanumeric characters and hyphens, because the names of its ManifestWorks contain it'`,
  };
}
