/** Updates the PlacementDecisions of every Placement when clusters join, leave or are tainted. */
import { isDeepStrictEqual } from 'node:util';
import { keyOf } from '../../store/object-collection.ts';
import type { Key, KubeObject } from '../../store/objects.ts';
import { placementController as by } from '../actors.ts';
import { getByWorkKey, readWorkKey, specChanged, workKey } from '../binding-view.ts';
import type { Controller, ControllerContext } from '../work-loop.ts';
import { readManagedCluster } from './managed-cluster.ts';
import {
  clustersIn,
  PLACEMENT_LABEL,
  type PlacementResult,
  SLICE,
  sliceFor,
  sliceNames,
  statusAfter,
} from './placement-status.ts';
import { isInSet, readPlacement, selectClusters } from './select-clusters.ts';

const DECISIONS = 'placementdecisions';
const OF_CLUSTERS = ['managedclusters', 'managedclustersets', 'managedclustersetbindings'];

export function createPlacement({ store, loop, now }: ControllerContext): Controller {
  const queue = loop.queue(decide);

  function decide(text: string): void {
    const { key } = readWorkKey(text);
    const placement = getByWorkKey(store, text);
    // Its decisions are garbage-collected.
    if (placement === undefined || placement.metadata.deletionTimestamp !== undefined) return;
    const slices = slicesOf(key);
    const bound = boundSets(placement);
    const { clusterSets } = readPlacement(placement);
    const sets = bound.filter(({ metadata }) => clusterSets.length === 0 || clusterSets.includes(metadata.name));
    const clusters = store
      .list('managedclusters')
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(readManagedCluster)
      .filter((cluster) => cluster.accepted && sets.some((set) => isInSet(set, cluster)));
    const present = new Set(slices.flatMap(clustersIn));
    const selected = selectClusters(readPlacement(placement), { clusters, present, now: now() });
    writeSlices(placement, slices, selected.names);
    report(placement, {
      ...selected,
      candidates: clusters.length,
      bound: bound.length,
      wanted: clusterSets,
      sets: sets.map(({ metadata }) => metadata.name),
    });
    if (selected.until !== undefined) queue.addAfter(text, selected.until - now());
  }

  function slicesOf({ namespace, name }: Key): readonly KubeObject[] {
    return store.list(DECISIONS, namespace).filter(({ metadata }) => metadata.labels?.[PLACEMENT_LABEL] === name);
  }

  function boundSets({ metadata: { namespace } }: KubeObject): readonly KubeObject[] {
    return store.list('managedclustersetbindings', namespace).flatMap(({ spec }) => {
      return store.get('managedclustersets', { namespace: '', name: String(spec?.clusterSet) }) ?? [];
    });
  }

  function writeSlices(placement: KubeObject, before: readonly KubeObject[], names: readonly string[]): void {
    const wanted = sliceNames(placement.metadata.name, names.length);
    for (const [i, name] of wanted.entries()) {
      const key = { namespace: placement.metadata.namespace ?? '', name };
      const decisions = names.slice(i * SLICE, (i + 1) * SLICE).map((clusterName) => ({ clusterName, reason: '' }));
      const slice = store.get(DECISIONS, key) ?? store.create(DECISIONS, sliceFor(placement, key), by);
      if (isDeepStrictEqual(slice.status?.decisions, decisions)) continue;
      store.patch(DECISIONS, key, { type: 'merge', body: { status: { decisions } }, subresource: 'status' }, by);
    }
    for (const { metadata } of before) {
      const key = { namespace: metadata.namespace ?? '', name: metadata.name };
      if (!wanted.includes(key.name)) store.delete(DECISIONS, key, by);
    }
  }

  function report(placement: KubeObject, decided: PlacementResult): void {
    const status = statusAfter(placement, decided, now());
    if (isDeepStrictEqual(placement.status, status)) return;
    store.patch('placements', keyOf(placement), { type: 'merge', body: { status }, subresource: 'status' }, by);
  }

  return {
    onChange(change) {
      const { plural, object, previous } = change;
      if (plural === 'placements' && specChanged(change)) queue.add(textOf(keyOf(object)));
      if (plural === DECISIONS) {
        const name = object.metadata.labels?.[PLACEMENT_LABEL];
        if (change.type === 'DELETED' && name !== undefined)
          queue.add(textOf({ namespace: object.metadata.namespace ?? '', name }));
      }
      if (!OF_CLUSTERS.includes(plural)) return;
      const matters = specChanged(change) || !isDeepStrictEqual(seenOf(object), previous && seenOf(previous));
      if (matters) for (const placement of store.list('placements')) queue.add(textOf(keyOf(placement)));
    },
  };
}

/** The parts of a cluster that selectors use, besides its spec. */
function seenOf({ metadata, status }: KubeObject): unknown {
  return [metadata.labels, metadata.deletionTimestamp, status?.clusterClaims];
}

function textOf(placement: Key): string {
  return workKey('placements', placement);
}
