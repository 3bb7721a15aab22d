/** Reads from a hub the objects that `evenkeel hub manifests` prints for it. */
import { errorStatusFault } from '../../shared/kubernetes/client/error-status.ts';
import { objectsOf } from '../../shared/manifests/parts.ts';
import type { ManifestTarget } from '../../shared/manifests/target.ts';
import type { ComparedObject, ComparedPart } from './check-manifests.ts';
import type { CheckedHub } from './checked-hub.ts';
import { difference } from './compare-objects.ts';

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

/** The URL of a webhook and labels of other managers are not compared. */
function comparable({ webhooks, ...printed }: PrintedObject): object {
  const without = webhooks?.map((webhook) => ({ ...webhook, clientConfig: undefined }));
  return { ...printed, ...(without && { webhooks: without }) };
}

function pluralOf(kind: string): string {
  const word = kind.toLowerCase();
  return word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`;
}
