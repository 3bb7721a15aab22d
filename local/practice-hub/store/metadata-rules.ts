/** Validation of metadata: names, labels, annotations, finalizers, and generated names. For the store, with the API server's messages. */
import type { KindDefinition } from './kind-definition.ts';
import { badRequest, invalid, type StatusCause } from './status-error.ts';
import { isFields, prune, type StructuralSchema } from './structural-schema.ts';

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${QUALIFIED})?`;

const LABEL_MESSAGE = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`;
const SUBDOMAIN_MESSAGE = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`;
const QUALIFIED_MESSAGE = `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${QUALIFIED}')`;
const LABEL_VALUE_MESSAGE = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${LABEL_VALUE}')`;
const label = new RegExp(`^${LABEL}$`);
const subdomain = new RegExp(`^${SUBDOMAIN}$`);
const qualified = new RegExp(`^${QUALIFIED}$`);
const labelValue = new RegExp(`^${LABEL_VALUE}$`);
const ANNOTATIONS_LIMIT = 256 * 1024;

const text: StructuralSchema = { type: 'string' };
const texts: StructuralSchema = { type: 'object', additionalProperties: text };
const fields: readonly string[] = [
  'name generateName namespace uid resourceVersion selfLink creationTimestamp deletionTimestamp',
  'generation deletionGracePeriodSeconds managedFields ownerReferences finalizers labels annotations',
].flatMap((line) => line.split(' '));
const known: StructuralSchema = {
  properties: { ...Object.fromEntries(fields.map((name) => [name, {}])), labels: texts, annotations: texts },
};

/** metadata from a request, with valid types. */
export interface SubmittedMetadata {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly [field: string]: unknown;
}

/** metadata without unknown fields, whose paths are added to `unknown`. A label that is no string is rejected, as by a decoder. */
export function decodeMetadata(submitted: unknown, unknown: string[]): SubmittedMetadata {
  if (!isFields(submitted)) throw badRequest('metadata is not an object');
  const metadata = Object.fromEntries(Object.entries(submitted).filter(([, value]) => value !== null));
  for (const map of ['labels', 'annotations']) {
    const value = metadata[map];
    if (value !== undefined && !(isFields(value) && Object.values(value).every(isText))) {
      throw badRequest(`metadata.${map}: every value must be a string`);
    }
  }
  for (const name of ['name', 'generateName', 'namespace', 'uid', 'resourceVersion']) {
    if (!isText(metadata[name] ?? '')) throw badRequest(`metadata.${name} must be a string`);
  }
  const finalizers = metadata.finalizers ?? [];
  if (!Array.isArray(finalizers) || !finalizers.every(isText)) {
    throw badRequest('metadata.finalizers must be an array of strings');
  }
  return prune(metadata, known, 'metadata', unknown) as SubmittedMetadata;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function wrong(field: string, value: string, message: string): StatusCause {
  return { reason: 'FieldValueInvalid', message: `Invalid value: "${value}": ${message}`, field };
}

/** Validates a name; those of ClusterRoles are path segments, so "system:reader" is valid. */
export function nameFlaws(rule: KindDefinition['nameRule'], name: string, field: string): StatusCause[] {
  if (rule === 'path-segment') {
    if (name === '.' || name === '..') return [wrong(field, name, `may not be '${name}'`)];
    return ['/', '%'].filter((one) => name.includes(one)).map((one) => wrong(field, name, `may not contain '${one}'`));
  }
  const [pattern, description, limit] =
    rule === 'label' ? ([label, LABEL_MESSAGE, 63] as const) : ([subdomain, SUBDOMAIN_MESSAGE, 253] as const);
  const flaws = name.length > limit ? [wrong(field, name, `must be no more than ${limit} bytes`)] : [];
  return pattern.test(name) ? flaws : [...flaws, wrong(field, name, description)];
}

/** A key of labels, annotations or finalizers: an optional DNS subdomain, a slash, a name of at most 63 bytes. */
function keyFlaws(key: string, field: string): StatusCause[] {
  const [prefix, name = '', ...more] = key.includes('/') ? key.split('/') : ['', key];
  if (more.length > 0 || !qualified.test(name)) return [wrong(field, key, QUALIFIED_MESSAGE)];
  if (name.length > 63) return [wrong(field, key, 'name part must be no more than 63 bytes')];
  if (!key.includes('/')) return [];
  return subdomain.test(prefix ?? '') ? [] : [wrong(field, key, `prefix part ${SUBDOMAIN_MESSAGE}`)];
}

/** Validates labels, annotations and finalizers. */
export function metadataFlaws(metadata: SubmittedMetadata): StatusCause[] {
  const labels = Object.entries(metadata.labels ?? {});
  const annotations = Object.entries(metadata.annotations ?? {});
  const finalizers = metadata.finalizers ?? [];
  const size = annotations.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return [
    ...labels.flatMap(([key, value]) => [
      ...keyFlaws(key, 'metadata.labels'),
      ...(labelValue.test(value) ? [] : [wrong('metadata.labels', value, LABEL_VALUE_MESSAGE)]),
      ...(value.length > 63 ? [wrong('metadata.labels', value, 'must be no more than 63 bytes')] : []),
    ]),
    // Annotation keys are checked in lower case, as the API server does.
    ...annotations.flatMap(([key]) => keyFlaws(key.toLowerCase(), 'metadata.annotations')),
    ...(size > ANNOTATIONS_LIMIT
      ? [
          {
            reason: 'FieldValueTooLong',
            message: `Too long: may not be more than ${ANNOTATIONS_LIMIT} bytes`,
            field: 'metadata.annotations',
          },
        ]
      : []),
    ...finalizers.flatMap((one) => keyFlaws(one, 'metadata.finalizers')),
  ];
}

/** The alphabet of generated names in the API server, without vowels. */
const SUFFIX_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** Throws 422 if there is neither. The uid is the random source. */
export function chooseName(kind: KindDefinition, metadata: SubmittedMetadata, uid: string): string {
  const { name: given, generateName } = metadata;
  if (given) return given;
  if (!generateName) {
    const message = 'Required value: name or generateName is required';
    throw invalid(kind, '', [{ reason: 'FieldValueRequired', message, field: 'metadata.name' }]);
  }
  const digits = uid
    .replaceAll(/[^0-9a-f]/g, '')
    .slice(-10)
    .padStart(10, '0');
  const suffix = [0, 2, 4, 6, 8].map((at) => SUFFIX_ALPHABET[parseInt(digits.slice(at, at + 2), 16) % 27]).join('');
  const name = `${generateName.slice(0, 58)}${suffix}`;
  const flaws = nameFlaws(kind.nameRule, name, 'metadata.generateName');
  if (flaws.length > 0) throw invalid(kind, '', flaws);
  return name;
}
