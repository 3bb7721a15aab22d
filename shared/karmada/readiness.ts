/** What a member reported of a binding's replicas: for functions that wait until they are ready. */
import type { PlacedBinding } from './placed-binding.ts';

export type ReportedStatus = PlacedBinding['status']['aggregatedStatus'][number];

/** By cluster's name. */
export function reportsOf({ status }: PlacedBinding): ReadonlyMap<string, ReportedStatus> {
  return new Map(status.aggregatedStatus.map((item) => [item.clusterName, item]));
}

/** Ready replicas of the last report. A kind without a count, such as a Job, is ready with all of `replicas` when it is healthy. */
export function readyIn(report: ReportedStatus | undefined, replicas: number): number {
  const { status, health } = report ?? {};
  const counts = status?.replicas != null || status?.readyReplicas != null;
  if (counts) return status?.readyReplicas ?? 0;
  return health === 'Healthy' ? replicas : 0;
}

/** Why not every replica is assigned; undefined if all are. */
export function whyNotAssigned({ spec, status }: PlacedBinding): string | undefined {
  const scheduled = status.conditions.find(({ type }) => type === 'Scheduled');
  if (scheduled?.status === 'False')
    return `the scheduler could not place it: ${scheduled.message ?? 'it gives no reason'}`;
  const assigned = spec.clusters.reduce((sum, { replicas }) => sum + replicas, 0);
  return assigned < spec.replicas ? `${assigned} of ${spec.replicas} replicas are assigned` : undefined;
}

/** The newest version of the template that any member reports; undefined where the kind reports none. */
export function newestTemplate({ status }: PlacedBinding): number | undefined {
  const reported = status.aggregatedStatus.flatMap((item) => item.status?.resourceTemplateGeneration ?? []);
  return reported.length === 0 ? undefined : Math.max(...reported);
}

/** Why a report is outdated; undefined if it is current, or the kind does not report it. */
export function whyNotCurrent(report: ReportedStatus | undefined, template: number | undefined): string | undefined {
  if (report === undefined) return 'nothing is reported';
  if (report.applied === false) return 'it is not applied';
  const { generation, observedGeneration, resourceTemplateGeneration: given } = report.status ?? {};
  if (generation != null && observedGeneration != null && observedGeneration < generation)
    return 'its controller has not observed the last change yet';
  if (given != null && template !== undefined && given < template) return 'it has not been given the last template yet';
  return undefined;
}
