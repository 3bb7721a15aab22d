/** How a member stands on the hub: its Cluster, which also says how it is simulated, so that one that joined is there again after a restart. */
import * as z from 'zod/mini';
import type { KubeObject, ObjectStore } from '../store/objects.ts';
import { controllerManager as by } from './actors.ts';
import type { MemberOptions } from './member-cluster.ts';

export const SIMULATED = 'practice-hub.evenkeel.dev/simulated';

const simulation = z.object({ capacity: z.number(), readyDelayMs: z.number() });

/** Makes the Cluster of a member where the hub has none yet. */
export function registerCluster(
  store: ObjectStore,
  { name, labels, provider, region, zones, ...simulated }: MemberOptions,
): KubeObject {
  const existing = store.get('clusters', { namespace: '', name });
  if (existing !== undefined) return existing;
  const annotations = { [SIMULATED]: JSON.stringify(simulated) };
  const metadata = { name, annotations, ...(labels && { labels }) };
  const spec = { syncMode: 'Push', provider, region, zones };
  return store.create('clusters', { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', metadata, spec }, by);
}

/** The members that joined before the hub's restart: what their Clusters say, but for those that it is started with. */
export function joinedMembers(store: ObjectStore, startedWith: readonly MemberOptions[]): readonly MemberOptions[] {
  const known = new Set(startedWith.map(({ name }) => name));
  return store.list('clusters').flatMap(({ metadata: { name, annotations = {} } }) => {
    const simulated = known.has(name) ? undefined : readSimulation(annotations[SIMULATED]);
    return simulated === undefined ? [] : [{ name, ...simulated }];
  });
}

/** Of a Cluster that somebody made by hand there is nothing to simulate. */
export function readSimulation(text = ''): z.output<typeof simulation> | undefined {
  try {
    return z.safeParse(simulation, JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
