/** What a member reported of a binding's replicas: for whoever waits until they are ready. */
import type { PlacedBinding } from './placed-binding.ts';

export type ReportedStatus = PlacedBinding['status']['aggregatedStatus'][number];

/** By cluster's name. */
export function reportsOf({ status }: PlacedBinding): ReadonlyMap<string, ReportedStatus> {
  return new Map(status.aggregatedStatus.map((item) => [item.clusterName, item]));
}

/** Replicas that are ready by the last report. What counts no replicas, as a Job, is ready with all of `replicas` when it is healthy. */
export function readyIn(report: ReportedStatus | undefined, replicas: number): number {
  const { status, health } = report ?? {};
  const counts = status?.replicas != null || status?.readyReplicas != null;
  if (counts) return status?.readyReplicas ?? 0;
  return health === 'Healthy' ? replicas : 0;
}

/** Why not every replica has a place; undefined where each has. */
export function whyNotAssigned({ spec, status }: PlacedBinding): string | undefined {
  const scheduled = status.conditions.find(({ type }) => type === 'Scheduled');
  if (scheduled?.status === 'False')
    return `the scheduler could not place it: ${scheduled.message ?? 'it does not say why'}`;
  const assigned = spec.clusters.reduce((sum, { replicas }) => sum + replicas, 0);
  return assigned < spec.replicas ? `${assigned} of ${spec.replicas} replicas are assigned` : undefined;
}

/** The newest version of the template that any member reports; undefined where the kind reports none. */
export function newestTemplate({ status }: PlacedBinding): number | undefined {
  const reported = status.aggregatedStatus.flatMap((item) => item.status?.resourceTemplateGeneration ?? []);
  return reported.length === 0 ? undefined : Math.max(...reported);
}

/** Why a report does not tell of what was asked for last; undefined where it does, or the kind does not say. */
export function whyNotCurrent(report: ReportedStatus | undefined, template: number | undefined): string | undefined {
  if (report === undefined) return 'nothing is reported';
  if (report.applied === false) return 'it is not applied';
  const { generation, observedGeneration, resourceTemplateGeneration: given } = report.status ?? {};
  if (generation != null && observedGeneration != null && observedGeneration < generation)
    return 'its controller has not looked at the last change yet';
  if (given != null && template !== undefined && given < template) return 'it has not been given the last template yet';
  return undefined;
}
