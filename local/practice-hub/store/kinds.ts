/** The table of all kinds that the practice hub serves, from their CustomResourceDefinitions: for the store, routes, discovery and columns. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { compileRules } from '../../../shared/admission/evaluate-rules.ts';
import { elasticCrds } from '../../../shared/elastic-workload/elastic-workload-crd.ts';
import type { KindRule } from '../../../shared/kubernetes/crd-fields.ts';
import type { CrdColumn } from '../../../shared/kubernetes/crd-parts.ts';
import { budgetCrd } from '../../../shared/move-budget/budget-crd.ts';
import { drainCrd } from '../../../shared/rebalance-policy/drain-crd.ts';
import { policyCrd } from '../../../shared/rebalance-policy/policy-crd.ts';
import * as columns from '../api/printer-columns.ts';
import { bindingRules, mutatingRules, validatingRules } from './admission-objects.ts';
import {
  apiVersionOf,
  type KindDefinition,
  type KindRules,
  type ScalePlaces,
  type Subresource,
} from './kind-definition.ts';
import type { KubeObject } from './objects.ts';
import type { StatusCause } from './status-error.ts';
import { isFields, type StructuralSchema } from './structural-schema.ts';

/** A CustomResourceDefinition with one version. */
interface Definition {
  readonly spec: {
    readonly group: string;
    readonly names: Pick<KindDefinition, 'kind' | 'plural' | 'singular' | 'categories'> & {
      readonly shortNames?: readonly string[];
    };
    readonly scope: 'Namespaced' | 'Cluster';
    readonly versions: readonly [DefinitionVersion];
  };
}

interface DefinitionVersion {
  readonly name: string;
  readonly schema: { readonly openAPIV3Schema: StructuralSchema };
  readonly subresources?: { readonly status?: object; readonly scale?: ScalePlaces };
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
  readonly additionalPrinterColumns?: readonly CrdColumn[];
}

/** What a CustomResourceDefinition does not express, by plural name. */
const additions: Readonly<Record<string, Partial<KindDefinition> & { readonly description?: string }>> = {
  namespaces: {
    nameRule: 'label',
    atCreation: (object) => ({
      ...object,
      metadata: {
        ...object.metadata,
        labels: { ...object.metadata.labels, 'kubernetes.io/metadata.name': object.metadata.name },
      },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    }),
  },
  events: { columns: columns.eventColumns },
  configmaps: { columns: columns.configMapColumns },
  secrets: { columns: columns.secretColumns, decoded: decodedSecret },
  pods: { columns: columns.podColumns, atCreation: (object) => ({ ...object, status: { phase: 'Pending' } }) },
  deployments: { columns: columns.deploymentColumns },
  clusterroles: { columns: columns.createdColumns, nameRule: 'path-segment' },
  priorityclasses: { columns: columns.priorityClassColumns },
  clusters: { columns: columns.clusterColumns },
  customresourcedefinitions: { columns: columns.createdColumns },
  validatingadmissionpolicies: { rules: validatingRules },
  validatingadmissionpolicybindings: { rules: bindingRules },
  mutatingadmissionpolicies: { rules: mutatingRules },
  mutatingadmissionpolicybindings: { rules: bindingRules },
  rebalancepolicies: { description: 'Has workloads rebalanced by itself, as clusters come and go.' },
  clusterdrains: { description: 'Moves the replicas of a cluster to others, and keeps new ones away.' },
  movebudgets: { description: 'Limits how many replicas move at once, or within a time.' },
  elasticworkloads: {
    description: 'One workload, its replicas spread and balanced over the clusters of a Placement.',
  },
};

function read(file: string): readonly Definition[] {
  const list = parse(readFileSync(new URL(`../kinds/${file}.yaml`, import.meta.url), 'utf8')) as unknown;
  return (list as { readonly items: readonly Definition[] }).items;
}

/** `stringData` is write-only: its entries are stored in `data`, in base64, and replace entries of the same name. */
function decodedSecret<T extends Readonly<Record<string, unknown>>>(secret: T): T {
  const { stringData, data, type, ...rest } = secret;
  const given = isFields(stringData) ? Object.entries(stringData) : [];
  const entries = given.map(([name, value]) => [name, Buffer.from(String(value)).toString('base64')] as const);
  const merged = { ...(isFields(data) ? data : {}), ...Object.fromEntries(entries) };
  const decoded = { ...rest, ...(Object.keys(merged).length > 0 && { data: merged }), type: type || 'Opaque' };
  return decoded as unknown as T;
}

/** metadata has a validation of its own. */
function wholeObject(schema: StructuralSchema): StructuralSchema {
  return { ...schema, properties: { ...schema.properties, apiVersion: {}, kind: {}, metadata: {} } };
}

function kindFrom({ spec: { group, names, scope, versions } }: Definition, builtIn: boolean) {
  const { kind, plural, singular, shortNames = [], categories } = names;
  const [{ name: version, schema, subresources = {}, ...rest }] = versions;
  const { selectableFields = [], additionalPrinterColumns } = rest;
  const { description, ...added } = additions[plural] ?? {};
  const openApi = schema.openAPIV3Schema;
  const rules = rulesIn(openApi);
  return {
    ...{ group, version, kind, plural, singular, shortNames, builtIn },
    ...(categories && { categories }),
    namespaced: scope === 'Namespaced',
    subresources: Object.keys(subresources) as Subresource[],
    ...(subresources.scale && { scale: subresources.scale }),
    nameRule: 'subdomain' as const,
    schema: wholeObject({ ...openApi, ...(description && { description }) }),
    ...(rules.length > 0 && { rules: kindRules(rules) }),
    columns: additionalPrinterColumns ? columns.customColumns(additionalPrinterColumns) : columns.defaultColumns,
    selectableFields: selectableFields.map(({ jsonPath }) => jsonPath.slice(1)),
    ...added,
  };
}

const ours = [policyCrd(), drainCrd(), budgetCrd(), ...elasticCrds()] as readonly Definition[];
const custom = [...ours, ...read('karmada'), ...read('open-cluster-management')];

/** The CustomResourceDefinitions of a real hub: here only to be read. */
export const customDefinitions = custom as readonly unknown[] as readonly KubeObject[];

export const kinds: readonly KindDefinition[] = [
  ...read('built-in').map((one) => kindFrom(one, true)),
  ...custom.map((one) => kindFrom(one, false)),
].map((kind, i, all) => {
  const isFirst = all.findIndex(({ plural }) => plural === kind.plural) === i;
  return { ...kind, storeName: isFirst ? kind.plural : `${kind.plural}.${kind.group}` };
});

/** The kind of this object. */
export function kindOfObject(object: Pick<KubeObject, 'apiVersion' | 'kind'>): KindDefinition | undefined {
  return kinds.find((one) => one.kind === object.kind && apiVersionOf(one) === object.apiVersion);
}

const byName = new Map(kinds.map((kind) => [kind.storeName, kind]));

/** The kind with this name in the store. */
export function kindOf(storeName: string): KindDefinition | undefined {
  return byName.get(storeName);
}

/** Schema flaws after which the API server skips the rules. */
const BLOCKING = new Set(
  ['NotSupported', 'Required', 'TooLong', 'TooMany', 'TypeInvalid'].map((reason) => `FieldValue${reason}`),
);
const NOT_CHECKED: StatusCause = {
  reason: 'FieldValueInvalid',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  field: '<nil>',
};

/** The CEL rules of the whole object and of its spec; a rule that reads oldSelf is evaluated on updates only. */
function rulesIn(schema: StructuralSchema): readonly ObjectRule[] {
  return (['', '.spec'] as const).flatMap((at) => {
    const { 'x-kubernetes-validations': validations = [] } = at === '' ? schema : (schema.properties?.spec ?? {});
    const named = (text: string) =>
      text.replaceAll(/\bself\b/g, `object${at}`).replaceAll(/\boldSelf\b/g, `oldObject${at}`);
    return validations.map(({ rule, messageExpression, fieldPath }) => ({
      field: `${at}${fieldPath}`.slice(1),
      expression: named(rule),
      message: named(messageExpression),
      isTransition: rule.includes('oldSelf'),
    }));
  });
}

interface ObjectRule extends KindRule {
  readonly isTransition: boolean;
}

function kindRules(rules: readonly ObjectRule[]): KindRules {
  const when = { name: 'always', expression: 'true' };
  const compiled = rules.map((rule) => ({ ...rule, find: compileRules({ when, variables: [], rules: [rule] }) }));
  return (object, flaws, before) => {
    if (flaws.some(({ reason }) => BLOCKING.has(reason))) return [NOT_CHECKED];
    return compiled.flatMap(({ field, isTransition, find }) => {
      if (isTransition && before === undefined) return [];
      const { rejection } = find({ object, oldObject: before ?? null });
      if (rejection === undefined) return [];
      return [{ reason: 'FieldValueInvalid', message: `Invalid value: ${rejection}`, field }];
    });
  };
}
