/** What a hub has of its own beside its secret: a clock that has it compared with its tasks. Everything else is shared by all hubs. */
import type * as events from 'aws-cdk-lib/aws-events';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { ResyncDue } from '../../shared/events/catalogue/resync-due.ts';
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
  constructor(scope: Construct, name: string, { config, bus, schedules }: HubProps) {
    super(scope, name);
    const minutes = config.settings.resyncMinutes;
    const event = ResyncDue.of({ hub: name });
    // By the bus, like every other event: it is archived, and the route table alone says who hears it.
    new CfnSchedule(this, 'Resync', {
      // Unique across groups too: CloudFormation knows a schedule by its name alone.
      name: `${config.name}-${name}`,
      groupName: schedules.group.scheduleGroupName,
      description: `Has hub ${name} compared with its tasks`,
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
