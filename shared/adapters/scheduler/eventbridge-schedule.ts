/** One-time schedules on EventBridge Scheduler: each puts its event on the bus and deletes itself. */
import {
  ConflictException,
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  ResourceNotFoundException,
  type SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import { type EvenkeelEvent, SOURCE } from '../../events/event.ts';
import { type Instant, SECOND, toTimestamp } from '../../model/time.ts';
import type { OneTimeSchedule } from '../../ports/one-time-schedule.ts';
import { awsFault } from '../aws/aws-fault.ts';

export interface ScheduleTarget {
  readonly groupName: string;
  readonly busArn: string;
  readonly roleArn: string;
  readonly deadLetterArn: string;
  readonly now: () => Instant;
}

const RETRIES = 20;
const MAX_AGE_SECONDS = 3600;
/** A time that has passed when the call arrives is refused; so what is nearly due is put a little later. Scheduler is exact to a minute anyway. */
const SOONEST_MS = 5 * SECOND;

export class EventBridgeSchedule implements OneTimeSchedule {
  readonly #client: SchedulerClient;
  readonly #target: ScheduleTarget;

  constructor(client: SchedulerClient, target: ScheduleTarget) {
    this.#client = client;
    this.#target = target;
  }

  async put(name: string, at: Instant, event: EvenkeelEvent): Promise<void> {
    const input = this.#input(name, at, event);
    try {
      await this.#createOrUpdate(input);
    } catch (thrown) {
      // It fired and deleted itself between our create and our update: then there is none, and it can be created.
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
