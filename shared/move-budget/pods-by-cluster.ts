/** The pods of each cluster, of which a limit in percent is a share. */

import type { Cluster } from '../karmada/assignment/cluster.ts';
import { amountOf } from '../karmada/assignment/quantity.ts';

/** Without clusters that report none. */
export function podsByCluster(
  clusters: Iterable<Pick<Cluster, 'name' | 'resourceSummary'>>,
): ReadonlyMap<string, number> {
  return new Map(
    [...clusters].flatMap(({ name, resourceSummary }) => {
      const { allocated } = resourceSummary ?? {};
      return allocated?.pods === undefined ? [] : [[name, amountOf('pods', allocated)] as const];
    }),
  );
}
