/** The ClusterDrain that `evenkeel drain` and the console create. */
import { fnv1a } from '../core/fnv1a.ts';
import { type Instant, toTimestamp } from '../core/time.ts';
import { apiVersionOf } from '../kubernetes/resource.ts';
import { clusterDrains } from './cluster-drain.ts';
import { LONGEST_POLICY_NAME } from './rebalance-policy.ts';

export interface DrainWish {
  readonly cluster: string;
  /** The percentage of its replicas that moves; absent: all. */
  readonly percent?: number;
  /** Workloads in a wave; absent: the default of the kind. */
  readonly waveSize?: number;
  /** "10m"; absent: the default of the kind. */
  readonly readyWithin?: string;
  /** When the drain ends; absent: when it is deleted. */
  readonly until?: Instant;
}

export interface NewDrain {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly cluster: string;
    readonly percent?: number;
    readonly until?: string;
    readonly strategy?: object;
  };
}

export function newDrain({ cluster, percent, waveSize, readyWithin, until }: DrainWish): NewDrain {
  const waves = {
    ...(waveSize !== undefined && { size: waveSize }),
    ...(readyWithin !== undefined && { readyWithin }),
  };
  return {
    apiVersion: apiVersionOf(clusterDrains),
    kind: clusterDrains.kind,
    metadata: { name: shortName(cluster) },
    spec: {
      cluster,
      ...(percent !== undefined && { percent }),
      ...(until !== undefined && { until: toTimestamp(until) }),
      ...(Object.keys(waves).length > 0 && { strategy: { waves } }),
    },
  };
}

/** A long name is cut, with a digest of all of it. */
export function shortName(name: string): string {
  if (name.length <= LONGEST_POLICY_NAME) return name;
  const digest = fnv1a(name).toString(16).padStart(8, '0');
  return `${name.slice(0, LONGEST_POLICY_NAME - digest.length - 1)}-${digest}`;
}
