/** Parses RebalancePolicies: durations as milliseconds, and all problems reported at once. */
import * as z from 'zod/mini';
import { digest } from '../core/digest.ts';
import { type Instant, SECOND } from '../core/time.ts';
import { objectMeta, parseObject } from '../kubernetes/hub-object.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { DrainShare } from '../workload-rebalancer/workload-rebalancer.ts';
import { APPROVED } from './approval.ts';
import { type Window, whyNotCron } from './calendar.ts';
import { policySpec, policyStatus } from './policy-schema.ts';

export type PolicySpec = z.output<typeof policySpec>;
export type PolicyStatus = z.output<typeof policyStatus>;
export type Selector = PolicySpec['selector'];
export type WaveStrategy = PolicySpec['strategy'];

export const POLICY_GROUP = 'evenkeel.dev';
/** On a workload, its binding or a namespace: "Never" excludes it from policies; on HUB_NAMESPACE it excludes the whole hub. */
export const REBALANCING = 'evenkeel.dev/rebalancing';
/** On a workload or its binding: at most so many of its replicas move at once, "1" or "10%", besides the limits of MoveBudgets. */
export const MOVE_LIMIT = 'evenkeel.dev/move-limit';
/** Leaves space for run and wave in a rebalancer's name, which is also a label value. */
export const LONGEST_POLICY_NAME = 42;

export interface RebalancePolicy {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  readonly creationTimestamp: Instant;
  readonly deletionTimestamp?: Instant;
  /** The cluster that a ClusterDrain drains; absent for a RebalancePolicy. */
  readonly drains?: string;
  /** The part of each workload's replicas that a ClusterDrain moves; absent: all of them. */
  readonly share?: DrainShare;
  /** Of a ClusterDrain that the functions created for events from outside. */
  readonly forEvents?: ForEvents;
  /** When a ClusterDrain ends; absent: when it is deleted. */
  readonly until?: Instant;
  /** The waves that a user has approved (APPROVED). */
  readonly approved?: string;
  readonly spec: PolicySpec;
  readonly status: PolicyStatus;
}

export interface PoliciesOfHub {
  readonly policies: readonly RebalancePolicy[];
  readonly drains: readonly RebalancePolicy[];
}

/** Why the functions created a ClusterDrain. */
export interface ForEvents {
  /** Uid of the RebalancePolicy. */
  readonly policy: string;
  /** The begin of its first event: those that began later count, also when they are over. */
  readonly since: Instant;
  /** Nodes of the cluster then. */
  readonly nodes?: number;
}

const schema = z.object({ metadata: objectMeta, spec: policySpec, status: z.nullish(policyStatus) });

/** Reads the object as the API server sends it. */
export function parseRebalancePolicy(object: unknown): RebalancePolicy {
  const { metadata, spec, status } = parseObject(schema, object, 'RebalancePolicy');
  return { ...policyMeta(metadata), spec, status: status ?? {} };
}

type PolicyMeta = Omit<RebalancePolicy, 'spec' | 'status' | 'drains' | 'share' | 'forEvents' | 'until'>;

/** What a policy or drain has of its ObjectMeta. */
export function policyMeta(metadata: z.output<typeof objectMeta>): PolicyMeta {
  const { name, uid, resourceVersion, generation, creationTimestamp, deletionTimestamp, annotations } = metadata;
  const { [APPROVED]: approved } = annotations;
  return {
    ...{ name, uid, resourceVersion, generation, creationTimestamp },
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    ...(approved !== undefined && { approved }),
  };
}

export const rebalancePolicies: Resource<RebalancePolicy> = {
  group: POLICY_GROUP,
  version: 'v1alpha1',
  kind: 'RebalancePolicy',
  plural: 'rebalancepolicies',
  namespaced: false,
  pageSize: 100,
  parse: parseRebalancePolicy,
};

/** Problems that neither schema nor CEL can detect: field, value and the fix; empty if there are none. */
export function problemsOf({ spec }: Pick<RebalancePolicy, 'spec'>): readonly string[] {
  const { schedule, price } = spec.triggers;
  const calendars = [
    ...(schedule === undefined ? [] : [{ field: 'spec.triggers.schedule', calendar: schedule }]),
    ...(spec.strategy.windows ?? []).map((calendar, i) => ({ field: `spec.strategy.windows[${i}]`, calendar })),
  ];
  const names = (price?.clusters ?? []).map(({ name }) => name);
  const again = names.flatMap((name, i) =>
    names.indexOf(name) < i
      ? [`spec.triggers.price.clusters[${i}].name: Duplicate value: ${JSON.stringify(name)}`]
      : [],
  );
  const crons = calendars.flatMap(({ field, calendar }) => {
    const why = whyNotCron(calendar);
    return why === undefined ? [] : [`${field}.${why}`];
  });
  return [...crons, ...again];
}

/** Whether it moves some replicas of workloads by a plan of its own, by pressure or price, and not as the scheduler decides. */
export function isShifted({ spec: { triggers } }: Pick<RebalancePolicy, 'spec'>): boolean {
  return triggers.pressure !== undefined || triggers.price !== undefined;
}

const UNITS: Readonly<Record<string, number>> = { h: 3600 * SECOND, m: 60 * SECOND, s: SECOND };

/** Milliseconds of "1h30m"; the schema has validated the format. */
export function durationMs(text: string): number {
  const parts = text.matchAll(/(\d+)([hms])/g);
  return [...parts].reduce((sum, [, number = '0', unit = 's']) => sum + Number(number) * (UNITS[unit] ?? 0), 0);
}

/** The windows in the format of calendars; empty if a wave may start at any time. */
export function windowsOf({ strategy }: PolicySpec): readonly Window[] {
  return (strategy.windows ?? []).map((window) => ({ ...window, durationMs: durationMs(window.duration) }));
}

/** Digest of the fields that a run depends on. An edit of another field, `suspend` or the request of a run, does not end the run. */
export function planOf({ spec, share }: Pick<RebalancePolicy, 'spec' | 'share'>): string {
  const { suspend: _, ...plan } = spec;
  const { requestedAt: __, ...triggers } = plan.triggers;
  return digest(JSON.stringify({ ...plan, triggers, percent: share?.percent }));
}
