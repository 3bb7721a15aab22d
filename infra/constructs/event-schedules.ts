/** A group of schedules that may only put events on the bus: one group for one-time schedules, one for resync. */
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
  /** Assumed by EventBridge Scheduler. Its trust policy names the group, so that other schedules can't use it. */
  readonly role: iam.Role;
  readonly deadLetters: sqs.Queue;

  constructor(scope: Construct, id: string, { groupName, bus }: EventSchedulesProps) {
    super(scope, id);
    this.group = new ScheduleGroup(this, 'Group', {
      scheduleGroupName: groupName,
      // Every schedule can be recreated: resync finds what is due.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.deadLetters = deadLetterQueue(this, 'DeadLetters', `${groupName}-dead-letters`);
    acknowledge(this.deadLetters, {
      id: 'AwsSolutions-SQS3',
      reason:
        'This is a dead-letter queue of schedules: their targets name it, while the rule checks for the redrive policy of a queue.',
    });
    this.role = new iam.Role(this, 'Role', {
      description: `Puts the events of ${groupName} on the bus`,
      assumedBy: new iam.ServicePrincipal('scheduler.amazonaws.com', {
        conditions: {
          StringEquals: {
            'aws:SourceAccount': Stack.of(this).account,
            'aws:SourceArn': this.group.scheduleGroupArn,
          },
        },
      }),
      inlinePolicies: {
        schedules: new iam.PolicyDocument({
          statements: [
            new iam.PolicyStatement({ sid: 'Bus', actions: ['events:PutEvents'], resources: [bus.eventBusArn] }),
            new iam.PolicyStatement({
              sid: 'DeadLetters',
              actions: ['sqs:SendMessage'],
              resources: [this.deadLetters.queueArn],
            }),
          ],
        }),
      },
    });
  }
}
