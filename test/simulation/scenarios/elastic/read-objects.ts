/** Reads ManifestWorks, and compares the age of ElasticWorkloads. */
import type { KubeObject } from '../../../../local/practice-hub/store/objects.ts';

export function manifestIn(work: KubeObject | undefined): Readonly<Record<string, unknown>> | undefined {
  const { manifests } = (work?.spec?.workload ?? {}) as { readonly manifests?: readonly Record<string, unknown>[] };
  return manifests?.[0];
}

export function numberIn(work: KubeObject): number {
  return Number((manifestIn(work)?.spec as { readonly replicas?: number } | undefined)?.replicas ?? Number.NaN);
}

/** The replicas and ready replicas that the work agent reported. */
export function feedbackIn({ status, metadata }: KubeObject): {
  readonly replicas?: number;
  readonly ready?: number;
  /** Whether the feedback is of the current manifest. */
  readonly isCurrent: boolean;
} {
  const { conditions = [], resourceStatus } = (status ?? {}) as Reported;
  const values = resourceStatus?.manifests?.[0]?.statusFeedback?.values ?? [];
  const value = (wanted: string) => values.find(({ name }) => name === wanted)?.fieldValue.integer;
  const applied = conditions.find(({ type }) => type === 'Applied');
  const [replicas, ready] = [value('replicas'), value('ready')];
  return {
    ...(replicas !== undefined && { replicas }),
    ...(ready !== undefined && { ready }),
    isCurrent: applied?.observedGeneration === metadata.generation,
  };
}

interface Reported {
  readonly conditions?: readonly { readonly type: string; readonly observedGeneration?: number }[];
  readonly resourceStatus?: {
    readonly manifests?: readonly {
      readonly statusFeedback?: {
        readonly values?: readonly { readonly name: string; readonly fieldValue: { readonly integer?: number } }[];
      };
    }[];
  };
}

/** Whether `a` is older, and so has the target. */
export function isBefore({ metadata: a }: KubeObject, { metadata: b }: KubeObject): boolean {
  if (a.creationTimestamp !== b.creationTimestamp) return String(a.creationTimestamp) < String(b.creationTimestamp);
  return a.uid < b.uid;
}
