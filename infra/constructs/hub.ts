/** The resources of a hub besides its secret: schedules for its resync, its descheduling and its token renewal. All others are shared. */
import type * as events from 'aws-cdk-lib/aws-events';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { SOURCE } from '../../shared/bus/event.ts';
import { deschedulingSchedule, type HubSchedule, resyncSchedule, tokenSchedule } from '../../shared/bus/schedules.ts';
import type { Deployment } from './deployment.ts';
import type { EventSchedules } from './event-schedules.ts';

export interface HubProps {
  readonly config: Deployment;
  readonly bus: events.EventBus;
  readonly schedules: EventSchedules;
}

/** A retry is useful only until the next schedule, and EventBridge Scheduler requires at least a minute. */
const RETRIES = 3;
const DAY_SECONDS = 86_400;

export class HubConstruct extends Construct {
  constructor(scope: Construct, name: string, props: HubProps) {
    super(scope, name);
    // Names are unique across groups too: CloudFormation identifies a schedule by its name alone. With a hub's name of 40
    // characters, only the separator between the two names can distinguish a hub's schedules.
    const { name: deployment } = props.config;
    this.#schedule('Resync', resyncSchedule, { ...props, hub: name, scheduleName: `${deployment}-${name}` });
    this.#schedule('TokenCheck', tokenSchedule, { ...props, hub: name, scheduleName: `${deployment}.${name}` });
    this.#schedule('Descheduling', deschedulingSchedule, {
      ...props,
      hub: name,
      scheduleName: `${deployment}_${name}`,
    });
  }

  #schedule(
    id: string,
    schedule: HubSchedule,
    props: HubProps & { readonly hub: string; readonly scheduleName: string },
  ): void {
    const { config, bus, schedules, hub, scheduleName } = props;
    const minutes = schedule.minutes(config.settings);
    const event = schedule.event(hub);
    // Published to the bus, like every other event, so that it is archived and routed by the route table.
    new CfnSchedule(this, id, {
      name: scheduleName,
      groupName: schedules.group.scheduleGroupName,
      description: schedule.purpose(hub),
      scheduleExpression: `rate(${minutes} ${minutes === 1 ? 'minute' : 'minutes'})`,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: bus.eventBusArn,
        roleArn: schedules.role.roleArn,
        eventBridgeParameters: { source: SOURCE, detailType: event.type },
        input: JSON.stringify(event.detail),
        retryPolicy: {
          maximumRetryAttempts: RETRIES,
          maximumEventAgeInSeconds: Math.min(minutes * 60, DAY_SECONDS),
        },
        deadLetterConfig: { arn: schedules.deadLetters.queueArn },
      },
    });
  }
}
