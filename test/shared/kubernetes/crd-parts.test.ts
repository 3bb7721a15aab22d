/** From a schema to what an API server is given, field by field. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { elasticCrds } from '../../../shared/elastic-workload/elastic-workload-crd.ts';
import { conditions, labelSelector, text, whole } from '../../../shared/kubernetes/crd-fields.ts';
import { crdSchema, type OpenApi, openApiOf } from '../../../shared/kubernetes/crd-parts.ts';
import { drainCrd } from '../../../shared/rebalance-policy/drain-crd.ts';
import { policyCrd } from '../../../shared/rebalance-policy/policy-crd.ts';

const fieldOf = (schema: z.ZodMiniType) => openApiOf(z.object({ it: schema })).properties.it;

describe('a field of a CRD', () => {
  it('has the bounds of its schema, and none of JavaScript', () => {
    expect(fieldOf(z.int())).toEqual({ type: 'integer' });
    expect(fieldOf(whole(0, 7))).toEqual({ type: 'integer', minimum: 0, maximum: 7 });
    expect(fieldOf(text(1, 63))).toEqual({ type: 'string', minLength: 1, maxLength: 63 });
    expect(fieldOf(z.string())).toEqual({ type: 'string' });
  });

  it('that is an object is one with fields, with any, or with values of one type', () => {
    const fields = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    expect(fieldOf(z.object({ a: z.string() }))).toEqual(fields);
    expect(fieldOf(z.looseObject({ a: z.string() }))).toEqual({
      ...fields,
      'x-kubernetes-preserve-unknown-fields': true,
    });
    expect(fieldOf(z.object({}))).toEqual({ type: 'object' });
    expect(fieldOf(z.record(z.string(), z.string()))).toEqual({
      type: 'object',
      additionalProperties: { type: 'string' },
    });
    expect(fieldOf(z.strictObject({ a: z.string() }))).toEqual({ ...fields, additionalProperties: false });
  });

  it('is a label selector as Kubernetes has it, bounded', () => {
    expect(fieldOf(labelSelector)).toEqual({
      type: 'object',
      properties: {
        matchLabels: { type: 'object', additionalProperties: { type: 'string' } },
        matchExpressions: {
          type: 'array',
          maxItems: 64,
          items: {
            type: 'object',
            properties: {
              key: { type: 'string', minLength: 1, maxLength: 317 },
              operator: { type: 'string', enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'] },
              values: { type: 'array', maxItems: 256, items: { type: 'string', maxLength: 63 } },
            },
            required: ['key', 'operator'],
          },
        },
      },
    });
  });

  it('is a list of conditions as Kubernetes has it: a map by their types', () => {
    expect(fieldOf(conditions)).toEqual({
      type: 'array',
      items: {
        type: 'object',
        properties: {
          type: { type: 'string' },
          status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
          reason: { type: 'string' },
          message: { type: 'string' },
          lastTransitionTime: { type: 'string' },
          observedGeneration: { type: 'integer' },
        },
        required: ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
    });
  });
});

describe('the status of our CRDs', () => {
  const conditionsOf = (crd: object) =>
    (
      crd as {
        spec: { versions: { schema: { openAPIV3Schema: { properties: { status: OpenApi } } } }[] };
      }
    ).spec.versions.map(({ schema }) => schema.openAPIV3Schema.properties.status.properties.conditions);

  it.each([
    ['ElasticWorkload', elasticCrds()],
    ['RebalancePolicy', [policyCrd()]],
    ['ClusterDrain', [drainCrd()]],
  ])('of %s has conditions that are a map by their types', (_, crds) => {
    const found = crds.flatMap(conditionsOf);
    expect(found.length).toBeGreaterThan(0);
    for (const each of found)
      expect(each).toMatchObject({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] });
  });
});

describe('the schema of a CRD', () => {
  it('has rules over the spec and over the name, each with its field as it is named from there', () => {
    const openApi = openApiOf(z.object({ spec: z.object({ a: z.string() }), status: z.object({ b: z.string() }) }));
    const rule = (field: string) => ({ field, expression: `${field} ok`, message: `${field} is wrong` });
    const validation = (field: string, fieldPath: string) => ({
      rule: `${field} ok`,
      messageExpression: `${field} is wrong`,
      fieldPath,
    });
    expect(
      crdSchema(openApi, { ofSpec: [rule('spec.a'), rule('spec.x.spec.y')], ofName: rule('metadata.name') }),
    ).toEqual({
      type: 'object',
      required: ['spec', 'status'],
      properties: {
        apiVersion: { description: 'The group and version of the schema.', type: 'string' },
        kind: { description: 'The kind of the object.', type: 'string' },
        metadata: {
          type: 'object',
          properties: { name: { description: 'The name of the object.', type: 'string', maxLength: 253 } },
        },
        spec: {
          description: 'The desired behaviour.',
          type: 'object',
          properties: { a: { type: 'string' } },
          required: ['a'],
          'x-kubernetes-validations': [validation('spec.a', '.a'), validation('spec.x.spec.y', '.x.spec.y')],
        },
        status: {
          description: 'The observed state. Written by the functions.',
          type: 'object',
          properties: { b: { type: 'string' } },
          required: ['b'],
        },
      },
      'x-kubernetes-validations': [validation('metadata.name', '.metadata.name')],
    });
  });
});
