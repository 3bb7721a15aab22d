/** Groups of schedules that may only put events on the bus, and the group of one-time schedules, which functions make. */
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import type * as events from 'aws-cdk-lib/aws-events';
import * as iam from 'aws-cdk-lib/aws-iam';
import { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { deadLetterQueue } from './queues.ts';

export interface EventSchedulesProps {
  readonly groupName: string;
  readonly bus: events.EventBus;
}

export class EventSchedules extends Construct {
  readonly group: ScheduleGroup;
  readonly role: iam.Role;
  readonly deadLetters: sqs.Queue;

  constructor(scope: Construct, id: string, { groupName, bus }: EventSchedulesProps) {
    super(scope, id);
    this.group = scheduleGroup(this, groupName);
    this.deadLetters = deadLetterQueue(this, 'DeadLetters', `${groupName}-dead-letters`);
    acknowledge(this.deadLetters, {
      id: 'AwsSolutions-SQS3',
      reason:
        'This is a dead-letter queue of schedules: their targets name it, while the rule checks for the redrive policy of a queue.',
    });
    this.role = scheduleRole(this, { group: this.group, bus, deadLetters: this.deadLetters });
  }
}

export function scheduleGroup(scope: Construct, scheduleGroupName: string): ScheduleGroup {
  // Every schedule can be recreated: resync finds what is due.
  return new ScheduleGroup(scope, 'Group', { scheduleGroupName, removalPolicy: RemovalPolicy.DESTROY });
}

export interface ScheduleRoleProps {
  readonly group: ScheduleGroup;
  readonly bus: events.EventBus;
  readonly deadLetters?: sqs.Queue;
}

/** Assumed by EventBridge Scheduler. Its trust policy names the group, so that other schedules can't use it. */
export function scheduleRole(scope: Construct, { group, bus, deadLetters }: ScheduleRoleProps): iam.Role {
  const statements = [
    new iam.PolicyStatement({ sid: 'Bus', actions: ['events:PutEvents'], resources: [bus.eventBusArn] }),
    ...(deadLetters === undefined
      ? []
      : [
          new iam.PolicyStatement({
            sid: 'DeadLetters',
            actions: ['sqs:SendMessage'],
            resources: [deadLetters.queueArn],
          }),
        ]),
  ];
  return new iam.Role(scope, 'Role', {
    description: `Puts the events of ${group.scheduleGroupName} on the bus`,
    assumedBy: new iam.ServicePrincipal('scheduler.amazonaws.com', {
      conditions: {
        StringEquals: {
          'aws:SourceAccount': Stack.of(scope).account,
          'aws:SourceArn': group.scheduleGroupArn,
        },
      },
    }),
    inlinePolicies: { schedules: new iam.PolicyDocument({ statements }) },
  });
}
