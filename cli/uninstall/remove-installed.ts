/** Removes what a plan names from a hub. Each write is conditional, and a second run continues where the first one failed. */
import { eachAtOnce } from '../../shared/core/each-at-once.ts';
import { FINALIZER } from '../../shared/elastic-workload/elastic-workload.ts';
import { releaseHeld } from '../../shared/graceful-reduction/write-releases.ts';
import { drainTaintPatch, taintedClusters } from '../../shared/karmada/drain-taint.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { unread } from '../../shared/kubernetes/resource.ts';
import { requireWritten } from '../../shared/kubernetes/retry-conflicts.ts';
import { functionAnnotations } from './hub-traces.ts';
import type { InstalledObject } from './installed-objects.ts';
import { shownObject, type UninstallPlan } from './uninstall-plan.ts';

const AT_ONCE = 8;

/** What rejects and changes the writes of others, and the rights of the functions. */
export async function removeAccess(hub: Hub, { admission, access }: UninstallPlan): Promise<void> {
  for (const object of [...admission, ...access]) await deleteObject(hub, object);
}

/** All else. `namespaces`: those that nothing else is in. */
export async function removeRest(hub: Hub, plan: UninstallPlan, namespaces: readonly InstalledObject[]): Promise<void> {
  await eachAtOnce(plan.bindings, AT_ONCE, ({ object }) => clearBinding(hub, object));
  await eachAtOnce(plan.taintedClusters, AT_ONCE, (cluster) => removeTaint(hub, cluster));
  await eachAtOnce([...plan.waves, ...plan.works], AT_ONCE, (object) => deleteObject(hub, object));
  await eachAtOnce(plan.objects, AT_ONCE, (object) => deleteObject(hub, object));
  for (const object of [...plan.definitions, ...plan.rest, ...namespaces]) await deleteObject(hub, object);
}

/** With our finalizer: no function removes it any more. */
async function deleteObject(hub: Hub, { kind, key, uid }: InstalledObject): Promise<void> {
  await requireWritten(shownObject({ kind, key }), async () => {
    const there = await hub.get(kind, key);
    if (there?.uid !== uid || there.isDeleting) return 'missing';
    if (!there.finalizers.includes(FINALIZER))
      return (await hub.delete(kind, key, { uid, resourceVersion: there.resourceVersion })).result;
    const finalizers = there.finalizers.filter((name) => name !== FINALIZER);
    const metadata = { resourceVersion: there.resourceVersion, finalizers };
    const written = await hub.patch(kind, key, { merge: { metadata } });
    if (written.result !== 'done') return written.result;
    return (await hub.delete(kind, key, { uid, resourceVersion: written.object.resourceVersion })).result;
  });
}

/** Releases what was held since the plan was read: the policy that holds is gone. */
async function clearBinding(hub: Hub, { kind, key }: InstalledObject): Promise<void> {
  await releaseHeld(hub, key, () => true);
  await requireWritten(shownObject({ kind, key }), async () => {
    const there = await hub.get(kind, key);
    const ours = functionAnnotations(there?.annotations ?? {});
    if (there === undefined || ours.length === 0) return 'missing';
    const annotations = Object.fromEntries(ours.map((name) => [name, null]));
    const merge = { metadata: { resourceVersion: there.resourceVersion, annotations } };
    return (await hub.patch(unread(kind), key, { merge })).result;
  });
}

async function removeTaint(hub: Hub, { kind, key }: InstalledObject): Promise<void> {
  await requireWritten(shownObject({ kind, key }), async () => {
    const there = await hub.get(taintedClusters, key);
    if (there === undefined) return 'missing';
    return (await hub.patch(unread(kind), key, drainTaintPatch(there, undefined))).result;
  });
}
