/** What no single field of an ElasticWorkload says by itself, as CEL that an API server evaluates at each write. */
import type { KindRule } from '../crd-fields.ts';

interface Block {
  /** The field whose value asks for the block. */
  readonly strategy: string;
  readonly type: string;
  readonly block: string;
  /** As CEL writes the block's name: words of its own are escaped there. */
  readonly cel?: string;
  /** Left out, the type's defaults count. */
  readonly optional?: true;
}

const blocks: readonly Block[] = [
  { strategy: 'target', type: 'Inline', block: 'inline' },
  { strategy: 'target', type: 'Import', block: 'import', cel: '__import__' },
  { strategy: 'distributionStrategy', type: 'Weighted', block: 'weighted', optional: true },
  { strategy: 'balanceStrategy', type: 'LimitRange', block: 'limitRange' },
  { strategy: 'balanceStrategy', type: 'Classful', block: 'classful' },
];

/** Over the spec, which is called `spec` there: "self" in a CRD's spec, "object.spec" where a whole write is looked at. */
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

/** Without the numbers: an API server takes the text of a number for as long as can be, and refuses the rule for its cost. */
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

/** Room in the name of its ManifestWorks, where namespace and name stand between dots. `object` is what the whole is called there. */
export function elasticNameRule(object: string): KindRule {
  return {
    field: 'metadata.name',
    expression: `size(${object}.metadata.name) <= 63 && ${object}.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')`,
    message: `'metadata.name is ' + ${object}.metadata.name + '; give it a name of at most 63 lower case letters, digits and hyphens, for the names of its ManifestWorks are made of it'`,
  };
}
