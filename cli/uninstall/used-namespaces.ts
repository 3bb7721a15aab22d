/** Which namespaces of the manifests can be deleted: those with nothing of another owner in them. */
import * as z from 'zod/mini';
import { errorStatusFault } from '../../shared/kubernetes/client/error-status.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { listIfServed } from '../../shared/kubernetes/list-all.ts';
import type { CheckedHub } from '../check/checked-hub.ts';
import { type InstalledObject, metadataOf } from './installed-objects.ts';
import { shownObject } from './uninstall-plan.ts';

export interface KeptNamespace {
  readonly namespace: InstalledObject;
  readonly reason: string;
}

export interface NamespaceDecision {
  readonly removed: readonly InstalledObject[];
  readonly kept: readonly KeptNamespace[];
}

/** `ours`: the objects that are removed before. */
export async function decideNamespaces(
  { hub, discovery }: { readonly hub: Hub; readonly discovery: Pick<CheckedHub, 'get'> },
  namespaces: readonly InstalledObject[],
  ours: readonly InstalledObject[],
): Promise<NamespaceDecision> {
  const uids = new Set(ours.map(({ uid }) => uid));
  const kinds = namespaces.length === 0 ? [] : await listedKinds(discovery);
  const kept: KeptNamespace[] = [];
  const removed: InstalledObject[] = [];
  for (const namespace of namespaces) {
    const { name } = namespace.key;
    const lists = kinds.map((kind) => listIfServed(hub, kind, ({ uid }) => uid, { namespace: name }));
    const others = (await Promise.all(lists)).flat().filter((each) => !uids.has(each.uid) && !isOfNamespace(each));
    const [first, ...more] = others;
    if (isOfSystem(name)) kept.push({ namespace, reason: 'it belongs to the hub' });
    else if (first === undefined) removed.push(namespace);
    else
      kept.push({
        namespace,
        reason: `it has ${shownObject(first)}${more.length > 0 ? ` and ${more.length} more` : ''}`,
      });
  }
  return { removed, kept };
}

function isOfSystem(name: string): boolean {
  return name === 'default' || /^(kube|karmada|open-cluster-management)(-|$)/.test(name);
}

/** What the control plane puts into each namespace, Events, and the Lease of the bridge. */
function isOfNamespace({ kind, key }: InstalledObject): boolean {
  const { kind: word } = kind;
  if (word === 'Event') return true;
  if (word === 'ServiceAccount') return key.name === 'default';
  if (word === 'ConfigMap') return key.name === 'kube-root-ca.crt' || key.name === 'openshift-service-ca.crt';
  return word === 'Lease' && key.name === 'evenkeel-bridge';
}

const groups = z.object({ groups: z.array(z.object({ preferredVersion: z.object({ groupVersion: z.string() }) })) });
const resources = z.object({
  resources: z.nullish(
    z.array(z.object({ name: z.string(), kind: z.string(), namespaced: z.boolean(), verbs: z.array(z.string()) })),
  ),
});

/** The namespaced kinds of the hub that have a list. */
async function listedKinds({ get }: Pick<CheckedHub, 'get'>): Promise<readonly ReturnType<typeof metadataOf>[]> {
  const read = async (path: string) => {
    const response = await get(path);
    if (response.status !== 200) throw errorStatusFault('the hub', response, `get ${path}`);
    return response.body;
  };
  const versions = z.parse(groups, await read('/apis')).groups.map((each) => each.preferredVersion.groupVersion);
  const lists = ['v1', ...versions].map(async (groupVersion) => {
    const [version = '', group = ''] = groupVersion.split('/').reverse();
    const { resources: all } = z.parse(resources, await read(group === '' ? '/api/v1' : `/apis/${groupVersion}`));
    return (all ?? [])
      .filter(({ namespaced, verbs }) => namespaced && verbs.includes('list'))
      .map(({ name, kind, namespaced }) => metadataOf({ group, version, kind, plural: name, namespaced }));
  });
  return (await Promise.all(lists)).flat();
}
