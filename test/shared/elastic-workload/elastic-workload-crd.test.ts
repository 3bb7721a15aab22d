import { describe, expect, it } from 'vitest';
import { compileRules } from '../../../shared/admission/evaluate-rules.ts';
import { elasticKind } from '../../../shared/elastic-workload/elastic-workload.ts';
import {
  elasticColumns,
  elasticCrds,
  elasticNames,
  elasticOpenApi,
  elasticScale,
} from '../../../shared/elastic-workload/elastic-workload-crd.ts';
import {
  elasticNameRule,
  elasticRules,
  elasticTransitions,
} from '../../../shared/elastic-workload/elastic-workload-rules.ts';
import type { KindRule } from '../../../shared/kubernetes/crd-fields.ts';
import { type Schema, unbounded } from '../kubernetes/crd-bounds.ts';
import { elasticOf, plain, rejected, taken } from './elastic-cases.ts';

const { parse } = elasticKind('workload.open-cluster-management.io');
const stamps = { uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };

function rejections(rule: KindRule): (object: object) => string | undefined {
  const find = compileRules({ when: { name: 'always', expression: 'true' }, variables: [], rules: [rule] });
  return (object) => {
    const { rejection, unevaluated } = find({ object, oldObject: null });
    expect(unevaluated).toEqual([]);
    return rejection;
  };
}

const ofSpec = elasticRules('object.spec').map((rule) => ({ field: rule.field, rejectionOf: rejections(rule) }));
const nameRejection = rejections(elasticNameRule('object'));

/** "field: message" of each broken rule, in the format of an API server. */
function broken(spec: object): readonly string[] {
  return ofSpec.flatMap(({ field, rejectionOf }) => {
    const rejection = rejectionOf({ spec });
    return rejection === undefined ? [] : [`${field}: Invalid value: ${rejection}`];
  });
}

function specOf(spec: object): object | undefined {
  try {
    return parse({ ...elasticOf('web', spec), metadata: { name: 'web', namespace: 'default', ...stamps } }).spec;
  } catch {
    return undefined;
  }
}

describe('the spec of an ElasticWorkload', () => {
  it.each(taken)('is read with $description as a hub stores it, and breaks no rule', ({ spec, stored }) => {
    expect(specOf(spec)).toEqual(stored);
    expect(broken(stored)).toEqual([]);
  });

  it.each(rejected)('with $description does not parse, or breaks a rule', ({ spec, causes }) => {
    if (specOf(spec) === undefined) return;
    expect(broken(spec).toSorted()).toEqual(causes);
  });

  it('has a bound for every list and string: an API server rejects unbounded rules for their estimated cost', () => {
    const { spec } = elasticOpenApi.properties as { spec: Schema };
    expect(unbounded('spec', spec)).toEqual([]);
  });

  it('keeps every field of an inline manifest', () => {
    const { spec } = elasticOpenApi.properties as { spec: { properties: { target: { properties: object } } } };
    expect(spec.properties.target.properties).toMatchObject({
      inline: {
        'x-kubernetes-preserve-unknown-fields': true,
        properties: { metadata: { 'x-kubernetes-preserve-unknown-fields': true } },
      },
    });
    expect(specOf(plain)).toMatchObject({ target: plain.target });
  });

  it.each(['x'.repeat(63), 'web-1'])('may be called %s', (name) => {
    expect(nameRejection({ metadata: { name } })).toBeUndefined();
  });

  it.each(['x'.repeat(64), 'web.shop', '-web', 'web-'])('may not be called %s', (name) => {
    expect(nameRejection({ metadata: { name } })).toBe(
      `metadata.name is ${name}; use at most 63 lower case alphanumeric characters and hyphens, because the names of its ManifestWorks contain it`,
    );
  });
});

describe('the CustomResourceDefinitions of ElasticWorkload', () => {
  it('differ only in their group, with the same fields, rules and columns', () => {
    const kinds = elasticCrds() as readonly { metadata: object; spec: { group: string; versions: object[] } }[];
    expect(kinds.map(({ metadata }) => metadata)).toEqual([
      { name: 'elasticworkloads.workload.open-cluster-management.io' },
      { name: 'elasticworkloads.scheduling.open-cluster-management.io' },
    ]);
    expect(kinds[0]?.spec.versions).toEqual(kinds[1]?.spec.versions);
  });

  it('are of a kind in namespaces, that can be scaled', () => {
    const [crd] = elasticCrds();
    expect(crd).toMatchObject({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      spec: {
        group: 'workload.open-cluster-management.io',
        scope: 'Namespaced',
        names: elasticNames('workload.open-cluster-management.io'),
        versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {}, scale: elasticScale } }],
      },
    });
    expect(elasticScale).toEqual({
      specReplicasPath: '.spec.distributionStrategy.totalReplicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    });
  });

  it('go by short names of their own', () => {
    const names = {
      kind: 'ElasticWorkload',
      listKind: 'ElasticWorkloadList',
      plural: 'elasticworkloads',
      singular: 'elasticworkload',
      categories: ['evenkeel'],
    };
    expect(elasticNames('workload.open-cluster-management.io')).toEqual({ ...names, shortNames: ['ew'] });
    expect(elasticNames('scheduling.open-cluster-management.io')).toEqual({ ...names, shortNames: ['ews'] });
  });

  it('show the replicas and the health in kubectl, and more with -o wide', () => {
    const lines = elasticColumns.map(
      ({ name, type, jsonPath, priority = 0 }) => `${priority} ${name} ${type} ${jsonPath}`,
    );
    expect(lines).toEqual([
      '0 TOTAL integer .spec.distributionStrategy.totalReplicas',
      '0 READY integer .status.readyReplicas',
      '0 CLUSTERS integer .status.numberOfClusters',
      '0 BALANCED string .status.conditions[?(@.type=="Balanced")].status',
      '1 PLACEMENT string .spec.placementRef.name',
      '1 TYPE string .spec.distributionStrategy.type',
      '1 MESSAGE string .status.conditions[?(@.type=="Balanced")].message',
      '0 AGE date .metadata.creationTimestamp',
    ]);
    expect(elasticCrds()).toMatchObject([{ spec: { versions: [{ additionalPrinterColumns: elasticColumns }] } }, {}]);
  });

  it('have the rules in their schema, each at its field', () => {
    const [crd] = elasticCrds() as readonly { spec: { versions: { schema: { openAPIV3Schema: object } }[] } }[];
    const schema = crd?.spec.versions[0]?.schema.openAPIV3Schema as Record<string, object[]>;
    const { expression, message } = elasticNameRule('self');
    expect(schema['x-kubernetes-validations']).toEqual([
      { rule: expression, messageExpression: message, fieldPath: '.metadata.name' },
    ]);
    expect(expression).toContain('self.metadata.name');
    expect(schema.properties).toHaveProperty(
      ['spec', 'x-kubernetes-validations'],
      [...elasticRules('self'), ...elasticTransitions('self', 'oldSelf')].map((rule) => ({
        rule: rule.expression,
        messageExpression: rule.message,
        fieldPath: rule.field.replace(/^spec/, ''),
      })),
    );
  });

  it('escape `import` as an API server does, because it is a reserved word of CEL', () => {
    const rules = elasticRules('self').map(({ expression }) => expression);
    expect(rules.filter((rule) => rule.includes('import'))).toEqual([
      "(has(self.target) && has(self.target.__import__)) == (has(self.target) && has(self.target.type) && self.target.type == 'Import')",
    ]);
  });
});
