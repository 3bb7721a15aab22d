/** Lets the audit logs of control planes invoke cluster-hook/read-audit-log. The subscriptions themselves belong to hubs: evenkeel hub add makes them. */
import { ArnFormat, Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';

/** Log groups of this account and region only; the function drops what a group sends that no hub names. */
export function allowAuditLogs(reader: IFunction): void {
  const stack = Stack.of(reader);
  reader.addPermission('AuditLogs', {
    principal: new ServicePrincipal('logs.amazonaws.com'),
    sourceAccount: stack.account,
    sourceArn: stack.formatArn({
      service: 'logs',
      resource: 'log-group',
      resourceName: '*',
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    }),
  });
}
