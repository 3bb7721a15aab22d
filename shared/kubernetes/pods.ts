/** Workloads and their pods as far as counting needs them: by which labels a workload finds its pods, and which of them wait for a node. */
import * as z from 'zod/mini';
import { objectMeta, parseObject, timestamp } from './hub-object.ts';
import type { ObjectReference } from './object-reference.ts';
import { apiVersionOf, type Resource } from './resource.ts';

const requirement = z.object({
  key: z.string(),
  operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
  values: z._default(z.array(z.string()), []),
});
const selector = z.object({
  matchLabels: z._default(z.record(z.string(), z.string()), {}),
  matchExpressions: z._default(z.array(requirement), []),
});

export type PodSelector = z.output<typeof selector>;

const deploymentForm = z.object({ spec: z.object({ selector }) });
const statefulSetForm = z.object({
  spec: z.object({
    selector,
    ordinals: z._default(z.object({ start: z._default(z.int(), 0) }), { start: 0 }),
    volumeClaimTemplates: z._default(z.array(z.unknown()), []),
  }),
});
const jobForm = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({ completions: z.nullish(z.int()) }),
});
const podForm = z.object({
  metadata: z.extend(objectMeta, {
    labels: z._default(z.record(z.string(), z.string()), {}),
    ownerReferences: z._default(
      z.array(z.object({ kind: z.string(), name: z.string(), controller: z._default(z.boolean(), false) })),
      [],
    ),
  }),
  status: z._default(
    z.object({
      conditions: z._default(
        z.array(
          z.object({
            type: z.string(),
            status: z.string(),
            reason: z._default(z.string(), ''),
            lastTransitionTime: z.nullish(timestamp),
          }),
        ),
        [],
      ),
    }),
    { conditions: [] },
  ),
});

export type Pod = z.output<typeof podForm>;

/** A workload's pods, and what decides which of them a smaller number of replicas ends. */
export interface PodOwner {
  readonly selector: PodSelector;
  /** The ordinal of the first pod; other kinds than StatefulSets have none. */
  readonly firstOrdinal: number;
  /** Why its replicas cannot run in another cluster; absent if they can. */
  readonly bound?: string;
}

const owner = { namespaced: true, pageSize: 100 } as const;
const apps = { ...owner, group: 'apps', version: 'v1' } as const;

/** The kinds whose pods are counted. Their controllers end pending pods first, or, of a StatefulSet, the highest ordinals. */
const podOwners: readonly Resource<PodOwner>[] = [
  {
    ...apps,
    kind: 'Deployment',
    plural: 'deployments',
    parse: (object) => ({ ...parseObject(deploymentForm, object, 'deployment').spec, firstOrdinal: 0 }),
  },
  {
    ...apps,
    kind: 'StatefulSet',
    plural: 'statefulsets',
    parse(object) {
      const { spec } = parseObject(statefulSetForm, object, 'statefulset');
      const bound = spec.volumeClaimTemplates.length > 0 && { bound: 'its volume claims stay in their cluster' };
      return { selector: spec.selector, firstOrdinal: spec.ordinals.start, ...bound };
    },
  },
  {
    ...owner,
    group: 'batch',
    version: 'v1',
    kind: 'Job',
    plural: 'jobs',
    // A Job's selector on the hub has the uid that it has there; the name is the same in each member.
    parse(object) {
      const { metadata, spec } = parseObject(jobForm, object, 'job');
      const matchLabels = { 'batch.kubernetes.io/job-name': metadata.name };
      const bound = spec.completions != null && { bound: "its completions in a cluster can't be changed" };
      return { selector: { matchLabels, matchExpressions: [] }, firstOrdinal: 0, ...bound };
    },
  },
];

/** Undefined if pods of this kind are not counted. */
export function podOwnerOf({ apiVersion, kind }: Pick<ObjectReference, 'apiVersion' | 'kind'>) {
  return podOwners.find((one) => one.kind === kind && apiVersionOf(one) === apiVersion);
}

export const pods: Resource<Pod> = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  namespaced: true,
  pageSize: 500,
  parse: (object) => parseObject(podForm, object, 'pod'),
};

/** In the query format of the API: "app=web,tier in (a,b),!canary". */
export function selectorText({ matchLabels, matchExpressions }: PodSelector): string {
  const equal = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  const terms = matchExpressions.map(({ key, operator, values }) => {
    switch (operator) {
      case 'In':
        return `${key} in (${values.join(',')})`;
      case 'NotIn':
        return `${key} notin (${values.join(',')})`;
      case 'Exists':
        return key;
      case 'DoesNotExist':
        return `!${key}`;
    }
  });
  return [...equal, ...terms].join(',');
}
