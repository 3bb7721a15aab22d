/** Parses MoveBudgets, and reads their limits. */
import * as z from 'zod/mini';
import { objectMeta, parseObject } from '../kubernetes/hub-object.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { type Window, whyNotCron } from '../rebalance-policy/calendar.ts';
import { durationMs, MOVE_LIMIT, POLICY_GROUP } from '../rebalance-policy/rebalance-policy.ts';
import { AMOUNT, budgetObject, type moveReasons } from './budget-schema.ts';

export type MoveReason = (typeof moveReasons)[number];

export interface MoveBudget extends z.output<typeof budgetObject> {
  readonly name: string;
}

/** A number of replicas, or a percentage of those of the workload, the cluster or the hub. */
export interface Amount {
  readonly value: number;
  readonly isPercent: boolean;
}

export interface MoveLimit {
  /** The name of its MoveBudget, or of the annotation. */
  readonly of: string;
  readonly per: 'Hub' | 'Cluster' | 'Workload';
  readonly replicas: Amount;
  /** Milliseconds; absent: moves in flight count. */
  readonly window?: number;
  readonly reasons?: readonly MoveReason[];
  /** When it applies; absent: always. */
  readonly applies?: Window;
}

const schema = z.extend(budgetObject, { metadata: objectMeta });

/** Reads the object as the API server sends it. */
function parseMoveBudget(object: unknown): MoveBudget {
  const { metadata, spec } = parseObject(schema, object, 'MoveBudget');
  return { name: metadata.name, spec };
}

export const moveBudgets: Resource<MoveBudget> = {
  group: POLICY_GROUP,
  version: 'v1alpha1',
  kind: 'MoveBudget',
  plural: 'movebudgets',
  namespaced: false,
  pageSize: 100,
  parse: parseMoveBudget,
};

/** Problems that neither schema nor CEL can detect: field, value and the fix; empty if there are none. */
export function budgetProblems({ spec }: Pick<MoveBudget, 'spec'>): readonly string[] {
  return spec.limits.flatMap((limit, i) => problemOf(limit, i) ?? []);
}

function problemOf({ schedule }: MoveBudget['spec']['limits'][number], i: number): string | undefined {
  const why = schedule && whyNotCron(schedule);
  return why && `spec.limits[${i}].schedule.${why}`;
}

/** The limits of a budget. One with an invalid calendar always applies, and its name has the error: what can't be read permits nothing. */
export function limitsOf({ name, spec }: Pick<MoveBudget, 'name' | 'spec'>): readonly MoveLimit[] {
  return spec.limits.map((limit, i) => {
    const { per, replicas, window, reasons, schedule, duration = '' } = limit;
    const problem = problemOf(limit, i);
    const applies = problem === undefined && schedule && { ...schedule, durationMs: durationMs(duration) };
    return {
      of: `MoveBudget ${name}${problem === undefined ? '' : ` (${problem})`}`,
      per,
      replicas: amountOf(replicas),
      ...(window !== undefined && { window: durationMs(window) }),
      ...(reasons !== undefined && { reasons }),
      ...(applies && { applies }),
    };
  });
}

/** The limit that the annotation of a workload sets; an invalid one allows no move. */
export function workloadLimit(annotation: string): MoveLimit {
  const replicas = AMOUNT.test(annotation) ? amountOf(annotation) : { value: 0, isPercent: false };
  return { of: `annotation ${MOVE_LIMIT}: ${annotation}`, per: 'Workload', replicas };
}

function amountOf(text: string): Amount {
  return { value: Number.parseInt(text, 10), isPercent: text.endsWith('%') };
}

/** The amount in replicas; a percentage is rounded up, so that 10 % of four is one. */
export function replicasOf({ value, isPercent }: Amount, total: number): number {
  return isPercent ? Math.ceil((total * value) / 100) : value;
}
