/** The objects on a hub that belong to Evenkeel, by their labels, and the kinds that they are of. */
import * as z from 'zod/mini';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { objectMeta, parseObject } from '../../shared/kubernetes/hub-object.ts';
import { listIfServed } from '../../shared/kubernetes/list-all.ts';
import type { ObjectKey } from '../../shared/kubernetes/object-key.ts';
import type { Resource } from '../../shared/kubernetes/resource.ts';

type KindOfHub = Pick<Resource<unknown>, 'group' | 'version' | 'kind' | 'plural' | 'namespaced'>;

/** The metadata of an object, with its kind. */
export interface InstalledObject {
  readonly kind: Resource<InstalledObject>;
  readonly key: ObjectKey;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly isDeleting: boolean;
  readonly annotations: Readonly<Record<string, string>>;
  readonly finalizers: readonly string[];
}

const schema = z.object({ metadata: z.extend(objectMeta, { finalizers: z._default(z.array(z.string()), []) }) });

/** Metadata is always readable, also of an object whose spec is invalid: none is missed. */
export function metadataOf({ group, version, kind, plural, namespaced }: KindOfHub): Resource<InstalledObject> {
  const resource: Resource<InstalledObject> = {
    ...{ group, version, kind, plural, namespaced, pageSize: 500, metadataOnly: true },
    parse: (object) => {
      const { namespace, name, ...metadata } = parseObject(schema, object, kind).metadata;
      const { uid, resourceVersion, deletionTimestamp, annotations, finalizers } = metadata;
      const isDeleting = deletionTimestamp !== undefined;
      return {
        ...{ kind: resource, key: { namespace, name } },
        uid,
        resourceVersion,
        isDeleting,
        annotations,
        finalizers,
      };
    },
  };
  return resource;
}

function clusterScoped(group: string, version: string, kinds: Readonly<Record<string, string>>): readonly KindOfHub[] {
  return Object.entries(kinds).map(([kind, plural]) => ({ group, version, kind, plural, namespaced: false }));
}

const ADMISSION = 'admissionregistration.k8s.io';
const RBAC = 'rbac.authorization.k8s.io';

/** The kinds that `evenkeel hub manifests` prints, in the order of their removal. */
export const installedKinds = {
  /** First: from then on no write of another client is rejected, changed or reviewed. Each binding before its policy. */
  admission: [
    ...clusterScoped(ADMISSION, 'v1beta1', {
      MutatingAdmissionPolicyBinding: 'mutatingadmissionpolicybindings',
      MutatingAdmissionPolicy: 'mutatingadmissionpolicies',
    }),
    ...clusterScoped(ADMISSION, 'v1', {
      ValidatingAdmissionPolicyBinding: 'validatingadmissionpolicybindings',
      ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
      MutatingWebhookConfiguration: 'mutatingwebhookconfigurations',
      ValidatingWebhookConfiguration: 'validatingwebhookconfigurations',
    }),
  ],
  /** Then: from then on the functions and the bridge can't write, so that what is removed after it stays removed. */
  access: [
    ...clusterScoped(RBAC, 'v1', { ClusterRoleBinding: 'clusterrolebindings' }),
    { group: RBAC, version: 'v1', kind: 'RoleBinding', plural: 'rolebindings', namespaced: true },
  ],
  definitions: clusterScoped('apiextensions.k8s.io', 'v1', { CustomResourceDefinition: 'customresourcedefinitions' }),
  rest: [
    ...clusterScoped(RBAC, 'v1', { ClusterRole: 'clusterroles' }),
    { group: RBAC, version: 'v1', kind: 'Role', plural: 'roles', namespaced: true },
    ...clusterScoped('flowcontrol.apiserver.k8s.io', 'v1', {
      FlowSchema: 'flowschemas',
      PriorityLevelConfiguration: 'prioritylevelconfigurations',
    }),
    { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true },
    { group: '', version: 'v1', kind: 'ServiceAccount', plural: 'serviceaccounts', namespaced: true },
  ],
  namespaces: clusterScoped('', 'v1', { Namespace: 'namespaces' }),
} as const satisfies Readonly<Record<string, readonly KindOfHub[]>>;

/** The labels of all manifests. */
const OURS = 'app.kubernetes.io/part-of=evenkeel,app.kubernetes.io/name=evenkeel';

export async function listInstalled(hub: Hub, kinds: readonly KindOfHub[]): Promise<readonly InstalledObject[]> {
  return listRemaining(hub, kinds.map(metadataOf), OURS);
}

/** Without those that are being deleted. */
export async function listRemaining(
  hub: Hub,
  kinds: readonly Resource<InstalledObject>[],
  labelSelector?: string,
): Promise<readonly InstalledObject[]> {
  const options = labelSelector === undefined ? {} : { labelSelector };
  const lists = kinds.map((kind) => listIfServed(hub, kind, ({ uid }) => uid, options));
  return (await Promise.all(lists)).flat().filter(({ isDeleting }) => !isDeleting);
}

const definition = z.object({
  spec: z.object({
    group: z.string(),
    scope: z.string(),
    names: z.object({ kind: z.string(), plural: z.string() }),
    versions: z.array(z.object({ name: z.string(), storage: z.boolean() })),
  }),
});

const definitions: Resource<Resource<InstalledObject>> = {
  ...{ group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' },
  ...{ plural: 'customresourcedefinitions', namespaced: false, pageSize: 50 },
  parse: (object) => {
    const { group, scope, names, versions } = parseObject(definition, object, 'CustomResourceDefinition').spec;
    const version = versions.find(({ storage }) => storage)?.name ?? 'v1';
    return metadataOf({ group, version, ...names, namespaced: scope === 'Namespaced' });
  },
};

/** The kinds that our CustomResourceDefinitions on the hub define. */
export function listOwnKinds(hub: Hub): Promise<readonly Resource<InstalledObject>[]> {
  return listIfServed(hub, definitions, ({ group, plural }) => `${plural}.${group}`, { labelSelector: OURS });
}
