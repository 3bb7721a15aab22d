/**
 * Reads the protobuf bodies that kubectl sends for built-in kinds (`create namespace`, `create deployment`, `auth can-i`
 * and the like) as the same objects in JSON. Other commands send JSON. A body with a field that is not in the tables
 * below is rejected: partial decoding would store a different object.
 */
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { ownValue } from '../../../shared/core/own-value.ts';
import { StatusError } from '../store/status-error.ts';
import { fieldAt } from '../store/structural-schema.ts';

export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** `count` is left out where it is 0, as Go's omitempty does; `number` never. `base64`: bytes, which JSON has as base64. `skip`: what only the server writes. */
type Scalar = 'text' | 'base64' | 'number' | 'count' | 'flag' | 'skip';
type FieldType = Scalar | { readonly list: Scalar | Message } | { readonly map: 'text' | 'base64' | Message } | Message;
/** The fields of a message by number; a type is a function to distinguish a table from a list or a map. */
type Message = () => Readonly<Record<number, readonly [name: string, type: FieldType]>>;

const texts = { map: 'text' } as const;
const list = { list: 'text' } as const;
const metadata: Message = () => ({
  1: ['name', 'text'],
  2: ['generateName', 'text'],
  3: ['namespace', 'text'],
  4: ['selfLink', 'skip'],
  5: ['uid', 'text'],
  6: ['resourceVersion', 'text'],
  7: ['generation', 'skip'],
  8: ['creationTimestamp', 'skip'],
  11: ['labels', texts],
  12: ['annotations', texts],
  14: ['finalizers', list],
});
const quantity: Message = () => ({ 1: ['', 'text'] });
const resources: Message = () => ({ 1: ['limits', { map: quantity }], 2: ['requests', { map: quantity }] });
const variable: Message = () => ({ 1: ['name', 'text'], 2: ['value', 'text'] });
const port: Message = () => ({
  1: ['name', 'text'],
  2: ['hostPort', 'count'],
  3: ['containerPort', 'number'],
  4: ['protocol', 'text'],
  5: ['hostIP', 'text'],
});
const container: Message = () => ({
  1: ['name', 'text'],
  2: ['image', 'text'],
  3: ['command', list],
  4: ['args', list],
  5: ['workingDir', 'text'],
  6: ['ports', { list: port }],
  7: ['env', { list: variable }],
  8: ['resources', resources],
  13: ['terminationMessagePath', 'text'],
  14: ['imagePullPolicy', 'text'],
  16: ['stdin', 'flag'],
  17: ['stdinOnce', 'flag'],
  18: ['tty', 'flag'],
  20: ['terminationMessagePolicy', 'text'],
});
const pod: Message = () => ({
  2: ['containers', { list: container }],
  3: ['restartPolicy', 'text'],
  6: ['dnsPolicy', 'text'],
  7: ['nodeSelector', texts],
  8: ['serviceAccountName', 'text'],
  9: ['serviceAccount', 'text'],
  10: ['nodeName', 'text'],
  11: ['hostNetwork', 'flag'],
  12: ['hostPID', 'flag'],
  13: ['hostIPC', 'flag'],
  16: ['hostname', 'text'],
  17: ['subdomain', 'text'],
  19: ['schedulerName', 'text'],
  24: ['priorityClassName', 'text'],
});
const template: Message = () => ({ 1: ['metadata', metadata], 2: ['spec', pod] });
const selector: Message = () => ({ 1: ['matchLabels', texts] });
const deployment: Message = () => ({
  1: ['replicas', 'number'],
  2: ['selector', selector],
  3: ['template', template],
  4: ['strategy', () => ({ 1: ['type', 'text'] })],
  5: ['minReadySeconds', 'count'],
  7: ['paused', 'flag'],
});
const rule: Message = () => ({
  1: ['verbs', list],
  2: ['apiGroups', list],
  3: ['resources', list],
  4: ['resourceNames', list],
  5: ['nonResourceURLs', list],
});
const resourceAttributes: Message = () => ({
  1: ['namespace', 'text'],
  2: ['verb', 'text'],
  3: ['group', 'text'],
  4: ['version', 'text'],
  5: ['resource', 'text'],
  6: ['subresource', 'text'],
  7: ['name', 'text'],
});
const nonResourceAttributes: Message = () => ({ 1: ['path', 'text'], 2: ['verb', 'text'] });
const review = (spec: Message): Message => {
  return () => ({ 1: ['metadata', metadata], 2: ['spec', spec], 3: ['status', 'skip'] });
};

const kinds: Readonly<Record<string, Message>> = {
  'v1 Namespace': () => ({
    1: ['metadata', metadata],
    2: ['spec', () => ({ 1: ['finalizers', list] })],
    3: ['status', 'skip'],
  }),
  'v1 ConfigMap': () => ({
    1: ['metadata', metadata],
    2: ['data', texts],
    3: ['binaryData', { map: 'base64' }],
    4: ['immutable', 'flag'],
  }),
  'v1 Secret': () => ({
    1: ['metadata', metadata],
    2: ['data', { map: 'base64' }],
    3: ['type', 'text'],
    4: ['stringData', texts],
    5: ['immutable', 'flag'],
  }),
  'v1 Pod': () => ({ 1: ['metadata', metadata], 2: ['spec', pod], 3: ['status', 'skip'] }),
  'apps/v1 Deployment': () => ({ 1: ['metadata', metadata], 2: ['spec', deployment], 3: ['status', 'skip'] }),
  'rbac.authorization.k8s.io/v1 ClusterRole': () => ({ 1: ['metadata', metadata], 2: ['rules', { list: rule }] }),
  'authentication.k8s.io/v1 SelfSubjectReview': () => ({ 1: ['metadata', metadata], 2: ['status', 'skip'] }),
  'authorization.k8s.io/v1 SelfSubjectAccessReview': review(() => ({
    1: ['resourceAttributes', resourceAttributes],
    2: ['nonResourceAttributes', nonResourceAttributes],
  })),
  'authorization.k8s.io/v1 SelfSubjectRulesReview': review(() => ({ 1: ['namespace', 'text'] })),
};

const typeMeta: Message = () => ({ 1: ['apiVersion', 'text'], 2: ['kind', 'text'] });
const MAGIC = Buffer.from('k8s\0');

/** The object in the envelope; 415 if its kind or a field is unknown here. */
export function parseProtobuf(body: Buffer): Readonly<Record<string, unknown>> {
  if (!body.subarray(0, MAGIC.length).equals(MAGIC)) throw unread('it does not begin as Kubernetes protobuf does');
  const envelope = wireFields(body.subarray(MAGIC.length));
  const bytesOf = (number: number) => envelope.find((one) => one.number === number)?.bytes ?? Buffer.alloc(0);
  const header = readMessage(bytesOf(1), typeMeta, 'TypeMeta');
  const name = `${String(header.apiVersion)} ${String(header.kind)}`;
  const message = ownValue(kinds, name);
  if (!message) throw unread(`${name} is read as JSON or YAML only`);
  return { ...header, ...readMessage(bytesOf(2), message, name) };
}

function unread(why: string): StatusError {
  const message = `the practice hub does not read this protobuf body: ${why}; send it as JSON or YAML (kubectl apply -f does)`;
  return new StatusError(415, 'UnsupportedMediaType', message);
}

interface WireField {
  readonly number: number;
  readonly value: number;
  readonly bytes: Buffer;
}

function wireFields(buffer: Buffer): readonly WireField[] {
  const reader = new BinaryReader(buffer);
  const fields: WireField[] = [];
  try {
    while (reader.pos < reader.len) {
      const [number, wireType] = reader.tag();
      if (wireType === WireType.Varint) {
        fields.push({ number, value: Number(reader.int64()), bytes: Buffer.alloc(0) });
      } else if (wireType === WireType.LengthDelimited) {
        fields.push({ number, value: 0, bytes: Buffer.from(reader.bytes()) });
      } else throw unread(`field ${number} is of wire type ${wireType}`);
    }
  } catch (error) {
    throw error instanceof StatusError ? error : unread('it ends too early');
  }
  return fields;
}

function readMessage(buffer: Buffer, message: Message, path: string): Record<string, unknown> {
  const fields = message();
  const result: Record<string, unknown> = {};
  for (const field of wireFields(buffer)) {
    const [name, type] = fields[field.number] ?? [];
    if (name === undefined || type === undefined) throw unread(`${path} has field number ${field.number}`);
    const at = `${path}.${name}`;
    if (typeof type === 'object' && 'list' in type) {
      const items = (result[name] ?? []) as unknown[];
      result[name] = [...items, readValue(field, type.list, at)];
    } else if (typeof type === 'object') {
      const entryType: Message = () => ({ 1: ['key', 'text'], 2: ['value', type.map] });
      const { key, value } = readMessage(field.bytes, entryType, at) as { key?: string; value?: string | object };
      // A quantity is a message around a text.
      const entry = typeof value === 'object' ? fieldAt(value, '') : (value ?? '');
      result[name] = { ...(result[name] as object | undefined), [key ?? '']: entry };
    } else {
      const value = readValue(field, type, at);
      if (!isEmpty(value, type)) result[name] = value;
    }
  }
  return result;
}

function readValue({ value, bytes }: WireField, type: Scalar | Message, path: string): unknown {
  if (typeof type === 'function') return readMessage(bytes, type, path);
  if (type === 'text') return bytes.toString('utf8');
  if (type === 'base64') return bytes.toString('base64');
  return type === 'flag' ? value !== 0 : value;
}

function isEmpty(value: unknown, type: Scalar | Message): boolean {
  if (type === 'skip') return true;
  return type !== 'number' && (value === '' || value === 0 || value === false);
}
