/** Subscribes cluster-hook/read-audit-log to the audit logs of control planes: only lines of watched kinds. */
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, SubscriptionFilter } from 'aws-cdk-lib/aws-logs';
import { LambdaDestination } from 'aws-cdk-lib/aws-logs-destinations';
import { Construct } from 'constructs';
import { kindsToReport } from '../../shared/bus/watched-kinds.ts';
import type { Deployment } from './deployment.ts';

/**
 * The log of an EKS control plane has every request of the cluster, so the filter selects only changes of watched kinds. Bindings are excluded:
 * the log does not show their scheduler name, and resync finds those of our scheduler. Without policies, the additional events are
 * changes of a cluster's spec and taints, which are rare.
 */
function auditLogPattern(): string {
  const kinds = kindsToReport({ policies: true }).map(
    ({ group, resource }) => `($.objectRef.apiGroup = "${group}" && $.objectRef.resource = "${resource}")`,
  );
  // A cluster's status is written every few seconds.
  const main = '$.objectRef.subresource NOT EXISTS';
  const reads = ['get', 'list', 'watch'].map((verb) => `$.verb != "${verb}"`);
  return `{ $.stage = "ResponseComplete" && ${reads.join(' && ')} && ${main} && (${kinds.join(' || ')}) }`;
}

export class AuditLogs extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { config, target }: { readonly config: Deployment; readonly target: IFunction },
  ) {
    super(scope, id);
    for (const { name, auditLogGroup } of config.hubs) {
      if (auditLogGroup === undefined) continue;
      new SubscriptionFilter(this, name, {
        logGroup: auditLogGroup,
        destination: new LambdaDestination(target),
        filterPattern: FilterPattern.literal(auditLogPattern()),
        filterName: `${config.name}-${name}`,
      });
    }
  }
}
