/** Reads the AddOnPlacementScores that weigh the clusters of an ElasticWorkload. */
import type { Hub } from '../kubernetes/hub.ts';
import { whyNotListed } from '../kubernetes/hub-features.ts';
import { listAll } from '../kubernetes/list-all.ts';
import { addOnPlacementScores, scoreSourceOf } from './addon-score.ts';
import type { ElasticSpec } from './elastic-workload-schema.ts';
import type { ScoreReports } from './known-workload.ts';

/** One LIST by name reads one object per cluster, however many other scores the hub has. */
export async function readScores(
  hub: Hub,
  distribution: ElasticSpec['distributionStrategy'],
): Promise<ScoreReports | undefined> {
  const source = scoreSourceOf(distribution);
  if (source === undefined) return undefined;
  try {
    const named = source.resourceName;
    return { reports: await listAll(hub, addOnPlacementScores, ({ cluster }) => cluster, { named }) };
  } catch (thrown) {
    return { reports: [], unread: whyNotListed(thrown, 'AddOnPlacementScores', 'elasticWorkloads') };
  }
}
