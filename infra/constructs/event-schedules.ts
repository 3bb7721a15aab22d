/** A group of schedules that may put events on the bus and nothing else: one for the functions' one-time schedules, one for resync. */
import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type * as events from 'aws-cdk-lib/aws-events';
import * as iam from 'aws-cdk-lib/aws-iam';
import { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { deadLetterQueue } from './queues.ts';

export interface EventSchedulesProps {
  readonly groupName: string;
  readonly bus: events.EventBus;
}

export class EventSchedules extends Construct {
  readonly group: ScheduleGroup;
  /** Scheduler takes it on. Its trust names the group, so that a schedule elsewhere can't borrow it. */
  readonly role: iam.Role;
  readonly deadLetters: sqs.Queue;

  constructor(scope: Construct, id: string, { groupName, bus }: EventSchedulesProps) {
    super(scope, id);
    this.group = new ScheduleGroup(this, 'Group', {
      scheduleGroupName: groupName,
      // Every schedule can be made anew: resync finds what is due.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.deadLetters = deadLetterQueue(this, 'DeadLetters', `${groupName}-dead-letters`);
    Validations.of(this.deadLetters).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason:
        "This is a dead-letter queue: of schedules, whose targets name it, where the rule looks for a queue's redrive policy.",
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
