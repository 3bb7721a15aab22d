/** The page docs/reference/api-reference.md: every field of every kind of Evenkeel, from the CustomResourceDefinitions. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { elasticCrds } from '../shared/elastic-workload/elastic-workload-crd.ts';
import { budgetCrd } from '../shared/move-budget/budget-crd.ts';
import { drainCrd } from '../shared/rebalance-policy/drain-crd.ts';
import { policyCrd } from '../shared/rebalance-policy/policy-crd.ts';
import type { TableFormat } from './bench-docs.ts';
import { messagesOf, type RuleSchema } from './validation-messages.ts';

export interface FieldSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly items?: FieldSchema;
  readonly additionalProperties?: FieldSchema;
  readonly 'x-kubernetes-list-type'?: string;
}

interface DocumentedKind {
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly shortNames: readonly string[] };
    readonly versions: readonly [
      {
        readonly name: string;
        readonly schema: { readonly openAPIV3Schema: FieldSchema & RuleSchema };
        readonly additionalPrinterColumns: readonly { readonly name: string; readonly description: string }[];
      },
    ];
  };
}

export interface DocumentedField {
  readonly path: string;
  readonly schema: FieldSchema;
  readonly isRequired: boolean;
}

export function definitions(): readonly DocumentedKind[] {
  return [policyCrd(), drainCrd(), budgetCrd(), ...elasticCrds()] as readonly DocumentedKind[];
}

/** All fields below a schema, parents first. */
export function fieldsOf(schema: FieldSchema, path = ''): readonly DocumentedField[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return [{ path: at, schema: field, isRequired: schema.required?.includes(name) ?? false }, ...fieldsOf(field, at)];
  });
  return [...own, ...(schema.items ? fieldsOf(schema.items, `${path}[]`) : [])];
}

/** The first object of the kind in its file of examples, with its comments. Throws an Error if there is none. */
export function exampleOf({ spec }: DocumentedKind): string {
  const { kind } = spec.names;
  const file = `examples/${kind.replaceAll(/\B[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}.yaml`;
  const documents = readFileSync(file, 'utf8').split(/^---\n/m);
  const example = documents.find((each) => (parse(each) as { readonly kind?: string } | null)?.kind === kind);
  if (example === undefined) throw new Error(`${file} has no ${kind}; add a complete example`);
  return example.trim();
}

/** "integer, 1 to 100" */
function typeOf({ type = 'any', enum: values, minimum, maximum, maxItems, items }: FieldSchema): string {
  const name = type === 'array' ? `list of ${items?.type ?? 'any'}` : type;
  const range = [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} items`]),
  ];
  return [name, ...(values ? [values.map((value) => `\`${String(value)}\``).join(' ')] : []), ...range].join(', ');
}

function section({ spec }: DocumentedKind, table: TableFormat): string {
  const [version] = spec.versions;
  const fields = fieldsOf(version.schema.openAPIV3Schema).filter(({ path }) => /^(spec|status)/.test(path));
  const rows = fields.map(({ path, schema, isRequired }) => [
    `\`${path}\`${isRequired ? ' (required)' : ''}`,
    typeOf(schema),
    schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\``,
    schema.description ?? '',
  ]);
  const messages = messagesOf(version.schema.openAPIV3Schema).map(({ path, message }) => [`\`${path}\``, message]);
  const columns = version.additionalPrinterColumns.map(({ name, description }) => [name, description]);
  return [
    `## ${spec.names.kind} (${spec.group}/${version.name})`,
    `${spec.scope}; short name \`${spec.names.shortNames.join()}\`.`,
    `\`\`\`yaml\n${exampleOf({ spec })}\n\`\`\``,
    table(['field', 'type', 'default', 'description'], rows),
    `The API server rejects an object with these messages (… is a value of the object), besides those of types and limits:`,
    table(['field', 'message'], messages),
    table(['column', 'content'], columns),
  ].join('\n\n');
}

export function apiReference(table: TableFormat): string {
  // The second group of ElasticWorkload has the same schema.
  const [policy, drain, budget, elastic] = definitions();
  const kinds = [policy, drain, budget, elastic].flatMap((each) => (each ? [section(each, table)] : []));
  return `# API reference

\`npm run docs\` generates this page from the schemas of the CustomResourceDefinitions. The examples are the first of each kind in [examples/](../../examples). Guides: [RebalancePolicy](../guides/rebalance-policy.md), [ClusterDrain](../guides/cluster-drain.md),
[MoveBudget](../guides/move-budget.md), [ElasticWorkload](../guides/elastic-workload.md). ElasticWorkload is also served, with the same schema, as scheduling.open-cluster-management.io/v1.

## Versions

Each kind has one version, which is served and stored. Fields are added to that version: an added field is optional, and objects without it behave as before. A field is removed or changed only by a new version. Both
versions are then served with the conversion strategy \`None\` if they differ only by optional fields. Otherwise a webhook converts them. The new version becomes the stored one, the
objects are written again, and the old version is served for at least two minor releases before it is removed from the definition.

${kinds.join('\n\n')}
`;
}
