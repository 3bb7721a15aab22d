/** Decides what is stored of received events, and which hubs evaluate their policies then. */
import { PoliciesDue } from '../../shared/bus/catalogue.ts';
import type { EvenkeelEvent } from '../../shared/bus/event.ts';
import type { EventPlace, ReceivedEvent } from '../../shared/external-events/external-event.ts';
import type { InstancePlace } from '../../shared/external-events/instances.ts';
import type { HubRecord } from '../../shared/kubernetes/hub-registry.ts';

/** The instances of events whose cluster is not named, by their place. */
export function instancesToFind(
  received: readonly ReceivedEvent[],
): readonly { readonly place: InstancePlace; readonly instances: readonly string[] }[] {
  const byPlace = new Map<string, { readonly place: InstancePlace; readonly instances: Set<string> }>();
  for (const { account = '', region = '', instances = [], ...named } of received) {
    if (instances.length === 0 || isNamed(named) || account === '' || region === '') continue;
    const key = `${account}/${region}`;
    const found = byPlace.get(key) ?? { place: { account, region }, instances: new Set() };
    byPlace.set(key, found);
    for (const each of instances) found.instances.add(each);
  }
  return [...byPlace.values()].map(({ place, instances }) => ({ place, instances: [...instances] }));
}

/** One event for each cluster of its instances, and one for those without a cluster. */
export function perCluster(received: ReceivedEvent, clusters: ReadonlyMap<string, string>): readonly ReceivedEvent[] {
  const { instances = [], id } = received;
  if (instances.length === 0 || isNamed(received)) return [received];
  const names = [...new Set(instances.map((instance) => clusters.get(instance)))];
  return names.map((name) => ({
    ...received,
    id: names.length === 1 ? id : `${id}/${name ?? ''}`,
    instances: instances.filter((instance) => clusters.get(instance) === name),
    ...(name !== undefined && { eksClusters: [name] }),
  }));
}

function isNamed({ eksClusters, cluster }: EventPlace): boolean {
  return eksClusters !== undefined || cluster !== undefined;
}

/** For each hub whose policies act on events. */
export function policiesDue(hubs: readonly HubRecord[]): readonly EvenkeelEvent[] {
  const concerned = hubs.filter(({ state, features }) => state === 'Active' && features.includes('externalEvents'));
  return concerned.map(({ name }) => PoliciesDue.of({ hub: name }));
}
