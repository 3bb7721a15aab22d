/** Parses a request: the verb, the kind and the object of its path, the options of its query, and its body. */
import type http from 'node:http';
import { parse } from 'yaml';
import type { KindDefinition, Subresource } from '../store/kind-definition.ts';
import { kinds } from '../store/kinds.ts';
import type { Writer } from '../store/object-versions.ts';
import type { Key } from '../store/objects.ts';
import {
  badRequest,
  invalid,
  nothingServedHere,
  StatusError,
  tooLarge,
  unsupportedMediaType,
} from '../store/status-error.ts';
import { PROTOBUF, parseProtobuf } from './protobuf-body.ts';

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** The target of a request, before its body is read. */
export interface Target {
  readonly verb: Verb;
  readonly kind: KindDefinition;
  /** The name is empty for a collection; the namespace as well for a kind without, or for all namespaces. */
  readonly key: Key;
  readonly subresource?: string;
}

export interface PracticeRequest extends Target {
  readonly query: URLSearchParams;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  readonly username: string;
}

/** The decoded parts of a path; undefined if it is not the path of a kind. */
export function targetOf(method: string, path: string, query: URLSearchParams): Target | undefined {
  const [root, ...parts] = path.split('/').slice(1).map(decodePart);
  const [group, version, ...rest] = root === 'api' ? ['', ...parts] : root === 'apis' ? parts : [];
  if (version === undefined || rest.length === 0 || rest.includes('')) return undefined;
  const served = kinds.filter((kind) => kind.group === group && kind.version === version);
  const scoped = rest[0] === 'namespaces' && rest.length >= 3;
  const [namespace, plural, name, subresource, ...more] = scoped ? rest.slice(1) : ['', ...rest];
  const kind = served.find((one) => one.plural === plural);
  const named = name !== undefined;
  if (!kind || more.length > 0 || namespace === undefined) return undefined;
  // Only the collection of a namespaced kind is served without a namespace: all namespaces at once.
  if (kind.namespaced ? !scoped && named : scoped) return undefined;
  const verb = verbOf(method, named, query);
  // An object of a namespaced kind is made in its namespace.
  if (verb === 'create' && kind.namespaced && !scoped) return undefined;
  return { verb, kind, key: { namespace, name: name ?? '' }, ...(subresource !== undefined && { subresource }) };
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw badRequest(`the path has a part that does not decode: ${part}`);
  }
}

function verbOf(method: string, named: boolean, query: URLSearchParams): Verb {
  const watching = ['true', '1'].includes(query.get('watch') ?? '');
  if (method === 'GET') return named ? 'get' : watching ? 'watch' : 'list';
  if (method === 'POST' && !named) return 'create';
  if (method === 'DELETE') return named ? 'delete' : 'deletecollection';
  if (method === 'PUT' || method === 'PATCH') {
    if (!named) throw badRequest('name must be provided');
    return method === 'PUT' ? 'update' : 'patch';
  }
  throw methodNotAllowed();
}

export function methodNotAllowed(): StatusError {
  return new StatusError(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );
}

export function subresourceOf({ kind, subresource }: Target): Subresource | undefined {
  const served = kind.subresources.find((one) => one === subresource);
  if (subresource !== undefined && served === undefined) throw nothingServedHere();
  return served;
}

const optionKinds: Partial<Record<Verb, string>> = {
  create: 'CreateOptions',
  update: 'UpdateOptions',
  patch: 'PatchOptions',
  delete: 'DeleteOptions',
};

function unsupported(verb: Verb, field: string, value: string, supported: readonly string[]): StatusError {
  const listed = supported.map((one) => JSON.stringify(one)).join(', ');
  const message = `Unsupported value: ${value}: supported values: ${listed}`;
  const names = { group: 'meta.k8s.io', kind: optionKinds[verb] ?? 'ListOptions', plural: '' };
  return invalid(names, '', [{ reason: 'FieldValueNotSupported', message, field }]);
}

const fieldValidations = ['Ignore', 'Strict', 'Warn'] as const;

/** The writer and the options of a write, from the query. Warnings are pushed to `warnings`. */
export function writerOf({ verb, query, headers, username }: PracticeRequest, warnings: string[]): Writer {
  const given = query.get('fieldValidation') || 'Warn';
  const fieldValidation = fieldValidations.find((one) => one === given);
  if (!fieldValidation) {
    throw unsupported(verb, 'fieldValidation', JSON.stringify(given), ['', ...fieldValidations]);
  }
  const manager = query.get('fieldManager') || (headers['user-agent'] ?? 'unknown').split('/')[0] || 'unknown';
  return {
    username,
    manager: manager.slice(0, 128),
    dryRun: isDryRun(verb, query.getAll('dryRun')),
    fieldValidation,
    warn: (message) => warnings.push(message),
  };
}

export function isDryRun(verb: Verb, given: readonly string[]): boolean {
  const values = given.filter((one) => one !== '');
  if (values.some((one) => one !== 'All')) throw unsupported(verb, 'dryRun', JSON.stringify(values), ['All']);
  return values.length > 0;
}

/** A whole number of the query; undefined if it is not given. */
export function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (/^-?\d+$/.test(text)) return Number(text);
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}

export function resourceVersionOf(query: URLSearchParams): string {
  const text = query.get('resourceVersion') ?? '';
  if (/^\d*$/.test(text)) return text;
  const quoted = JSON.stringify(text);
  throw badRequest(
    `invalid resource version: resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`,
  );
}

const BODY_LIMIT = 3 * 1024 * 1024;

/**
 * The whole body; 413 beyond the limit. Excess data is still read for a while, since a client that is cut off while it sends
 * would see a broken connection instead of the response.
 */
export async function readBody(request: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= BODY_LIMIT) chunks.push(chunk);
    if (size > 10 * BODY_LIMIT) break;
  }
  if (size > BODY_LIMIT) throw tooLarge(BODY_LIMIT);
  return Buffer.concat(chunks);
}

export function mediaTypeOf(headers: http.IncomingHttpHeaders): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** The body as JSON, YAML or protobuf, by its media type, by default JSON. `what` is the expected content, for the error message. */
export function parseBody(body: Buffer, mediaType: string, what: string): unknown {
  if (mediaType === PROTOBUF) return parseProtobuf(body);
  const text = body.toString('utf8');
  if (!['', 'application/json', 'application/yaml'].includes(mediaType)) {
    throw unsupportedMediaType(['application/json', 'application/yaml', PROTOBUF]);
  }
  if (text.trim() === '') throw badRequest(`${what}: the body is empty`);
  try {
    return mediaType === 'application/yaml' ? asJson(parse(text)) : JSON.parse(text);
  } catch (error) {
    throw badRequest(`${what}: ${error instanceof Error ? error.message : 'it does not parse'}`);
  }
}

/** Converts YAML values that JSON does not have (dates, NaN) to JSON. */
function asJson(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}
