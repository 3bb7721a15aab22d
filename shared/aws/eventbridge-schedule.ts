/** One-time schedules on EventBridge Scheduler: each publishes its event to the bus and deletes itself. */
import {
  ConflictException,
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  ResourceNotFoundException,
  SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import { type EvenkeelEvent, SOURCE } from '../bus/event.ts';
import type { OneTimeSchedule } from '../bus/one-time-schedule.ts';
import { readEnvironment } from '../core/environment.ts';
import type { InvocationContext } from '../core/invocation.ts';
import { type Instant, SECOND, toTimestamp } from '../core/time.ts';
import { traced } from '../core/tracing.ts';
import { awsFault } from './aws-fault.ts';
import { clientConfig, type Environment } from './client-config.ts';

export interface ScheduleTarget {
  readonly groupName: string;
  readonly busArn: string;
  readonly roleArn: string;
  readonly deadLetterArn: string;
  readonly now: () => Instant;
}

const RETRIES = 20;
const MAX_AGE_SECONDS = 3600;
/** EventBridge Scheduler rejects a time in the past, so a schedule that is almost due is moved a few seconds. Its precision is one minute anyway. */
const SOONEST_MS = 5 * SECOND;

export class EventBridgeSchedule implements OneTimeSchedule {
  readonly #client: SchedulerClient;
  readonly #target: ScheduleTarget;

  constructor(client: SchedulerClient, target: ScheduleTarget) {
    this.#client = client;
    this.#target = target;
  }

  async put(name: string, at: Instant, event: EvenkeelEvent): Promise<void> {
    const input = this.#input(name, at, traced(event));
    try {
      await this.#createOrUpdate(input);
    } catch (thrown) {
      // The schedule fired and deleted itself between create and update, so it can be created again.
      if (!(thrown instanceof ResourceNotFoundException)) throw awsFault('Scheduler', thrown);
      await this.#client.send(new CreateScheduleCommand(input)).catch((again: unknown) => {
        throw awsFault('Scheduler', again);
      });
    }
  }

  async #createOrUpdate(input: CreateScheduleCommandInput): Promise<void> {
    try {
      await this.#client.send(new CreateScheduleCommand(input));
    } catch (thrown) {
      if (!(thrown instanceof ConflictException)) throw thrown;
      await this.#client.send(new UpdateScheduleCommand(input));
    }
  }

  #input(name: string, at: Instant, { type, detail }: EvenkeelEvent): CreateScheduleCommandInput {
    const soonest = Math.max(at, this.#target.now() + SOONEST_MS);
    const wholeSecond = toTimestamp(Math.ceil(soonest / SECOND) * SECOND).replace('Z', '');
    return {
      Name: name,
      GroupName: this.#target.groupName,
      ScheduleExpression: `at(${wholeSecond})`,
      ScheduleExpressionTimezone: 'UTC',
      FlexibleTimeWindow: { Mode: 'OFF' },
      ActionAfterCompletion: 'DELETE',
      Target: {
        Arn: this.#target.busArn,
        RoleArn: this.#target.roleArn,
        EventBridgeParameters: { DetailType: type, Source: SOURCE },
        Input: JSON.stringify(detail),
        RetryPolicy: { MaximumRetryAttempts: RETRIES, MaximumEventAgeInSeconds: MAX_AGE_SECONDS },
        DeadLetterConfig: { Arn: this.#target.deadLetterArn },
      },
    };
  }
}

export function awsSchedule({ now }: InvocationContext, environment: Environment): OneTimeSchedule {
  return new EventBridgeSchedule(new SchedulerClient(clientConfig), {
    groupName: readEnvironment(environment, 'scheduleGroup'),
    busArn: readEnvironment(environment, 'busArn'),
    roleArn: readEnvironment(environment, 'scheduleRoleArn'),
    deadLetterArn: readEnvironment(environment, 'scheduleDeadLetterArn'),
    now,
  });
}
