import { describe, expect, it } from 'vitest';
import { compileRules } from '../../../../shared/model/admission/evaluate-rules.ts';
import type { KindRule } from '../../../../shared/model/crd-fields.ts';
import { elasticKind } from '../../../../shared/model/elastic-workload/elastic-workload.ts';
import { elasticCrds, elasticOpenApi } from '../../../../shared/model/elastic-workload/elastic-workload-crd.ts';
import { elasticNameRule, elasticRules } from '../../../../shared/model/elastic-workload/elastic-workload-rules.ts';
import { type Schema, unbounded } from '../crd-bounds.ts';
import { elasticOf, plain, refused, taken } from './elastic-cases.ts';

const { parse } = elasticKind('workload.open-cluster-management.io');
const stamps = { uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };

function refusalOf(rule: KindRule, object: object): string | undefined {
  const find = compileRules({ when: { name: 'always', expression: 'true' }, variables: [], rules: [rule] });
  const { refusal, unevaluated } = find({ object, oldObject: null });
  expect(unevaluated).toEqual([]);
  return refusal;
}

/** "field: message" of each that is broken, as an API server says it. */
function broken(spec: object): readonly string[] {
  return elasticRules('object.spec').flatMap((rule) => {
    const refusal = refusalOf(rule, { spec });
    return refusal === undefined ? [] : [`${rule.field}: Invalid value: ${refusal}`];
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
    expect(refusalOf(elasticNameRule('object'), { metadata: { name } })).toBeUndefined();
  });

  it.each(['x'.repeat(64), 'web.shop', '-web', 'web-'])('may not be called %s', (name) => {
    expect(refusalOf(elasticNameRule('object'), { metadata: { name } })).toBe(
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

  it('name `import` as an API server does, for it is a word of CEL', () => {
    const rules = elasticRules('self').map(({ expression }) => expression);
    expect(rules.filter((rule) => rule.includes('import'))).toEqual([
      "(has(self.target) && has(self.target.__import__)) == (has(self.target) && has(self.target.type) && self.target.type == 'Import')",
    ]);
  });
});
