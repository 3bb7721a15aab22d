/** Schemas of the kinds that the practice hub validates, as their CRDs do; also the source of `kubectl explain`. */
import * as z from 'zod';
import { policyOpenApi } from '../../../shared/rebalance-policy/policy-crd.ts';
import { type StructuralSchema, structuralSchema } from './structural-schema.ts';

export const text = () => z.string();
/** The API server checks only the type of an int32: it accepts 3000000000, and so does this schema. */
export const int32 = () => z.number().meta({ type: 'integer', format: 'int32' });
export const int64 = () => z.number().meta({ type: 'integer', format: 'int64' });
export const time = () => z.string().meta({ format: 'date-time' });
/** An object whose fields are neither validated nor pruned. */
export const open = () => z.looseObject({});

const workload = z.object({
  apiVersion: text().describe('API version of the workload, such as apps/v1.'),
  kind: text().describe('Kind of the workload, such as Deployment.'),
  name: text().describe('Name of the workload.'),
  namespace: text().optional().describe('Namespace of the workload; left out for a cluster-scoped one.'),
});

export const workloadRebalancer = structuralSchema(
  z.object({
    spec: z
      .object({
        workloads: z.array(workload).min(1).describe('The workloads to be scheduled afresh; one at least.'),
        ttlSecondsAfterFinished: int32()
          .optional()
          .describe('Seconds after its finish at which the WorkloadRebalancer is deleted; never, where left out.'),
      })
      .describe('Which workloads are to be rebalanced.'),
    status: z
      .object({
        finishTime: time().optional().describe('When every workload had a result.'),
        observedGeneration: int64().optional().describe('The generation that these results are for.'),
        observedWorkloads: z
          .array(
            z.object({
              workload: workload.describe('The workload this is about.'),
              result: text().optional().describe('Successful or Failed; left out while it is pending.'),
              reason: text().optional().describe('Why it failed.'),
            }),
          )
          .optional()
          .describe('One result a workload.'),
      })
      .optional()
      .describe('What has become of each workload.'),
  }),
);

const targetClusters = z.array(
  z.object({
    name: text(),
    replicas: int32().optional(),
    components: z.array(z.object({ name: text(), replicas: int32() })).optional(),
  }),
);

export const condition = z.object({
  type: text().meta({ maxLength: 316 }),
  status: z.enum(['True', 'False', 'Unknown']),
  reason: text().meta({ maxLength: 1024 }),
  message: text().meta({ maxLength: 32768 }),
  lastTransitionTime: time(),
  observedGeneration: int64().optional(),
});

const gracefulEvictionTask = z.object({
  fromCluster: text(),
  producer: text(),
  reason: text().meta({ maxLength: 32, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' }),
  message: text().meta({ maxLength: 1024 }).optional(),
  purgeMode: z.enum(['Immediately', 'Directly', 'Graciously', 'Gracefully', 'Never']).optional(),
  replicas: int32().optional(),
  gracePeriodSeconds: int32().optional(),
  suppressDeletion: z.boolean().optional(),
  preservedLabelState: z.record(text(), text()).optional(),
  creationTimestamp: time().optional(),
  clustersBeforeFailover: z.array(text()).optional(),
});

const conflictResolution = z.enum(['Abort', 'Overwrite']).meta({ default: 'Abort' }).optional();

const suspension = z.object({
  scheduling: z.boolean().optional(),
  dispatching: z.boolean().optional(),
  dispatchingOnClusters: z.object({ clusterNames: z.array(text()).optional() }).optional(),
});

/** The fields of a placement that have a default in Karmada's CRDs; the others are not checked here. */
const placement = z.looseObject({
  replicaScheduling: z
    .looseObject({
      replicaSchedulingType: z.enum(['Duplicated', 'Divided']).meta({ default: 'Divided' }).optional(),
    })
    .optional(),
});

const purgeMode = z
  .enum(['Immediately', 'Directly', 'Graciously', 'Gracefully', 'Never'])
  .meta({ default: 'Gracefully' })
  .optional();

const failover = z.looseObject({
  application: z
    .looseObject({
      decisionConditions: z.looseObject({ tolerationSeconds: int32().meta({ default: 300 }).optional() }).optional(),
      purgeMode,
    })
    .optional(),
  cluster: z.looseObject({ purgeMode }).optional(),
});

export const binding = structuralSchema(
  z.object({
    spec: z
      .object({
        resource: z
          .object({
            apiVersion: text(),
            kind: text(),
            name: text(),
            namespace: text().optional(),
            resourceVersion: text().optional(),
            uid: text().optional(),
          })
          .describe('The workload that is bound.'),
        clusters: targetClusters.optional().describe('Where the workload runs, with how many replicas each.'),
        replicas: int32().optional().describe('Replicas wanted in all.'),
        rescheduleTriggeredAt: time()
          .optional()
          .describe('Later than status.lastScheduledTime: the scheduler assigns all replicas afresh.'),
        replicaRequirements: open().optional().describe('What one replica needs.'),
        placement: placement.optional().describe('The rules that the scheduler follows.'),
        schedulerName: text().optional(),
        schedulePriority: z.looseObject({ priority: int32().meta({ default: 0 }).optional() }).optional(),
        suspension: suspension.optional(),
        gracefulEvictionTasks: z.array(gracefulEvictionTask).optional(),
        requiredBy: z
          .array(z.object({ name: text(), namespace: text().optional(), clusters: targetClusters.optional() }))
          .optional(),
        components: z.array(open()).optional(),
        conflictResolution,
        failover: failover.optional(),
        preserveResourcesOnDeletion: z.boolean().optional(),
        propagateDeps: z.boolean().optional(),
        workloadAffinityGroups: open().optional(),
      })
      .describe('The workload, its replicas and where they go.'),
    status: z
      .object({
        schedulerObservedGeneration: int64().optional(),
        schedulerObservingAffinityName: text().optional(),
        lastScheduledTime: time().optional().describe('When the scheduler last assigned replicas.'),
        conditions: z.array(condition).optional(),
        aggregatedStatus: z
          .array(
            z.object({
              clusterName: text(),
              applied: z.boolean().optional(),
              appliedMessage: text().optional(),
              health: z.enum(['Healthy', 'Unhealthy', 'Unknown']).optional(),
              status: open().optional(),
            }),
          )
          .optional(),
      })
      .optional()
      .describe('What the scheduler and the members made of it.'),
  }),
);

export const propagationPolicy = structuralSchema(
  z.object({
    spec: z
      .looseObject({
        resourceSelectors: z
          .array(z.looseObject({ apiVersion: text(), kind: text() }))
          .min(1)
          .describe('The resources that the policy is for.'),
        placement: placement.optional().describe('Where they go, and how replicas are divided.'),
        failover: failover.optional(),
        conflictResolution,
        preemption: z.enum(['Always', 'Never']).meta({ default: 'Never' }).optional(),
        priority: int32().meta({ default: 0 }).optional(),
        schedulerName: text().meta({ default: 'default-scheduler' }).optional(),
      })
      .describe('Which resources go where.'),
  }),
);

export const deployment = structuralSchema(
  z.object({
    spec: z
      .looseObject({
        replicas: int32().meta({ default: 1, minimum: 0 }).optional().describe('Replicas wanted.'),
        selector: open().describe('Which pods are its own.'),
        template: open().describe('The pod to run.'),
      })
      .describe('The workload.'),
    status: open().optional(),
  }),
);

/** The very schema of the CRD. */
export const rebalancePolicy = policyOpenApi as StructuralSchema;

export const anything = structuralSchema(z.object({ spec: open().optional(), status: open().optional() }));
