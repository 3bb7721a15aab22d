/** Log groups of our own, so that every log has an end: a group that AWS makes on the fly keeps its lines for ever. */
import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Settings } from '../../shared/settings.ts';

const periods = Object.values(RetentionDays).filter((days) => typeof days === 'number');

/** CloudWatch takes certain periods only: 20 days become 30, so that nothing is gone sooner than was asked for. */
export function retentionOf(days: number): RetentionDays {
  const enough = periods.filter((period) => Number(period) >= days);
  return Math.min(...enough);
}

/** Logs go with the stack: what must be kept is in the table and on the hub. */
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
