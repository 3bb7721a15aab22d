/** Deployments and their pods as far as counting needs them: by which labels a workload finds its pods, and which of them wait for a node. */
import * as z from 'zod/mini';
import { objectMeta, parseObject, timestamp } from './hub-object.ts';
import type { Resource } from './resource.ts';

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

/** A Deployment's own selector of its pods. */
export const deploymentSelectors: Resource<PodSelector> = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
  pageSize: 100,
  parse: (object) => parseObject(deploymentForm, object, 'deployment').spec.selector,
};

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
