/** OpenAPI documents for kubectl's validation and `kubectl explain`, made from the kinds table. For the API server. */
import { apiVersionOf, type KindDefinition } from '../store/kind-definition.ts';
import { kinds } from '../store/kinds.ts';
import { groupVersions } from './discovery.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

function typed(type: string, description: string): object {
  return { type, description };
}

const texts = { type: 'object', additionalProperties: { type: 'string' } };
const objectMeta = {
  type: 'object',
  description: 'What every object has.',
  properties: {
    name: typed('string', 'Name, unique among the objects of this kind in a namespace.'),
    generateName: typed('string', 'What a generated name begins with.'),
    namespace: typed('string', 'The namespace the object is in.'),
    labels: { ...texts, description: 'Labels, for selecting.' },
    annotations: { ...texts, description: 'Annotations, for anything else.' },
    finalizers: { type: 'array', items: { type: 'string' }, description: 'The object stays until these are gone.' },
    uid: typed('string', 'Identity; set by the server.'),
    resourceVersion: typed('string', 'Version of the object; set by the server.'),
    generation: { type: 'integer', format: 'int64', description: 'Grows with every change of spec.' },
    creationTimestamp: { type: 'string', format: 'date-time', description: 'When the object was made.' },
    deletionTimestamp: { type: 'string', format: 'date-time', description: 'When its deletion began.' },
    ownerReferences: { type: 'array', items: { type: 'object' }, description: 'What the object belongs to.' },
    managedFields: { type: 'array', items: { type: 'object' }, description: 'Who changed it, and when.' },
  },
};

function schemaName({ group, version, kind }: KindDefinition): string {
  if (group === '') return `io.k8s.api.core.${version}.${kind}`;
  return `${group.includes('.') ? group.split('.').reverse().join('.') : `io.k8s.api.${group}`}.${version}.${kind}`;
}

function schemaOf(definition: KindDefinition, reference: (name: string) => string): object {
  const { group, version, kind, schema } = definition;
  return {
    ...schema,
    properties: {
      ...schema.properties,
      apiVersion: typed('string', 'Group and version of the kind.'),
      kind: typed('string', 'The kind.'),
      metadata: { description: 'Name, labels and what else every object has.', allOf: [{ $ref: reference(META) }] },
    },
    'x-kubernetes-group-version-kind': [{ group, kind, version }],
  };
}

function schemas(served: readonly KindDefinition[], reference: (name: string) => string): Record<string, object> {
  const each = served.map((kind) => [schemaName(kind), schemaOf(kind, reference)] as const);
  return Object.fromEntries([...each, [META, objectMeta]]);
}

function pathsOf(kind: KindDefinition, describe: (method: string, kind: KindDefinition) => object): [string, object][] {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${apiVersionOf(kind)}`;
  const collection = `${root}${kind.namespaced ? '/namespaces/{namespace}' : ''}/${kind.plural}`;
  const operations = (methods: readonly string[]) =>
    Object.fromEntries(methods.map((method) => [method, describe(method, kind)]));
  return [
    [collection, operations(['get', 'post'])],
    [`${collection}/{name}`, operations(['get', 'put', 'patch', 'delete'])],
  ];
}

const queries = ['dryRun', 'fieldManager', 'fieldValidation'];
/**
 * Strategic merge is omitted even where it is served: kubectl would then merge by this document, which has no merge
 * keys, instead of by the types it has built in.
 */
const patchTypes = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'];

function operation(method: string, { group, version, kind }: KindDefinition): object {
  return {
    'x-kubernetes-action': method,
    'x-kubernetes-group-version-kind': { group, version, kind },
    responses: { 200: { description: 'OK' } },
  };
}

function operationV3(method: string, kind: KindDefinition): object {
  const schema = { $ref: `#/components/schemas/${schemaName(kind)}` };
  const types = method === 'patch' ? patchTypes : ['application/json', 'application/yaml'];
  const content = Object.fromEntries(
    types.map((type) => [type, { schema: method === 'patch' ? { type: 'object' } : schema }]),
  );
  return {
    ...operation(method, kind),
    parameters: queries.map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
    ...(['post', 'put', 'patch'].includes(method) && { requestBody: { content, required: true } }),
    responses: { 200: { description: 'OK', content: { 'application/json': { schema } } } },
  };
}

function operationV2(method: string, kind: KindDefinition): object {
  return {
    ...operation(method, kind),
    ...(method === 'patch' && { consumes: patchTypes }),
    parameters: queries.map((name) => ({ name, in: 'query', type: 'string' })),
  };
}

const info = { title: 'Evenkeel practice hub', version: 'v1' };

function documentV3(served: readonly KindDefinition[]): object {
  const reference = (name: string) => `#/components/schemas/${name}`;
  return {
    openapi: '3.0.0',
    info,
    paths: Object.fromEntries(served.flatMap((kind) => pathsOf(kind, operationV3))),
    components: { schemas: schemas(served, reference) },
  };
}

/** Clients ask with an @, which is not valid in a media type; a kube-apiserver answers without, and kubectl reads only that. */
const asked = /application\/com\.github\.proto-openapi\.spec\.v2[@.]v1\.0\+protobuf/;
export const OPENAPI_V2_PROTOBUF = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

export function asksForOpenapiV2Protobuf(path: string, accept: string): boolean {
  return path === '/openapi/v2' && asked.test(accept) && !accept.includes('json');
}

/**
 * An OpenAPI v2 document without definitions, as a gnostic openapi_v2.Document: kubectl asks for it in protobuf alone
 * when it applies a `kind: List`, skips its own validation of kinds that it does not find there, and sends the objects,
 * which the server validates. Fields: 1 swagger, 2 info (1 title, 2 version), 8 paths.
 */
export function openapiV2Protobuf(): Buffer {
  const field = (number: number, content: Buffer | string) => {
    const bytes = Buffer.from(content);
    return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
  };
  return Buffer.concat([
    field(1, '2.0'),
    field(2, Buffer.concat([field(1, info.title), field(2, info.version)])),
    field(8, ''),
  ]);
}

/** The document at a path; undefined where there is none. */
export function openapi(path: string): object | undefined {
  if (path === '/openapi/v2') {
    const reference = (name: string) => `#/definitions/${name}`;
    const paths = Object.fromEntries(kinds.flatMap((kind) => pathsOf(kind, operationV2)));
    return { swagger: '2.0', info, paths, definitions: schemas(kinds, reference) };
  }
  if (path === '/openapi/v3') {
    const paths = groupVersions.map((one) => [one.path, { serverRelativeURL: `/openapi/v3/${one.path}` }] as const);
    return { paths: Object.fromEntries(paths) };
  }
  const found = groupVersions.find((one) => path === `/openapi/v3/${one.path}`);
  return found && documentV3(kinds.filter(({ group, version }) => group === found.group && version === found.version));
}
