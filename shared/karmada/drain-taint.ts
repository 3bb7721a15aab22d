/** The taint of a cluster that is drained, among its other taints. */
import * as z from 'zod/mini';
import type { Patch } from '../kubernetes/hub.ts';
import { objectMeta, parseObject } from '../kubernetes/hub-object.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { clusters } from './assignment/cluster.ts';
import { DRAIN_TAINT } from './member-cluster.ts';

export interface TaintedCluster {
  readonly resourceVersion: string;
  /** With all their fields, since a patch writes them back. */
  readonly taints: readonly { readonly key: string }[];
}

const schema = z.object({
  metadata: objectMeta,
  spec: z._default(z.object({ taints: z.nullish(z.array(z.looseObject({ key: z.string() }))) }), {}),
});

export const taintedClusters: Resource<TaintedCluster> = {
  ...clusters,
  parse: (object) => {
    const { metadata, spec } = parseObject(schema, object, 'Cluster');
    return { resourceVersion: metadata.resourceVersion, taints: spec.taints ?? [] };
  },
};

/** With the taint of this drain only; undefined: of none. Conditional on the version that was read: a merge patch replaces the whole list. */
export function drainTaintPatch({ resourceVersion, taints }: TaintedCluster, drain: string | undefined): Patch {
  const others = taints.filter(({ key }) => key !== DRAIN_TAINT);
  const ours = drain === undefined ? [] : [{ key: DRAIN_TAINT, value: drain, effect: 'NoSchedule' }];
  const all = [...others, ...ours];
  // null: the field is absent, as before the drain.
  return { merge: { metadata: { resourceVersion }, spec: { taints: all.length === 0 ? null : all } } };
}
