/** A binding as the practice hub's controllers read it, of either scope, and the key they queue it under. */
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { placement } from '../../../shared/model/assignment/placement.ts';
import { quantityMap } from '../../../shared/model/assignment/quantity.ts';
import { parseObject, timestamp } from '../../../shared/model/hub-object.ts';
import { toTimestamp } from '../../../shared/model/time.ts';
import type { Change, Key, KubeObject, ObjectStore } from '../store/objects.ts';

export const bindingPlurals = ['resourcebindings', 'clusterresourcebindings'] as const;

/** What is propagated where, as its last scheduling saw it. Karmada's own annotation. */
export const APPLIED_PLACEMENT = 'policy.karmada.io/applied-placement';

const targetClusters = z.array(z.object({ name: z.string(), replicas: z._default(z.number(), 0) }));
const condition = z.looseObject({ type: z.string(), status: z.string() });
const reported = z.object({
  clusterName: z.string(),
  status: z.nullish(z.object({ replicas: z.nullish(z.number()), readyReplicas: z.nullish(z.number()) })),
});

const metadata = z.object({
  name: z.string(),
  namespace: z._default(z.string(), ''),
  uid: z.string(),
  generation: z._default(z.number(), 1),
  deletionTimestamp: z.optional(z.string()),
  annotations: z._default(z.record(z.string(), z.string()), {}),
});

const schema = z.object({
  metadata,
  spec: z.object({
    resource: z.object({
      apiVersion: z.string(),
      kind: z.string(),
      namespace: z._default(z.string(), ''),
      name: z.string(),
      uid: z._default(z.string(), ''),
    }),
    replicas: z._default(z.number(), 0),
    clusters: z._default(targetClusters, []),
    replicaRequirements: z.nullish(z.object({ resourceRequest: z.nullish(quantityMap) })),
    placement: z.nullish(placement),
    schedulerName: z._default(z.string(), ''),
    rescheduleTriggeredAt: z.nullish(timestamp),
    suspension: z.nullish(
      z.object({
        scheduling: z.nullish(z.boolean()),
        dispatching: z.nullish(z.boolean()),
        dispatchingOnClusters: z.nullish(z.object({ clusterNames: z.nullish(z.array(z.string())) })),
      }),
    ),
    gracefulEvictionTasks: z.nullish(z.array(z.object({ fromCluster: z.string(), purgeMode: z.nullish(z.string()) }))),
  }),
  status: z._default(
    z.object({
      lastScheduledTime: z.nullish(timestamp),
      schedulerObservedGeneration: z.nullish(z.number()),
      conditions: z._default(z.array(condition), []),
      aggregatedStatus: z._default(z.array(reported), []),
    }),
    { conditions: [], aggregatedStatus: [] },
  ),
});

export type BindingView = z.output<typeof schema> & { readonly plural: string; readonly key: Key };

const read = new WeakMap<KubeObject, BindingView>();

/** Reads each version once: scheduler and members look at the same one, and objects that left the store never change. */
export function readBinding(plural: string, object: KubeObject): BindingView {
  const known = read.get(object);
  if (known !== undefined) return known;
  const binding = parseObject(schema, object, 'binding');
  const view = { ...binding, plural, key: { namespace: binding.metadata.namespace, name: binding.metadata.name } };
  read.set(object, view);
  return view;
}

/** Whether it has replicas to divide. Something scaled to 0 that says what a replica needs still has; a ClusterRole has none. */
export function isWorkload({ spec }: BindingView): boolean {
  return spec.replicas > 0 || spec.replicaRequirements != null;
}

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** The conditions with this one set; lastTransitionTime moves only where the status turns. */
export function withCondition(
  conditions: BindingView['status']['conditions'],
  next: Condition,
  now: number,
): Record<string, unknown>[] {
  const before = conditions.find(({ type }) => type === next.type);
  const since = before?.status === next.status ? before.lastTransitionTime : toTimestamp(now);
  const set = { ...next, lastTransitionTime: since };
  return before === undefined
    ? [...conditions, set]
    : conditions.map((condition) => (condition.type === next.type ? set : condition));
}

/** "resourcebindings/shop/web-deployment": a kind's plural, namespace and name; no part holds a slash. */
export function workKey(plural: string, { namespace, name }: Key): string {
  return `${plural}/${namespace}/${name}`;
}

export function readWorkKey(key: string): { plural: string; key: Key } {
  const [plural = '', namespace = '', name = ''] = key.split('/');
  return { plural, key: { namespace, name } };
}

export function getByWorkKey(store: ObjectStore, key: string): KubeObject | undefined {
  const at = readWorkKey(key);
  return store.get(at.plural, at.key);
}

/** Whether anything but the status changed. */
export function specChanged({ type, object, previous }: Change): boolean {
  return type !== 'MODIFIED' || previous === undefined || !isDeepStrictEqual(object.spec, previous.spec);
}
