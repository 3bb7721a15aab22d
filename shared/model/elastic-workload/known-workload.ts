/** All that is read of one ElasticWorkload before anything is decided. */
import type { ElasticWorkload } from './elastic-workload.ts';
import type { ManagedCluster } from './managed-cluster.ts';
import type { Work } from './manifest-work.ts';
import type { Selection } from './placement-decision.ts';
import type { ScalePaths } from './scale-paths.ts';
import type { Manifest } from './target.ts';

export interface KnownWorkload {
  readonly elastic: ElasticWorkload;
  readonly manifest: Manifest;
  readonly paths: ScalePaths;
  readonly selection: Selection;
  /** By name, of those that are selected or have a work. */
  readonly clusters: ReadonlyMap<string, ManagedCluster>;
  readonly works: readonly Work[];
  /** Clusters where another ElasticWorkload, which came later, has works of the same target. */
  readonly contested: ReadonlySet<string>;
}
