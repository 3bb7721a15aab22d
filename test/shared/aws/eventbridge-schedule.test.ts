import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { afterEach, describe, expect, it } from 'vitest';
import { EventBridgeSchedule } from '../../../shared/aws/eventbridge-schedule.ts';
import { RebalancerExpiryDue } from '../../../shared/bus/catalogue.ts';
import { at } from '../../builders.ts';
import { type AwsAnswer, type AwsCall, type AwsEndpoint, startAwsEndpoint } from '../../fakes/aws-endpoint.ts';

let endpoint: AwsEndpoint | undefined;
afterEach(() => endpoint?.close());

const due = RebalancerExpiryDue.of({ hub: 'karmada', uid: 'u', name: 'demo' });

async function schedule(answer: (call: AwsCall, index: number) => AwsAnswer): Promise<EventBridgeSchedule> {
  endpoint = await startAwsEndpoint(answer);
  return new EventBridgeSchedule(new SchedulerClient({ ...endpoint.config, maxAttempts: 1 }), {
    groupName: 'evenkeel',
    busArn: 'arn:bus',
    roleArn: 'arn:role',
    deadLetterArn: 'arn:dlq',
    now: () => at(0),
  });
}

const done: AwsAnswer = { body: { ScheduleArn: 'arn:aws:scheduler:local:000000000000:schedule/evenkeel/x' } };

describe('a one-time schedule', () => {
  it('is due at the whole second at or after the instant, puts its event on the bus, and deletes itself', async () => {
    await (await schedule(() => done)).put('expire-1', at(5) + 1, due);
    expect(endpoint?.calls.map(({ operation }) => operation)).toEqual(['POST /schedules/expire-1']);
    expect(endpoint?.calls[0]?.input).toMatchObject({
      GroupName: 'evenkeel',
      ScheduleExpression: 'at(2026-11-21T10:00:06)',
      ScheduleExpressionTimezone: 'UTC',
      ActionAfterCompletion: 'DELETE',
      Target: {
        Arn: 'arn:bus',
        EventBridgeParameters: { DetailType: 'RebalancerExpiryDue', Source: 'evenkeel' },
        Input: '{"hub":"karmada","uid":"u","name":"demo","version":1}',
        DeadLetterConfig: { Arn: 'arn:dlq' },
      },
    });
  });

  it.each([
    ['has passed', -60],
    ['is now', 0],
    ['comes in a moment', 1],
  ])(
    'with time %s is set to five seconds from now: AWS rejects a time that has passed when the call arrives',
    async (_, seconds) => {
      await (await schedule(() => done)).put('expire-1', at(seconds), due);
      expect(endpoint?.calls[0]?.input.ScheduleExpression).toBe('at(2026-11-21T10:00:05)');
    },
  );

  it('replaces a schedule of the same name', async () => {
    const subject = await schedule((_, index) => (index === 0 ? { status: 409, error: 'ConflictException' } : done));
    await subject.put('expire-1', at(5), due);
    expect(endpoint?.calls.map(({ operation }) => operation)).toEqual([
      'POST /schedules/expire-1',
      'PUT /schedules/expire-1',
    ]);
  });

  it('is created again if the old one fired and was deleted between our two calls', async () => {
    const answers: AwsAnswer[] = [
      { status: 409, error: 'ConflictException' },
      { status: 404, error: 'ResourceNotFoundException' },
      done,
    ];
    await (await schedule((_, index) => answers[index] ?? done)).put('expire-1', at(5), due);
    expect(endpoint?.calls.map(({ operation }) => operation.split(' ')[0])).toEqual(['POST', 'PUT', 'POST']);
  });

  it('names the service that rejected the call, and the reason', async () => {
    const subject = await schedule(() => ({ status: 403, error: 'AccessDeniedException' }));
    await expect(subject.put('expire-1', at(5), due)).rejects.toMatchObject({
      retryClass: 'retryable',
      message: expect.stringContaining('Scheduler: AccessDeniedException') as string,
    });
  });
});
