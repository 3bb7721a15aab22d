/** Creates the binding of each workload that a policy selects, updates it with both, and deletes it with the workload. */
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { amountOf, quantityMap } from '../../../shared/karmada/assignment/quantity.ts';
import { bindingKey, clusterResourceBindings, resourceBindings } from '../../../shared/karmada/binding.ts';
import { keyOf } from '../store/object-collection.ts';
import type { Key, KubeObject } from '../store/objects.ts';
import { controllerManager as by } from './actors.ts';
import { bindingPlurals, getByWorkKey, readWorkKey, specChanged, workKey } from './binding-view.ts';
import {
  closeness,
  createPolicyIndex,
  type IndexedPolicy,
  type PropagatedWorkload,
  policyPlurals,
  readPolicy,
} from './policy-index.ts';
import type { EventText, Recorder } from './record-event.ts';
import type { Controller, ControllerContext } from './work-loop.ts';

/** Kinds that can be propagated. Those with replicas have a pod template. */
export const workloadKinds = [
  { plural: 'deployments', apiVersion: 'apps/v1', kind: 'Deployment' },
  { plural: 'clusterroles', apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' },
] as const;
export const workloadPlurals: readonly string[] = workloadKinds.map(({ plural }) => plural);

export function createDetector({ store, loop, recorder }: ControllerContext & { recorder: Recorder }): Controller {
  const policies = createPolicyIndex(store);
  const queue = loop.queue(reconcile);
  /** Keys of workloads whose spec changed: their bindings are written, at least for the resourceVersion. */
  const edited = new Set<string>();
  /** Keys of workloads that were created or edited, or whose binding was deleted: a Lazy policy takes effect only on these. */
  const activated = new Set<string>();

  function reconcile(key: string): void {
    const isEdited = edited.delete(key);
    const isActivated = activated.delete(key);
    const workload = readWorkload(key, getByWorkKey(store, key));
    const object = getByWorkKey(store, key);
    const at = bindingOf(workload);
    const existing = store.get(at.plural, at.key);
    const isItsOwn = (existing?.spec?.resource as { uid?: string } | undefined)?.uid === object?.metadata.uid;
    // A recreated workload is a different object, so its binding is recreated too.
    if (existing !== undefined && !isItsOwn) store.delete(at.plural, at.key, by);
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) return;
    const policy = policies.policyOf(workload);
    // Without a policy, propagated objects stay.
    if (policy === undefined) return;
    if (policy.spec.activationPreference === 'Lazy' && !isActivated) return;
    const spec = bindingSpec(workload, object, policy);
    if (existing === undefined || !isItsOwn) create(at, { workload, object, policy, spec });
    else if (!update(at, existing, isEdited ? spec : { ...spec, resource: sameVersion(existing, spec.resource) }))
      return;
    recorder.record({ ...workload, uid: object.metadata.uid }, applied(policy), by);
  }

  function create(at: BindingAddress, { workload, object, policy, spec }: MatchedPolicy): void {
    const names = policy.plural === 'propagationpolicies' ? 'propagationpolicy' : 'clusterpropagationpolicy';
    const annotations = {
      [`${names}.karmada.io/name`]: policy.key.name,
      ...(policy.key.namespace !== '' && { [`${names}.karmada.io/namespace`]: policy.key.namespace }),
    };
    const { apiVersion, kind, name } = workload;
    const owner = { apiVersion, kind, name, uid: object.metadata.uid, controller: true, blockOwnerDeletion: true };
    const namespace = at.key.namespace === '' ? undefined : at.key.namespace;
    const metadata = { name: at.key.name, namespace, annotations, ownerReferences: [owner] };
    const type = namespace === undefined ? clusterResourceBindings : resourceBindings;
    const header = { apiVersion: `${type.group}/${type.version}`, kind: type.kind };
    store.create(at.plural, { ...header, metadata, spec }, by);
  }

  /** Writes only the detector's own fields, by a JSON patch, since a merge patch would merge the old placement with the new. Returns whether anything changed. */
  function update(at: BindingAddress, existing: KubeObject, spec: SpecFields): boolean {
    const before = existing.spec ?? {};
    const wanted: SpecFields = { ...spec, suspension: suspensionNext(before.suspension, spec.suspension) };
    const body = FIELDS.flatMap((field) => {
      const value = wanted[field];
      if (isDeepStrictEqual(before[field], value)) return [];
      const path = `/spec/${field}`;
      return value === undefined ? [{ op: 'remove', path }] : [{ op: 'add', path, value }];
    });
    if (body.length > 0) store.patch(at.plural, at.key, { type: 'json', body }, by);
    return body.length > 0;
  }

  /** Reconciles the workloads that the old or the new version of the policy selects. */
  function reselect(plural: string, object: KubeObject): void {
    const policy = readPolicy(plural, object);
    if (policy === undefined) return;
    for (const kind of workloadKinds) {
      if (!policy.spec.resourceSelectors.some((one) => one.kind === kind.kind)) continue;
      for (const candidate of candidates(policy, kind.plural)) {
        const key = workKey(kind.plural, keyOf(candidate));
        if (closeness(policy, readWorkload(key, candidate)) > 0) queue.add(key);
      }
    }
  }

  function candidates({ key, spec }: IndexedPolicy, plural: string): readonly KubeObject[] {
    const named = spec.resourceSelectors.every(({ name }) => name !== '') && key.namespace !== '';
    if (!named) return store.list(plural, key.namespace || undefined);
    return spec.resourceSelectors.flatMap(({ name }) => store.get(plural, { namespace: key.namespace, name }) ?? []);
  }

  return {
    onChange(change) {
      const { plural, object, previous } = change;
      if (workloadPlurals.includes(plural)) {
        const relabelled = !isDeepStrictEqual(object.metadata.labels, previous?.metadata.labels);
        const key = workKey(plural, keyOf(object));
        if (change.type === 'MODIFIED' && specChanged(change)) edited.add(key);
        if (specChanged(change) || relabelled) {
          activated.add(key);
          queue.add(key);
        }
      } else if (policyPlurals.includes(plural)) {
        policies.forget();
        reselect(plural, object);
        if (previous !== undefined) reselect(plural, previous);
      } else if (change.type === 'DELETED' && bindingPlurals.includes(plural)) {
        const { kind, namespace = '', name = '' } = (object.spec?.resource ?? {}) as Partial<Record<string, string>>;
        const owner = workloadKinds.find((one) => one.kind === kind);
        if (owner === undefined) return;
        const key = workKey(owner.plural, { namespace, name });
        activated.add(key);
        queue.add(key);
      }
    },
  };
}

interface BindingAddress {
  readonly plural: string;
  readonly key: Key;
}

interface MatchedPolicy {
  readonly workload: PropagatedWorkload;
  readonly object: KubeObject;
  readonly policy: IndexedPolicy;
  readonly spec: SpecFields;
}

type SpecFields = Readonly<Record<string, unknown>>;

const FIELDS = ['resource', 'replicas', 'replicaRequirements', 'placement', 'schedulerName', 'suspension'] as const;

/** Ignores the resourceVersion in the binding: a status of the workload is no reason for a write. */
function sameVersion({ spec }: KubeObject, resource: unknown): unknown {
  const { resourceVersion } = (spec?.resource ?? {}) as SpecFields;
  return { ...(resource as SpecFields), resourceVersion };
}

/** Copies the policy's suspension of dispatching and removes other fields; suspension of scheduling belongs to the binding. */
function suspensionNext(before: unknown, policys: unknown): unknown {
  const { scheduling } = (before ?? {}) as SpecFields;
  if (policys === undefined && scheduling === undefined) return undefined;
  return { ...(policys as SpecFields | undefined), ...(scheduling !== undefined && { scheduling }) };
}

function applied({ plural, key: { namespace, name } }: IndexedPolicy): EventText {
  const which = plural === 'propagationpolicies' ? `policy(${namespace}/${name})` : `cluster policy(${name})`;
  return { type: 'Normal', reason: 'ApplyPolicySucceed', message: `Apply ${which} succeed` };
}

function readWorkload(key: string, object: KubeObject | undefined): PropagatedWorkload {
  const { plural, key: at } = readWorkKey(key);
  const { apiVersion = '', kind = '' } = workloadKinds.find((one) => one.plural === plural) ?? {};
  return { ...at, apiVersion, kind, labels: object?.metadata.labels ?? {} };
}

function bindingOf(workload: PropagatedWorkload): BindingAddress {
  const plural = workload.namespace === '' ? 'clusterresourcebindings' : 'resourcebindings';
  return { plural, key: bindingKey(workload) };
}

function bindingSpec(workload: PropagatedWorkload, object: KubeObject, policy: IndexedPolicy): SpecFields {
  const { apiVersion, kind, namespace, name } = workload;
  const { uid, resourceVersion } = object.metadata;
  const hasReplicas = kind === 'Deployment';
  const requirements = hasReplicas ? requirementsOf(object) : undefined;
  return {
    resource: { apiVersion, kind, ...(namespace !== '' && { namespace }), name, uid, resourceVersion },
    ...(hasReplicas && { replicas: Number(object.spec?.replicas ?? 1) }),
    ...(requirements && { replicaRequirements: requirements }),
    placement: policy.spec.placement,
    schedulerName: policy.spec.schedulerName,
    ...(policy.spec.suspension != null && { suspension: policy.spec.suspension }),
  };
}

const template = z.object({
  template: z.object({
    spec: z.object({
      containers: z._default(
        z.array(z.object({ resources: z.nullish(z.object({ requests: z.nullish(quantityMap) })) })),
        [],
      ),
    }),
  }),
});

/** The request of one replica: the sum over its containers. Absent without requests. */
export function requirementsOf(
  object: Pick<KubeObject, 'spec'>,
): { resourceRequest: Record<string, string> } | undefined {
  const parsed = z.safeParse(template, object.spec);
  const containers = parsed.data?.template.spec.containers ?? [];
  const requests = containers.map(({ resources }) => resources?.requests).filter((request) => request != null);
  if (requests.length === 0) return undefined;
  const [only, ...more] = requests;
  if (only !== undefined && more.length === 0) return { resourceRequest: only };
  const names = [...new Set(requests.flatMap((request) => Object.keys(request)))].sort();
  const sum = (name: string): number => requests.reduce((total, request) => total + amountOf(name, request), 0);
  return {
    resourceRequest: Object.fromEntries(names.map((name) => [name, `${sum(name)}${name === 'cpu' ? 'm' : ''}`])),
  };
}
