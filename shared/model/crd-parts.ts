/** What a CustomResourceDefinition of ours is made of: columns, OpenAPI from a schema, rules where they stand in it. */
import * as z from 'zod/mini';
import type { KindRule } from './crd-fields.ts';

/** A column of `kubectl get`. */
export interface CrdColumn {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'integer' | 'date';
  readonly jsonPath: string;
  /** Above 0 it is shown by `-o wide` alone. */
  readonly priority?: 0 | 1;
  readonly description: string;
}

export type OpenApi = Readonly<Record<string, unknown>> & { readonly properties: Readonly<Record<string, object>> };

/** Of a whole object but its metadata. Fields that a schema leaves open are kept, and not looked at. */
export function openApiOf(object: z.ZodMiniType): OpenApi {
  const schema = z.toJSONSchema(object, {
    io: 'input',
    target: 'openapi-3.0',
    override: ({ jsonSchema }) => {
      // JavaScript's own bounds of numbers are none.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // The API server drops an empty list of fields: kubectl would find it missing each time.
      if (Object.keys(jsonSchema.properties ?? { any: {} }).length === 0) delete jsonSchema.properties;
      const { additionalProperties: others } = jsonSchema;
      if (typeof others !== 'object' || Object.keys(others).length > 0) return;
      delete jsonSchema.additionalProperties;
      Object.assign(jsonSchema, { 'x-kubernetes-preserve-unknown-fields': true });
    },
  });
  return schema as unknown as OpenApi;
}

/** The schema of a CRD, with rules over the spec, which they call "self", and one over the name, which calls the whole so. */
export function crdSchema(
  openApi: OpenApi,
  rules: { readonly ofSpec: readonly KindRule[]; readonly ofName: KindRule },
): object {
  const { spec, ...rest } = openApi.properties;
  return {
    ...openApi,
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      // Bounded, or the API server refuses a message that holds it for what it might cost.
      metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 253 } } },
      spec: { ...spec, 'x-kubernetes-validations': rules.ofSpec.map(validationBelow('spec')) },
      ...rest,
    },
    'x-kubernetes-validations': [rules.ofName].map(validationBelow('')),
  };
}

/** A rule where it stands in a schema: at the field `root`, from which its own field is named. */
function validationBelow(root: string): (rule: KindRule) => object {
  return ({ field, expression, message }) => ({
    rule: expression,
    messageExpression: message,
    fieldPath: `.${field}`.replace(`.${root}.`, '.'),
  });
}
