import { describe, expect, it } from 'vitest';
import { compileRules } from '../../../../shared/model/admission/evaluate-rules.ts';
import type { KindRule } from '../../../../shared/model/crd-fields.ts';
import { elasticKind } from '../../../../shared/model/elastic-workload/elastic-workload.ts';
import {
  elasticColumns,
  elasticCrds,
  elasticNames,
  elasticOpenApi,
  elasticScale,
} from '../../../../shared/model/elastic-workload/elastic-workload-crd.ts';
import { elasticNameRule, elasticRules } from '../../../../shared/model/elastic-workload/elastic-workload-rules.ts';
import { type Schema, unbounded } from '../crd-bounds.ts';
import { elasticOf, plain, refused, taken } from './elastic-cases.ts';

const { parse } = elasticKind('workload.open-cluster-management.io');
const stamps = { uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };

function refusals(rule: KindRule): (object: object) => string | undefined {
  const find = compileRules({ when: { name: 'always', expression: 'true' }, variables: [], rules: [rule] });
  return (object) => {
    const { refusal, unevaluated } = find({ object, oldObject: null });
    expect(unevaluated).toEqual([]);
    return refusal;
  };
}

const ofSpec = elasticRules('object.spec').map((rule) => ({ field: rule.field, refusalOf: refusals(rule) }));
const nameRefusal = refusals(elasticNameRule('object'));

/** "field: message" of each that is broken, as an API server says it. */
function broken(spec: object): readonly string[] {
  return ofSpec.flatMap(({ field, refusalOf }) => {
    const refusal = refusalOf({ spec });
    return refusal === undefined ? [] : [`${field}: Invalid value: ${refusal}`];
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
  it.each(taken)('is read with $says as a hub stores it, and breaks no rule', ({ spec, stored }) => {
    expect(specOf(spec)).toEqual(stored);
    expect(broken(stored)).toEqual([]);
  });

  it.each(refused)('with $says does not parse, or breaks a rule', ({ spec, causes }) => {
    if (specOf(spec) === undefined) return;
    expect(broken(spec).toSorted()).toEqual(causes);
  });

  it('has a bound for every list and text, or an API server refuses the rules for what they might cost', () => {
    const { spec } = elasticOpenApi.properties as { spec: Schema };
    expect(unbounded('spec', spec)).toEqual([]);
  });

  it('keeps every field of an inline manifest, and drops none by its schema', () => {
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
    expect(nameRefusal({ metadata: { name } })).toBeUndefined();
  });

  it.each(['x'.repeat(64), 'web.shop', '-web', 'web-'])('may not be called %s', (name) => {
    expect(nameRefusal({ metadata: { name } })).toBe(
      `metadata.name is ${name}; give it a name of at most 63 lower case letters, digits and hyphens, for the names of its ManifestWorks are made of it`,
    );
  });
});

describe('the CustomResourceDefinitions of ElasticWorkload', () => {
  it('are one a group, with the same fields, rules and columns', () => {
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

  it('have kubectl show how many there are and whether all is well, and more where it is asked for', () => {
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
      elasticRules('self').map((rule) => ({
        rule: rule.expression,
        messageExpression: rule.message,
        fieldPath: rule.field.replace(/^spec/, ''),
      })),
    );
  });

  it('name `import` as an API server does, for it is a word of CEL', () => {
    const rules = elasticRules('self').map(({ expression }) => expression);
    expect(rules.filter((rule) => rule.includes('import'))).toEqual([
      "(has(self.target) && has(self.target.__import__)) == (has(self.target) && has(self.target.type) && self.target.type == 'Import')",
    ]);
  });
});
