/** A binding in the middle of a move, and the clusters it is on: a test names only what it is about. */
import type { ReductionInput } from '../../../shared/graceful-reduction/decide-reductions.ts';
import { QUEUE, REDUCTION_STRATEGY } from '../../../shared/graceful-reduction/replica-reduction.ts';
import { type Member, parseMember } from '../../../shared/karmada/member-cluster.ts';
import type { PlacedBinding } from '../../../shared/karmada/placed-binding.ts';
import { clusterObject, type Numbers, placedBinding } from '../../placed-objects.ts';

export const NOW = Date.parse('2026-11-21T12:00:00Z');

export interface Reported {
  readonly ready?: number;
  readonly replicas?: number;
  readonly updated?: number | null;
  readonly generation?: number;
  readonly observedGeneration?: number;
  readonly template?: number;
  readonly health?: string;
  readonly applied?: boolean;
}

export interface Scene {
  readonly replicas?: number;
  readonly assigned: Numbers;
  /** By cluster: the fields of its queue entry. */
  readonly queue?: Readonly<Record<string, object | string>>;
  /** By cluster: ready replicas, or a whole report. */
  readonly reported?: Readonly<Record<string, number | Reported>>;
  readonly annotations?: Readonly<Record<string, string | undefined>>;
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
  readonly placement?: object;
}

const SCHEDULED_AT = '2026-11-21T11:59:50Z';

export function bindingOf(scene: Scene): PlacedBinding {
  const { assigned, queue = {}, reported = {}, annotations = {}, metadata, spec, status, placement } = scene;
  const all = {
    [REDUCTION_STRATEGY]: 'DelayWorkDeletion',
    ...Object.fromEntries(
      Object.entries(queue).map(([cluster, entry]) => [
        `${QUEUE}${cluster}`,
        typeof entry === 'string' ? entry : JSON.stringify(entry),
      ]),
    ),
    ...annotations,
  };
  const total = Object.values(assigned).reduce((sum, count) => sum + count, 0);
  return placedBinding({
    replicas: scene.replicas ?? total,
    current: assigned,
    ...(placement && { placement }),
    metadata: { annotations: JSON.parse(JSON.stringify(all)) as object, ...metadata },
    ...(spec && { spec }),
    status: {
      lastScheduledTime: SCHEDULED_AT,
      aggregatedStatus: Object.entries(reported).map(([name, report]) =>
        itemOf(name, typeof report === 'number' ? { ready: report } : report),
      ),
      ...status,
    },
  });
}

function itemOf(clusterName: string, report: Reported): object {
  const { ready = 0, replicas = ready, updated = replicas, generation = 2, observedGeneration = 2 } = report;
  const { template = 1, health, applied = true } = report;
  if (health !== undefined) return { clusterName, applied, health };
  const counts = { replicas, updatedReplicas: updated, ...(ready > 0 && { readyReplicas: ready }) };
  return {
    clusterName,
    applied,
    status: { ...counts, generation, observedGeneration, resourceTemplateGeneration: template },
  };
}

function member(name: string, ready = true): Member {
  const cluster = clusterObject(name) as { status: object };
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'Unknown' }];
  return parseMember({ ...cluster, status: { ...cluster.status, conditions } });
}

export interface Around {
  readonly unready?: readonly string[];
  readonly absent?: readonly string[];
  readonly now?: number;
  readonly graceSeconds?: number;
  readonly releaseOnTemplateChange?: boolean;
}

export function inputOf(scene: Scene, context: Around = {}): ReductionInput {
  const { unready = [], absent = [], now = NOW, graceSeconds = 600, releaseOnTemplateChange = false } = context;
  const names = ['m1', 'm2', 'm3'].filter((name) => !absent.includes(name));
  const members = new Map(names.map((name) => [name, member(name, !unready.includes(name))]));
  return { binding: bindingOf(scene), members, now, graceSeconds, releaseOnTemplateChange };
}
