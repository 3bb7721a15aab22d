/** Log groups of our own, so that every log has an end: a group that AWS makes on the fly keeps its lines for ever. */
import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Settings } from '../../shared/core/settings.ts';

const periods = Object.values(RetentionDays).filter((days) => typeof days === 'number');

/** CloudWatch supports certain periods only: 20 days become 30, so that logs are kept at least as long as configured. */
export function retentionOf(days: number): RetentionDays {
  const enough = periods.filter((period) => Number(period) >= days);
  return Math.min(...enough);
}

/** Logs are deleted with the stack: the table and the hub hold everything that must be kept. */
export function logGroup(scope: Construct, id: string, { logRetentionDays }: Settings, name?: string): LogGroup {
  return new LogGroup(scope, id, {
    ...(name !== undefined && { logGroupName: name }),
    retention: retentionOf(logRetentionDays),
    removalPolicy: RemovalPolicy.DESTROY,
  });
}

/** What every function's log group is called, without the function's own name. */
export function logsPrefix({ name }: { readonly name: string }): string {
  return `/${name}/`;
}
