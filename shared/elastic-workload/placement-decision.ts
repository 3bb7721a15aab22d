/** PlacementDecisions of Open Cluster Management: the selected clusters of a Placement, and whether all its PlacementDecisions exist. */
import * as z from 'zod/mini';
import { objectMeta, parseObject } from '../kubernetes/hub-object.ts';
import type { Resource } from '../kubernetes/resource.ts';

/** On every PlacementDecision: its Placement. */
export const PLACEMENT_LABEL = 'cluster.open-cluster-management.io/placement';

const group = 'cluster.open-cluster-management.io';

export interface PlacementSlice {
  readonly namespace: string;
  readonly name: string;
  readonly placement: string;
  readonly clusters: readonly string[];
}

export interface ClusterPlacement {
  readonly namespace: string;
  readonly name: string;
  /** Undefined until the placement controller has processed it. */
  readonly selected?: number;
}

const sliceSchema = z.object({
  metadata: z.extend(objectMeta, { labels: z._default(z.record(z.string(), z.string()), {}) }),
  status: z.nullish(z.object({ decisions: z.nullish(z.array(z.object({ clusterName: z.string() }))) })),
});

const placementSchema = z.object({
  metadata: objectMeta,
  status: z.nullish(
    z.object({ numberOfSelectedClusters: z.nullish(z.number()), conditions: z.nullish(z.array(z.unknown())) }),
  ),
});

export const placementDecisions: Resource<PlacementSlice> = {
  group,
  version: 'v1beta1',
  kind: 'PlacementDecision',
  plural: 'placementdecisions',
  namespaced: true,
  pageSize: 500,
  parse: (object) => {
    const { metadata, status } = parseObject(sliceSchema, object, 'PlacementDecision');
    const { namespace, name, labels } = metadata;
    const clusters = (status?.decisions ?? [])
      .map(({ clusterName }) => clusterName)
      .filter((cluster) => cluster !== '');
    return { namespace, name, placement: labels[PLACEMENT_LABEL] ?? '', clusters };
  },
};

export const placements: Resource<ClusterPlacement> = {
  group,
  version: 'v1beta1',
  kind: 'Placement',
  plural: 'placements',
  namespaced: true,
  pageSize: 500,
  parse: (object) => {
    const { metadata, status } = parseObject(placementSchema, object, 'Placement');
    const { namespace, name } = metadata;
    // The status omits the number if it is 0; a condition shows that the controller has processed it.
    const processed = (status?.conditions ?? []).length > 0;
    const selected = status?.numberOfSelectedClusters ?? (processed ? 0 : undefined);
    return { namespace, name, ...(selected !== undefined && { selected }) };
  },
};

export interface SelectedClusters {
  readonly clusters: readonly string[];
  /** False while PlacementDecisions are being written: a missing cluster may still be selected. */
  readonly whole: boolean;
}

export function selectionOf({ selected }: ClusterPlacement, slices: readonly PlacementSlice[]): SelectedClusters {
  const clusters = [...new Set(slices.flatMap((slice) => slice.clusters))].sort();
  return { clusters, whole: slices.length > 0 && clusters.length === selected };
}
