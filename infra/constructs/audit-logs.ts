/** Subscribes cluster-hook/read-audit-log to the audit logs of control planes: only lines of watched kinds. */
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, SubscriptionFilter } from 'aws-cdk-lib/aws-logs';
import { LambdaDestination } from 'aws-cdk-lib/aws-logs-destinations';
import { Construct } from 'constructs';
import { auditLogPattern } from '../../shared/bus/audit-log-pattern.ts';
import type { Deployment } from './deployment.ts';

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
