/** Parts of a CustomResourceDefinition: columns, OpenAPI from a schema, validation rules. */
import * as z from 'zod/mini';
import { described } from './crd-descriptions.ts';
import type { KindRule } from './crd-fields.ts';
import type { Resource } from './resource.ts';

/** A column of `kubectl get`. */
export interface CrdColumn {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'integer' | 'date';
  readonly jsonPath: string;
  /** Above 0 only `-o wide` shows it. */
  readonly priority?: 0 | 1;
  readonly description: string;
}

export type OpenApi = Readonly<Record<string, unknown>> & { readonly properties: Readonly<Record<string, object>> };

/** OpenAPI of a whole object without its metadata. Fields that a schema leaves open are preserved without validation. */
export function openApiOf(object: z.ZodMiniType): OpenApi {
  const schema = z.toJSONSchema(object, {
    io: 'input',
    target: 'openapi-3.0',
    override: ({ jsonSchema }) => {
      // JavaScript's safe-integer bounds are not limits of the API.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // The API server drops an empty list of fields: kubectl would report a difference on every diff.
      if (Object.keys(jsonSchema.properties ?? { any: {} }).length === 0) delete jsonSchema.properties;
      const { additionalProperties: others } = jsonSchema;
      if (typeof others !== 'object' || Object.keys(others).length > 0) return;
      delete jsonSchema.additionalProperties;
      Object.assign(jsonSchema, { 'x-kubernetes-preserve-unknown-fields': true });
    },
  });
  return schema as unknown as OpenApi;
}

/** The schema of a CRD, with rules over the spec and one over the name. `self` is the spec in the former and the whole object in the latter. */
export function crdSchema(
  openApi: OpenApi,
  rules: { readonly ofSpec: readonly KindRule[]; readonly ofName: KindRule },
): object {
  const { spec, ...rest } = openApi.properties;
  return described({
    ...openApi,
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      // Bounded, because the API server rejects a message that contains it for its estimated cost.
      metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 253 } } },
      spec: { ...spec, 'x-kubernetes-validations': rules.ofSpec.map(validationBelow('spec')) },
      ...rest,
    },
    'x-kubernetes-validations': [rules.ofName].map(validationBelow('')),
  });
}

/** A rule at the field `root` of a schema; its fieldPath is relative to that field. */
function validationBelow(root: string): (rule: KindRule) => object {
  return ({ field, expression, message }) => ({
    rule: expression,
    messageExpression: message,
    fieldPath: `.${field}`.replace(`.${root}.`, '.'),
  });
}

type CrdKind = Pick<Resource<unknown>, 'group' | 'version' | 'kind' | 'plural'>;

export function crdNames({ kind, plural }: CrdKind, shortName: string) {
  return {
    ...{ kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
    shortNames: [shortName],
    categories: ['evenkeel'],
  } as const;
}

/** The definition of a cluster-scoped kind with one version and a status. */
export function clusterCrd(
  { group, version: name, plural }: CrdKind,
  {
    schema,
    names,
    columns,
  }: { readonly schema: object; readonly names: object; readonly columns: readonly CrdColumn[] },
): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names,
      scope: 'Cluster',
      versions: [
        {
          ...{ name, served: true, storage: true },
          schema: { openAPIV3Schema: schema },
          subresources: { status: {} },
          additionalPrinterColumns: columns,
        },
      ],
    },
  };
}
