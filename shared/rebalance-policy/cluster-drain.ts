/** ClusterDrain, read as a RebalancePolicy with one trigger: the cluster is drained. Its runs, waves and status are those of policies. */

import * as z from 'zod/mini';
import type { Instant } from '../core/time.ts';
import { objectMeta, parseObject } from '../kubernetes/hub-object.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { drainObject } from './drain-schema.ts';
import { policySpec } from './policy-schema.ts';
import { type ForEvents, policyMeta, type RebalancePolicy, rebalancePolicies } from './rebalance-policy.ts';

const schema = z.extend(drainObject, { metadata: objectMeta });

/** Annotation: JSON of ForEvents. */
export const FOR_EVENTS = 'evenkeel.dev/for-events';

const forEventsFields = z.object({ policy: z.string(), since: z.number(), nodes: z.optional(z.number()) });

/** Undefined for a text of another form: it is a drain of a user then. */
function parseForEvents(text: string | undefined): ForEvents | undefined {
  try {
    if (text === undefined) return undefined;
    const { nodes, ...rest } = z.parse(forEventsFields, JSON.parse(text));
    return { ...rest, ...(nodes !== undefined && { nodes }) };
  } catch {
    return undefined;
  }
}

/** Reads the object as the API server sends it. */
export function parseClusterDrain(object: unknown): RebalancePolicy {
  const { metadata, spec, status } = parseObject(schema, object, 'ClusterDrain');
  const { cluster: drains, percent, until, suspend, dryRun, selector, strategy } = spec;
  const forEvents = parseForEvents(metadata.annotations[FOR_EVENTS]);
  return {
    ...policyMeta(metadata),
    ...(forEvents && { forEvents }),
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
