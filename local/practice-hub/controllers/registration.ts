/** The Cluster of a member. It also stores the simulation's options, so that the member exists again after a restart. */
import * as z from 'zod/mini';
import type { KubeObject, ObjectStore } from '../store/objects.ts';
import { controllerManager as by } from './actors.ts';
import type { MemberOptions } from './member-cluster.ts';

export const SIMULATED = 'practice-hub.evenkeel.dev/simulated';

const simulation = z.object({ capacity: z.number(), readyDelayMs: z.number() });

/** Creates the Cluster of a member if the hub has none. */
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

/** The members that joined before the hub's restart, from their Clusters, except for those of the options. */
export function joinedMembers(store: ObjectStore, startedWith: readonly MemberOptions[]): readonly MemberOptions[] {
  const known = new Set(startedWith.map(({ name }) => name));
  return store.list('clusters').flatMap(({ metadata: { name, annotations = {} } }) => {
    const simulated = known.has(name) ? undefined : readSimulation(annotations[SIMULATED]);
    return simulated === undefined ? [] : [{ name, ...simulated }];
  });
}

/** A Cluster that a user created is not simulated. */
export function readSimulation(text = ''): z.output<typeof simulation> | undefined {
  try {
    return z.safeParse(simulation, JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
