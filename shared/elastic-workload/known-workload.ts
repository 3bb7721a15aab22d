/** All inputs of a decision about one ElasticWorkload. */
import type { AddOnScores } from './addon-score.ts';
import type { ElasticWorkload, ElasticWorkloadIdentity } from './elastic-workload.ts';
import type { ManagedCluster } from './managed-cluster.ts';
import type { Work } from './manifest-work.ts';
import type { SelectedClusters } from './placement-decision.ts';
import type { ScalePaths } from './scale-paths.ts';
import type { Manifest } from './target.ts';

/** The AddOnPlacementScores of all clusters. */
export interface ScoreReports {
  readonly reports: readonly AddOnScores[];
  /** Why they could not be read. */
  readonly unread?: string;
}

export interface KnownWorkload {
  readonly elastic: ElasticWorkload;
  readonly manifest: Manifest;
  readonly paths: ScalePaths;
  readonly selection: SelectedClusters;
  /** By name, of those that are selected or have a work. */
  readonly clusters: ReadonlyMap<string, ManagedCluster>;
  /** Those on clusters that are not taken. */
  readonly works: readonly Work[];
  /** Selected clusters that an earlier ElasticWorkload with the same target owns, by cluster. */
  readonly taken: ReadonlyMap<string, ElasticWorkloadIdentity>;
  /** Clusters where a later ElasticWorkload has ManifestWorks of the same target. */
  readonly contested: ReadonlySet<string>;
  /** Undefined if the weights are not scores. */
  readonly scores?: ScoreReports | undefined;
}
