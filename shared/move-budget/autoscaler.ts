/** Autoscalers on the hub: while one scales a workload, and until its stabilization window is over, the workload is not moved. */
import * as z from 'zod/mini';
import { groupBy } from '../core/group-by.ts';
import { fromTimestamp, type Instant, SECOND } from '../core/time.ts';
import { bindingKey } from '../karmada/binding.ts';
import { objectMeta, parseObject } from '../kubernetes/hub-object.ts';
import { keyText } from '../kubernetes/object-key.ts';
import type { ObjectReference } from '../kubernetes/object-reference.ts';
import type { Resource } from '../kubernetes/resource.ts';

export interface Autoscaler {
  /** "FederatedHPA shop/web". */
  readonly of: string;
  readonly target: ObjectReference;
  /** The number of replicas that it decided on last; absent while it cannot scale. */
  readonly desired?: number;
  /** Of members' autoscalers, the replicas when they decided; absent: the number that the hub's binding has. */
  readonly current?: number;
  readonly scaledAt?: Instant | undefined;
  /** How long after a scaling it may correct it. */
  readonly windowMs: number;
}

/** Why a workload is not moved now; absent `until`: as long as its autoscaler wants another number of replicas. */
export interface Scaling {
  readonly reason: string;
  readonly until?: Instant;
}

/** The autoscalers of each workload, by keyText of its binding. */
export type Autoscalers = ReadonlyMap<string, readonly Autoscaler[]>;

/** The default of spec.behavior.scaleDown.stabilizationWindowSeconds, in Kubernetes and Karmada. */
const WINDOW_SECONDS = 300;

const targetFields = { apiVersion: z._default(z.string(), ''), kind: z.string(), name: z.string() };
const rules = z.nullish(z.object({ stabilizationWindowSeconds: z.nullish(z.number()) }));
const hpa = z.object({
  metadata: objectMeta,
  spec: z.object({
    scaleTargetRef: z.object(targetFields),
    behavior: z.nullish(z.object({ scaleDown: rules, scaleUp: rules })),
  }),
  status: z._default(
    z.object({
      lastScaleTime: z.nullish(z.string()),
      currentReplicas: z.nullish(z.number()),
      desiredReplicas: z.nullish(z.number()),
      conditions: z.nullish(z.array(z.object({ type: z.string(), status: z.string() }))),
    }),
    {},
  ),
});

/** `scales`: the autoscaler of the hub, or those of the members, of whose status the hub has the sums. */
function parseHpa(kind: string, scales: 'Hub' | 'Members'): (object: unknown) => Autoscaler {
  return (object) => {
    const { metadata, spec, status } = parseObject(hpa, object, kind);
    const { namespace, name } = metadata;
    const scaledAt = fromTimestamp(status.lastScaleTime ?? '');
    const { scaleDown, scaleUp } = spec.behavior ?? {};
    const down = scaleDown?.stabilizationWindowSeconds ?? WINDOW_SECONDS;
    const { currentReplicas: current, desiredReplicas: desired } = status;
    const isActive = !status.conditions?.some(({ type, status: is }) => type === 'ScalingActive' && is === 'False');
    return {
      of: `${kind} ${namespace}/${name}`,
      target: { ...spec.scaleTargetRef, namespace },
      // 0 before its first decision.
      ...(isActive && desired != null && desired > 0 && { desired }),
      ...(scales === 'Members' && current != null && { current }),
      ...(scaledAt !== undefined && { scaledAt }),
      windowMs: Math.max(down, scaleUp?.stabilizationWindowSeconds ?? 0) * SECOND,
    };
  };
}

const cronHpa = z.object({
  metadata: objectMeta,
  spec: z.object({ scaleTargetRef: z.object(targetFields) }),
  status: z._default(
    z.object({
      executionHistories: z.nullish(
        z.array(
          z.object({ successfulExecutions: z.nullish(z.array(z.object({ executionTime: z.nullish(z.string()) }))) }),
        ),
      ),
    }),
    {},
  ),
});

function parseCronHpa(object: unknown): Autoscaler {
  const { metadata, spec, status } = parseObject(cronHpa, object, 'CronFederatedHPA');
  const { namespace, name } = metadata;
  const times = (status.executionHistories ?? []).flatMap(({ successfulExecutions }) =>
    (successfulExecutions ?? []).flatMap(({ executionTime }) => fromTimestamp(executionTime ?? '') ?? []),
  );
  return {
    of: `CronFederatedHPA ${namespace}/${name}`,
    target: { ...spec.scaleTargetRef, namespace },
    ...(times.length > 0 && { scaledAt: Math.max(...times) }),
    windowMs: WINDOW_SECONDS * SECOND,
  };
}

const namespaced = { namespaced: true, pageSize: 500 } as const;
const karmada = { ...namespaced, group: 'autoscaling.karmada.io', version: 'v1alpha1' } as const;

/** A HorizontalPodAutoscaler on the hub is one that the hub propagates to members. */
export const autoscalers: readonly Resource<Autoscaler>[] = [
  { ...karmada, kind: 'FederatedHPA', plural: 'federatedhpas', parse: parseHpa('FederatedHPA', 'Hub') },
  { ...karmada, kind: 'CronFederatedHPA', plural: 'cronfederatedhpas', parse: parseCronHpa },
  {
    ...{ ...namespaced, group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' },
    ...{ plural: 'horizontalpodautoscalers', parse: parseHpa('HorizontalPodAutoscaler', 'Members') },
  },
];

export function autoscalersByBinding(found: readonly Autoscaler[]): Autoscalers {
  return groupBy(found, ({ target }) => keyText(bindingKey(target)));
}

/**
 * Undefined if none scales the workload now, or did within its window. The binding's `replicas` may be newer than an autoscaler's status,
 * which it writes after the workload.
 */
export function scalingOf(of: readonly Autoscaler[], replicas: number, now: Instant): Scaling | undefined {
  return of.map((autoscaler) => scalingBy(autoscaler, replicas, now)).find((scaling) => scaling !== undefined);
}

function scalingBy(autoscaler: Autoscaler, replicas: number, now: Instant): Scaling | undefined {
  const { of, desired, current = replicas, scaledAt, windowMs } = autoscaler;
  if (desired !== undefined && desired !== current) return { reason: `${of} is scaling it` };
  if (scaledAt === undefined || scaledAt + windowMs <= now) return undefined;
  return {
    reason: `${of} scaled it ${secondsSince(scaledAt, now)} s ago, and its stabilization window is ${windowMs / SECOND} s`,
    until: scaledAt + windowMs,
  };
}

/** Of a workload without an autoscaler on the hub. `changedAt`: absent if no client scales it. */
export function scalingByClient(changedAt: Instant | undefined, now: Instant): Scaling | undefined {
  if (changedAt === undefined) return undefined;
  const until = changedAt + WINDOW_SECONDS * SECOND;
  if (until <= now) return undefined;
  const reason = `a client scales it, and its last change was ${secondsSince(changedAt, now)} s ago, less than ${WINDOW_SECONDS} s`;
  return { reason, until };
}

function secondsSince(at: Instant, now: Instant): number {
  return Math.max(0, Math.round((now - at) / SECOND));
}
