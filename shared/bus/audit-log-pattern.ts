/** The filter of the subscription to a hub's audit log: only lines of watched kinds. */
import { kindsToReport } from './watched-kinds.ts';

/**
 * The log of an EKS control plane has every request of the cluster, so the filter selects only changes of watched kinds. Bindings are excluded:
 * the log does not show their scheduler name, and resync finds those of our scheduler. Without policies, the additional events are
 * changes of a cluster's spec and taints, which are rare.
 */
export function auditLogPattern(): string {
  const kinds = kindsToReport({ policies: true }).map(
    ({ group, resource }) => `($.objectRef.apiGroup = "${group}" && $.objectRef.resource = "${resource}")`,
  );
  // A cluster's status is written every few seconds.
  const main = '$.objectRef.subresource NOT EXISTS';
  const reads = ['get', 'list', 'watch'].map((verb) => `$.verb != "${verb}"`);
  return `{ $.stage = "ResponseComplete" && ${reads.join(' && ')} && ${main} && (${kinds.join(' || ')}) }`;
}
