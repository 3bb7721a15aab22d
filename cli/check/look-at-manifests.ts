/** Reads from a hub what `evenkeel hub manifests` prints for it. */
import { refusal } from '../../shared/adapters/kubernetes/refusal.ts';
import { objectsOf } from '../manifests/parts.ts';
import type { ManifestTarget } from '../manifests/target.ts';
import type { CheckedHub } from './checked-hub.ts';
import { difference } from './compare-objects.ts';
import type { Looked, PartLooked } from './judge-manifests.ts';

interface Printed {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly webhooks?: readonly object[];
}

type Part = Pick<PartLooked, 'part' | 'does' | 'needed'> & {
  readonly instead?: string;
  readonly isUsed: (target: ManifestTarget) => boolean;
};

const parts: readonly Part[] = [
  { part: 'crd', does: 'defines RebalancePolicy', needed: true, isUsed: ({ policies = false }) => policies },
  { part: 'elastic-crds', does: 'defines ElasticWorkload', needed: true, isUsed: ({ elastic = false }) => elastic },
  {
    part: 'admission-policy',
    does: 'refuses what is invalid where it is written',
    needed: false,
    instead: 'admission-webhook',
    isUsed: () => true,
  },
  {
    part: 'hold-policy',
    does: 'holds replicas until their replacement is ready',
    needed: true,
    instead: 'hold-webhook',
    isUsed: ({ reductions = false }) => reductions,
  },
  { part: 'flow-schema', does: 'keeps seats for us at the API server', needed: false, isUsed: () => true },
];

export function lookAtParts(hub: CheckedHub, target: ManifestTarget): Promise<readonly PartLooked[]> {
  const used = parts.filter(({ isUsed }) => isUsed(target));
  return Promise.all(
    used.map(async ({ part, does, needed, instead }) => ({
      ...{ part, does, needed, objects: await lookAt(hub, part, target) },
      ...(instead !== undefined && { instead: { part: instead, objects: await lookAt(hub, instead, target) } }),
    })),
  );
}

/** Whether it is there at all, as printed or not: then it is used. */
export async function isThere(hub: CheckedHub, part: string, target: ManifestTarget): Promise<boolean> {
  return (await lookAt(hub, part, target)).some(({ is }) => is === 'same' || is === 'different');
}

function lookAt(hub: CheckedHub, part: string, target: ManifestTarget): Promise<readonly Looked[]> {
  return Promise.all(objectsOf(part, target).map((object) => lookAtOne(hub, object as Printed)));
}

async function lookAtOne(hub: CheckedHub, printed: Printed): Promise<Looked> {
  const [group = '', version = ''] = printed.apiVersion.split('/');
  const plural = pluralOf(printed.kind);
  const name = `${printed.kind} ${printed.metadata.name}`;
  if (!(await hub.serves({ group, version, plural }))) return { is: 'unserved', name };
  const response = await hub.get(`/apis/${printed.apiVersion}/${plural}/${printed.metadata.name}`);
  if (response.status === 404) return { is: 'missing', name };
  if (response.status === 403) return { is: 'unreadable', name };
  if (response.status !== 200) throw refusal('the hub', response, `get ${plural}`);
  const path = difference(comparable(printed), response.body);
  return path === undefined ? { is: 'same', name } : { is: 'different', name, path };
}

/** Where a webhook calls is the hub's own affair; so is who else manages the labels. */
function comparable({ webhooks, ...printed }: Printed): object {
  const without = webhooks?.map((webhook) => ({ ...webhook, clientConfig: undefined }));
  return { ...printed, ...(without && { webhooks: without }) };
}

function pluralOf(kind: string): string {
  const word = kind.toLowerCase();
  return word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`;
}
