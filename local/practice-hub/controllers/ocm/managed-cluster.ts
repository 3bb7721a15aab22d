/** A ManagedCluster as the practice hub's controllers read it. */
import * as z from 'zod/mini';
import type { KubeObject } from '../../store/objects.ts';

const taint = z.object({
  key: z.string(),
  value: z._default(z.string(), ''),
  effect: z.enum(['NoSelect', 'PreferNoSelect', 'NoSelectIfNew']),
  timeAdded: z.nullish(z.string()),
});

const schema = z.object({
  metadata: z.object({ name: z.string(), labels: z._default(z.record(z.string(), z.string()), {}) }),
  spec: z._default(
    z.object({ hubAcceptsClient: z._default(z.boolean(), false), taints: z._default(z.array(taint), []) }),
    { hubAcceptsClient: false, taints: [] },
  ),
  status: z._default(
    z.object({
      clusterClaims: z._default(z.array(z.object({ name: z.string(), value: z._default(z.string(), '') })), []),
      conditions: z._default(z.array(z.object({ type: z.string(), status: z.string() })), []),
    }),
    { clusterClaims: [], conditions: [] },
  ),
});

export type ClusterTaint = z.output<typeof taint>;

export interface SimulatedCluster {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly claims: Readonly<Record<string, string>>;
  readonly taints: readonly ClusterTaint[];
  readonly accepted: boolean;
  /** Undefined until its agent has reported. */
  readonly available: string | undefined;
}

export const AVAILABLE = 'ManagedClusterConditionAvailable';

export function readManagedCluster(object: KubeObject): SimulatedCluster {
  const { metadata, spec, status } = z.parse(schema, object);
  return {
    name: metadata.name,
    labels: metadata.labels,
    claims: Object.fromEntries(status.clusterClaims.map(({ name, value }) => [name, value])),
    taints: spec.taints,
    accepted: spec.hubAcceptsClient,
    available: status.conditions.find(({ type }) => type === AVAILABLE)?.status,
  };
}
