/** RebalancePolicies and ClusterDrains of a hub, and objects of a hub by their labels. */
import * as z from 'zod/mini';
import { query } from '../operation.ts';
import { bindingKey, numbers, ofHub, time, workloadReference } from './parts.ts';

const policySummary = z.object({
  name: z.string(),
  /** `Idle`, `Running`, `Waiting`, `Suspended`, `Stopped` or `Invalid`; of a ClusterDrain also `Over`. Absent before the functions have written a status. */
  state: z.optional(z.string()),
  message: z.optional(z.string()),
  suspended: z.boolean(),
  dryRun: z.boolean(),
  /** The next run that its schedule starts. */
  nextRunAt: z.optional(time),
  lastRun: z.optional(
    z.object({
      run: z.string(),
      state: z.string(),
      startedAt: time,
      finishedAt: z.optional(time),
      waves: z.number(),
      wavesDone: z.number(),
      moved: z.number(),
    }),
  ),
});

/** `cluster`: the cluster that it drains. */
const drainSummary = z.extend(policySummary, { cluster: z.string() });

const policyDetails = z.extend(policySummary, {
  /** What starts a run, each as a phrase: "when a cluster has been healthy again for 5m". */
  triggers: z.array(z.string()),
  /** When waves may start, each as a phrase; empty: at any time. */
  windows: z.array(z.string()),
  /** When the open window closes; absent if none is open, or there are none. */
  windowClosesAt: z.optional(time),
  /** When the next window opens; absent while one is open. */
  windowOpensAt: z.optional(time),
  conditions: z.array(
    z.object({ type: z.string(), status: z.string(), reason: z.string(), message: z.string(), changedAt: time }),
  ),
});

export const listPolicies = query({
  path: '/hubs/{hub}/policies',
  description: 'The RebalancePolicies and ClusterDrains of a hub with their states, by name.',
  input: z.object(ofHub),
  output: z.object({ policies: z.array(policyDetails), drains: z.array(drainSummary) }),
});

const previewedMove = z.object({
  workload: workloadReference,
  binding: bindingKey,
  current: numbers,
  next: numbers,
  moves: z.number(),
  /** Why it would move; of one that is skipped, why not. */
  reason: z.string(),
});

export const previewPolicy = query({
  path: '/hubs/{hub}/policies/{name}/preview',
  description:
    'What a run of a RebalancePolicy would move now, if all of its triggers came; of a policy without triggers, a requested run. The first 500 workloads that would move, and that are skipped.',
  input: z.object({ ...ofHub, name: z.string().check(z.minLength(1), z.maxLength(253)) }),
  output: z.object({
    /** The assumed triggers, each as a phrase. */
    triggers: z.array(z.string()),
    waves: z.array(z.array(previewedMove)),
    skipped: z.array(previewedMove),
    /** Of all of the run. */
    workloads: z.number(),
    replicas: z.number(),
    /** Workloads that would stay as they are, and that the policy does not select. */
    still: z.number(),
    unselected: z.number(),
    notes: z.array(z.string()),
  }),
});

export const labelledKinds = ['clusters', 'workloads', 'policies', 'drains'] as const;

export const selectObjects = query({
  path: '/hubs/{hub}/selected/{kind}',
  description:
    'The keys of the objects with labels: of clusters, RebalancePolicies, ClusterDrains, or of the bindings of Deployments, StatefulSets and Jobs.',
  input: z.object({
    ...ofHub,
    kind: z.enum(labelledKinds),
    /** As in kubectl -l: "region=eu,tier!=cache". */
    selector: z.string().check(z.minLength(1), z.maxLength(1000)),
  }),
  output: z.object({ keys: z.array(bindingKey) }),
});

export type PolicySummary = z.output<typeof policySummary>;
export type PolicyDetails = z.output<typeof policyDetails>;
export type DrainSummary = z.output<typeof drainSummary>;
export type LabelledKind = (typeof labelledKinds)[number];
export type PolicyPreviewAnswer = z.output<typeof previewPolicy.output>;
export type PreviewedMove = z.output<typeof previewedMove>;
