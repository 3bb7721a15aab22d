/** Compares the objects that `evenkeel hub manifests` prints for a hub with those that are there. */
import { errorStatusFault } from '../../shared/kubernetes/client/error-status.ts';
import { objectsOf } from '../../shared/manifests/parts.ts';
import type { ManifestTarget } from '../../shared/manifests/target.ts';
import type { CheckedHub } from './checked-hub.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

interface PrintedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly webhooks?: readonly object[];
}

type ComparedPartOptions = Pick<ComparedPart, 'part' | 'does' | 'needed'> & {
  readonly instead?: string;
  readonly isUsed: (target: ManifestTarget) => boolean;
};

const parts: readonly ComparedPartOptions[] = [
  { part: 'crd', does: 'defines RebalancePolicy', needed: true, isUsed: ({ policies = false }) => policies },
  {
    part: 'elastic-crds',
    does: 'defines ElasticWorkload',
    needed: true,
    isUsed: ({ elasticWorkloads = false }) => elasticWorkloads,
  },
  {
    part: 'admission-policy',
    does: 'rejects invalid objects on write',
    needed: false,
    instead: 'admission-webhook',
    isUsed: () => true,
  },
  {
    part: 'hold-policy',
    does: 'holds replicas until their replacement is ready',
    needed: true,
    instead: 'hold-webhook',
    isUsed: ({ gracefulReduction = false }) => gracefulReduction,
  },
  {
    part: 'flow-schema',
    does: 'reserves concurrency shares for Evenkeel in the API server',
    needed: false,
    isUsed: () => true,
  },
];

export function compareParts(hub: CheckedHub, target: ManifestTarget): Promise<readonly ComparedPart[]> {
  const used = parts.filter(({ isUsed }) => isUsed(target));
  return Promise.all(
    used.map(async ({ part, does, needed, instead }) => ({
      ...{ part, does, needed, objects: await comparePart(hub, part, target) },
      ...(instead !== undefined && { instead: { part: instead, objects: await comparePart(hub, instead, target) } }),
    })),
  );
}

/** Whether the object exists, as printed or not: then the part is used. */
export async function isThere(hub: CheckedHub, part: string, target: ManifestTarget): Promise<boolean> {
  return (await comparePart(hub, part, target)).some(({ is }) => is === 'same' || is === 'different');
}

function comparePart(hub: CheckedHub, part: string, target: ManifestTarget): Promise<readonly ComparedObject[]> {
  return Promise.all(objectsOf(part, target).map((object) => compareObject(hub, object as PrintedObject)));
}

async function compareObject(hub: CheckedHub, printed: PrintedObject): Promise<ComparedObject> {
  const [group = '', version = ''] = printed.apiVersion.split('/');
  const plural = pluralOf(printed.kind);
  const name = `${printed.kind} ${printed.metadata.name}`;
  if (!(await hub.serves({ group, version, plural }))) return { is: 'unserved', name };
  const response = await hub.get(`/apis/${printed.apiVersion}/${plural}/${printed.metadata.name}`);
  if (response.status === 404) return { is: 'missing', name };
  if (response.status === 403) return { is: 'unreadable', name };
  if (response.status !== 200) throw errorStatusFault('the hub', response, `get ${plural}`);
  const path = difference(comparable(printed), response.body);
  return path === undefined ? { is: 'same', name } : { is: 'different', name, path };
}

/** The URL of a webhook is not compared, and labels are not: other tools, such as Helm, set their own. */
function comparable({ webhooks, metadata: { name }, ...printed }: PrintedObject): object {
  const without = webhooks?.map((webhook) => ({ ...webhook, clientConfig: undefined }));
  return { ...printed, metadata: { name }, ...(without && { webhooks: without }) };
}

function pluralOf(kind: string): string {
  const word = kind.toLowerCase();
  return word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`;
}

/** The path of the first difference: "spec.validations[0].expression"; undefined if there is none. */
export function difference(printed: unknown, there: unknown, path = ''): string | undefined {
  if (Array.isArray(printed)) {
    if (!Array.isArray(there) || there.length !== printed.length) return path;
    return first(printed.map((each, i) => difference(each, there[i], `${path}[${i}]`)));
  }
  if (typeof printed === 'object' && printed !== null) {
    if (typeof there !== 'object' || there === null) return path;
    const fields = there as Readonly<Record<string, unknown>>;
    return first(
      Object.entries(printed)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => difference(value, fields[name], path === '' ? name : `${path}.${name}`)),
    );
  }
  // Defaults that are omitted when stored: an empty text or list equals none.
  return printed === there || (printed === '' && there === undefined) ? undefined : path;
}

function first(found: readonly (string | undefined)[]): string | undefined {
  return found.find((each) => each !== undefined);
}

/** The result for one object: as printed, different at a path, or missing. */
export type ComparedObject =
  | { readonly is: 'same' | 'missing' | 'unserved' | 'unreadable'; readonly name: string }
  | { readonly is: 'different'; readonly name: string; readonly path: string };

interface ComparedPart {
  readonly part: string;
  /** The effect of the part: "rejects invalid rebalancers". */
  readonly does: string;
  /** Whether Evenkeel requires the part, or only benefits from it. */
  readonly needed: boolean;
  readonly objects: readonly ComparedObject[];
  /** The alternative part with the same effect, if there is one. */
  readonly instead?: { readonly part: string; readonly objects: readonly ComparedObject[] } | undefined;
}

export function checkPart(compared: ComparedPart, apply: (part: string) => string): Finding {
  const { part, does, needed, objects, instead } = compared;
  const all = (of: readonly ComparedObject[], ...states: readonly ComparedObject['is'][]) =>
    of.every(({ is }) => states.includes(is));
  if (all(objects, 'same')) return ok(part, `${does}; as printed`);
  if (instead !== undefined && all(instead.objects, 'same')) return ok(instead.part, `${does}; as printed`);
  const unreadable = objects.find(({ is }) => is === 'unreadable');
  if (unreadable !== undefined)
    return warn(part, `no permission to read ${unreadable.name}`, 'run this with the rights of an administrator');
  const report = needed ? fail : warn;
  if (all(objects, 'unserved')) {
    if (instead !== undefined)
      return report(part, `the hub does not serve such policies; nothing ${does}`, apply(instead.part));
    return ok(part, 'the hub has nothing of the kind; nothing to set');
  }
  const missing = objects.filter(({ is }) => is === 'missing' || is === 'unserved');
  if (missing.length === objects.length) return report(part, `not found: nothing ${does}`, apply(part));
  if (missing.length > 0) return report(part, `lacks ${missing.map(({ name }) => name).join(', ')}`, apply(part));
  const [other] = objects.flatMap((each) => (each.is === 'different' ? [each] : []));
  return warn(part, `${other?.name ?? ''} differs from what is printed, at ${other?.path ?? ''}`, apply(part));
}
