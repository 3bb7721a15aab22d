/** What a hub has of its own beside its secret: clocks that have it compared with its tasks, descheduled, and its token renewed. Everything else is shared by all hubs. */
import type * as events from 'aws-cdk-lib/aws-events';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { deschedulingClock, type HubClock, resyncClock, tokenClock } from '../../shared/events/clocks.ts';
import { SOURCE } from '../../shared/events/event.ts';
import type { EvenkeelConfig } from '../config.ts';
import type { EventSchedules } from './event-schedules.ts';

export interface HubProps {
  readonly config: EvenkeelConfig;
  readonly bus: events.EventBus;
  readonly schedules: EventSchedules;
}

/** The next tick is as good as a late one: no use in trying longer than that, and Scheduler wants at least a minute. */
const RETRIES = 3;
const DAY_SECONDS = 86_400;

export class Hub extends Construct {
  constructor(scope: Construct, name: string, props: HubProps) {
    super(scope, name);
    // Names are unique across groups too: CloudFormation knows a schedule by its name alone. With a hub's name of 40
    // characters nothing but the sign between the two names is left to tell the clocks of a hub apart.
    const { name: deployment } = props.config;
    this.#tick('Resync', resyncClock, { ...props, hub: name, scheduleName: `${deployment}-${name}` });
    this.#tick('TokenCheck', tokenClock, { ...props, hub: name, scheduleName: `${deployment}.${name}` });
    this.#tick('Descheduling', deschedulingClock, { ...props, hub: name, scheduleName: `${deployment}_${name}` });
  }

  #tick(id: string, clock: HubClock, props: HubProps & { readonly hub: string; readonly scheduleName: string }): void {
    const { config, bus, schedules, hub, scheduleName } = props;
    const minutes = clock.minutes(config.settings);
    const event = clock.event(hub);
    // By the bus, like every other event: it is archived, and the route table alone says who hears it.
    new CfnSchedule(this, id, {
      name: scheduleName,
      groupName: schedules.group.scheduleGroupName,
      description: clock.purpose(hub),
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
