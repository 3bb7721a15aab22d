/** Reads spec and status of a WorkloadRebalancer, with the short names of the workloads. */
import type { KubeObject } from '../../../../local/practice-hub/store/objects.ts';
import { workloads } from './workloads.ts';

interface Listed {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

export interface Observed {
  readonly workload: Listed;
  readonly result?: string;
  readonly reason?: string;
}

export interface Shown {
  /** By short name. */
  readonly listed: ReadonlySet<string>;
  readonly ttl: number | undefined;
  readonly observedWorkloads: readonly Observed[];
  readonly observedGeneration: number;
  readonly finishTime: string | undefined;
  /** Whether the status is of the current spec. */
  readonly isCurrent: boolean;
}

export function shownBy({ metadata, spec, status }: KubeObject): Shown {
  const { workloads: list = [], ttlSecondsAfterFinished: ttl } = (spec ?? {}) as {
    workloads?: readonly Listed[];
    ttlSecondsAfterFinished?: number | null;
  };
  const {
    observedWorkloads = [],
    observedGeneration = 0,
    finishTime,
  } = (status ?? {}) as {
    observedWorkloads?: readonly Observed[];
    observedGeneration?: number;
    finishTime?: string;
  };
  const isCurrent = observedGeneration === metadata.generation;
  const listed = new Set(list.map(shortName));
  return { listed, ttl: ttl ?? undefined, observedWorkloads, observedGeneration, finishTime, isCurrent };
}

export function shortName(listed: Listed): string {
  const found = Object.entries(workloads).find(([, each]) => each.name === listed.name && each.kind === listed.kind);
  return found?.[0] ?? combinedName(listed);
}

/** The sort key of observedWorkloads. */
export function combinedName({ apiVersion, kind, namespace = '', name }: Listed): string {
  return `${apiVersion} ${kind} ${namespace} ${name}`;
}

export function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23);
}
