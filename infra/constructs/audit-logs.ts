/** Has the audit logs of control planes sent to cluster-hook/read-audit-log: of each hub that names one, the lines of watched kinds only. */
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, LogGroup, SubscriptionFilter } from 'aws-cdk-lib/aws-logs';
import { LambdaDestination } from 'aws-cdk-lib/aws-logs-destinations';
import { Construct } from 'constructs';
import { kindsToReport } from '../../shared/events/watched-kinds.ts';
import type { EvenkeelConfig } from '../config.ts';

/**
 * The log of an EKS control plane holds every request of the cluster: what is no change of ours is not even sent. Bindings are not:
 * the log does not say whose scheduler they name, and resync finds those that are ours. Where no policies are used, what is sent for
 * them is a cluster's spec and taints, which seldom change.
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
    { config, target }: { readonly config: EvenkeelConfig; readonly target: IFunction },
  ) {
    super(scope, id);
    for (const { name, auditLogGroup } of config.hubs) {
      if (auditLogGroup === undefined) continue;
      new SubscriptionFilter(this, name, {
        logGroup: LogGroup.fromLogGroupName(this, `${name}-Log`, auditLogGroup),
        destination: new LambdaDestination(target),
        filterPattern: FilterPattern.literal(auditLogPattern()),
        filterName: `${config.name}-${name}`,
      });
    }
  }
}
