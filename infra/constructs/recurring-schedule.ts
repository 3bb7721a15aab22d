/** The one schedule of a deployment, in a group of its own: functions that make one-time schedules cannot change it. */
import type * as events from 'aws-cdk-lib/aws-events';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { SOURCE } from '../../shared/bus/event.ts';
import { deploymentSchedule } from '../../shared/bus/schedules.ts';
import { scheduleGroup, scheduleRole } from './event-schedules.ts';

export interface RecurringScheduleProps {
  /** Of the deployment. */
  readonly name: string;
  readonly bus: events.EventBus;
}

const RETRIES = 3;

export class RecurringSchedule extends Construct {
  constructor(scope: Construct, id: string, { name, bus }: RecurringScheduleProps) {
    super(scope, id);
    const { event, minutes } = deploymentSchedule;
    const group = scheduleGroup(this, `${name}-resync-schedules`);
    // Published to the bus, like every other event, so that it is archived and routed by the route table. Without a dead-letter queue: the
    // next event covers a lost one, and the alarm silent-resync fires if none comes.
    new CfnSchedule(this, 'HubSchedules', {
      name: `${name}-hub-schedules`,
      groupName: group.scheduleGroupName,
      description: 'Publishes the recurring events of all hubs that are due',
      scheduleExpression: `rate(${minutes} minute)`,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: bus.eventBusArn,
        roleArn: scheduleRole(this, { group, bus }).roleArn,
        eventBridgeParameters: { source: SOURCE, detailType: event.type },
        input: JSON.stringify(event.detail),
        // A retry is useful only until the next event, and EventBridge Scheduler requires at least a minute.
        retryPolicy: { maximumRetryAttempts: RETRIES, maximumEventAgeInSeconds: minutes * 60 },
      },
    });
  }
}
