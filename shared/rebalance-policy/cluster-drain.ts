/** ClusterDrain, read as a RebalancePolicy with one trigger: the cluster is drained. Its runs, waves and status are those of policies. */

import * as z from 'zod/mini';
import type { Instant } from '../core/time.ts';
import { objectMeta, parseObject } from '../kubernetes/hub-object.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { drainObject } from './drain-schema.ts';
import { policySpec } from './policy-schema.ts';
import { policyMeta, type RebalancePolicy, rebalancePolicies } from './rebalance-policy.ts';

const schema = z.extend(drainObject, { metadata: objectMeta });

/** Reads the object as the API server sends it. */
export function parseClusterDrain(object: unknown): RebalancePolicy {
  const { metadata, spec, status } = parseObject(schema, object, 'ClusterDrain');
  const { cluster: drains, percent, until, suspend, dryRun, selector, strategy } = spec;
  return {
    ...policyMeta(metadata),
    drains,
    ...(percent < 100 && { share: { drain: metadata.uid, percent } }),
    ...(until !== undefined && { until }),
    spec: z.parse(policySpec, { suspend, dryRun, selector, triggers: {}, strategy: { ...strategy, coolDown: '0s' } }),
    status: status ?? {},
  };
}

export const clusterDrains: Resource<RebalancePolicy> = {
  ...rebalancePolicies,
  kind: 'ClusterDrain',
  plural: 'clusterdrains',
  parse: parseClusterDrain,
};

/** Whether the time of a ClusterDrain is over. A RebalancePolicy has none. */
export function isOver(policy: RebalancePolicy, now: Instant): policy is RebalancePolicy & { readonly until: Instant } {
  return policy.until !== undefined && policy.until <= now;
}

/** The kind of a policy or drain, or of the state of one. */
export function policyKind({ drains }: Pick<RebalancePolicy, 'drains'>): Resource<RebalancePolicy> {
  return drains === undefined ? rebalancePolicies : clusterDrains;
}
