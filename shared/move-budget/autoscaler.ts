/** Autoscalers on the hub: while one scales a workload, and until its stabilization window is over, the workload is not moved. */
import * as z from 'zod/mini';
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
  /** Whether it wants another number of replicas than there are. */
  readonly isScaling: boolean;
  readonly scaledAt?: Instant | undefined;
  /** How long after a scaling it may correct it. */
  readonly windowMs: number;
}

/** A workload that is not moved now; absent `until`: as long as its autoscaler wants another number of replicas. */
export interface Scaling {
  readonly reason: string;
  readonly until?: Instant;
}

/** By keyText of the binding, for each workload with an autoscaler on the hub; undefined where that does not scale it now. */
export type ScalingWorkloads = ReadonlyMap<string, Scaling | undefined>;

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
    }),
    {},
  ),
});

function parseHpa(kind: string): (object: unknown) => Autoscaler {
  return (object) => {
    const { metadata, spec, status } = parseObject(hpa, object, kind);
    const { namespace, name } = metadata;
    const scaledAt = fromTimestamp(status.lastScaleTime ?? '');
    const { scaleDown, scaleUp } = spec.behavior ?? {};
    const down = scaleDown?.stabilizationWindowSeconds ?? WINDOW_SECONDS;
    const { currentReplicas: current, desiredReplicas: desired } = status;
    return {
      of: `${kind} ${namespace}/${name}`,
      target: { ...spec.scaleTargetRef, namespace },
      // 0 before its first decision.
      isScaling: current != null && desired != null && desired > 0 && current !== desired,
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
    isScaling: false,
    ...(times.length > 0 && { scaledAt: Math.max(...times) }),
    windowMs: WINDOW_SECONDS * SECOND,
  };
}

const namespaced = { namespaced: true, pageSize: 500 } as const;
const karmada = { ...namespaced, group: 'autoscaling.karmada.io', version: 'v1alpha1' } as const;

/** A HorizontalPodAutoscaler on the hub is one that the hub propagates to members. */
export const autoscalers: readonly Resource<Autoscaler>[] = [
  { ...karmada, kind: 'FederatedHPA', plural: 'federatedhpas', parse: parseHpa('FederatedHPA') },
  { ...karmada, kind: 'CronFederatedHPA', plural: 'cronfederatedhpas', parse: parseCronHpa },
  {
    ...{ ...namespaced, group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' },
    ...{ plural: 'horizontalpodautoscalers', parse: parseHpa('HorizontalPodAutoscaler') },
  },
];

/** Those that are scaled now, or were within the window; and the others. */
export function scalingWorkloads(found: readonly Autoscaler[], now: Instant): ScalingWorkloads {
  const scaling = new Map<string, Scaling | undefined>();
  for (const autoscaler of found) {
    const key = keyText(bindingKey(autoscaler.target));
    scaling.set(key, scalingOf(autoscaler, now) ?? scaling.get(key));
  }
  return scaling;
}

/** Of a workload without an autoscaler on the hub, whose replicas another client writes. */
export function scalingOfUnknown(scaledAt: Instant | undefined, now: Instant): Scaling | undefined {
  return scalingOf({ of: 'another client', isScaling: false, scaledAt, windowMs: WINDOW_SECONDS * SECOND }, now);
}

function scalingOf(
  { of, isScaling, scaledAt, windowMs }: Omit<Autoscaler, 'target'>,
  now: Instant,
): Scaling | undefined {
  if (isScaling) return { reason: `${of} is scaling it` };
  if (scaledAt === undefined || scaledAt + windowMs <= now) return undefined;
  const seconds = Math.max(0, Math.round((now - scaledAt) / SECOND));
  return {
    reason: `${of} scaled it ${seconds} s ago, and its stabilization window is ${windowMs / SECOND} s`,
    until: scaledAt + windowMs,
  };
}
