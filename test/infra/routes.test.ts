import { describe, expect, it } from 'vitest';
import { type Route, routes } from '../../shared/events/routes.ts';
import { functions } from '../../shared/functions.ts';
import { lambdaOf, only, queueNamed, type Resource, resourcesOf, synthesize, targetOf, textOf } from './stacks.ts';

const { functions: template } = synthesize();

const ruleOf = (route: Route): Resource =>
  only(
    resourcesOf(template, 'AWS::Events::Rule').filter(({ properties }) => properties.Name === `evenkeel-${route.name}`),
    route.name,
  );
const queueOf = (route: Route): Resource => queueNamed(template, `evenkeel-${route.name}`);
const deadLettersOf = (route: Route): Resource => queueNamed(template, `evenkeel-${route.name}-dead-letters`);
const feedOf = (route: Route): Resource =>
  only(
    resourcesOf(template, 'AWS::Lambda::EventSourceMapping').filter(
      ({ properties }) => targetOf(properties.EventSourceArn) === queueOf(route).id,
    ),
    route.name,
  );

describe.each(routes.map((route) => [route.name, route as Route] as const))('the hop %s', (_, route) => {
  it('begins with a rule on the bus that matches its event and nothing else', () => {
    const { EventPattern, EventBusName, Targets, State } = ruleOf(route).properties;
    expect(EventPattern).toEqual({ source: ['evenkeel'], 'detail-type': [route.hears] });
    expect(textOf(EventBusName)).toMatch(/^EvenkeelState:ExportsOutputRefStateBus/);
    expect(State).toBe('ENABLED');
    const [target, ...others] = Targets as [{ Arn: unknown; DeadLetterConfig: { Arn: unknown } }];
    expect(others).toEqual([]);
    expect(targetOf(target.Arn)).toBe(queueOf(route).id);
    expect(targetOf(target.DeadLetterConfig.Arn)).toBe(deadLettersOf(route).id);
  });

  it('has a queue that hides a message for six timeouts and a batch window', () => {
    const { VisibilityTimeout, DelaySeconds } = queueOf(route).properties;
    const { timeoutSeconds } = functions[route.function];
    expect(VisibilityTimeout).toBe(6 * timeoutSeconds + route.queue.batchWindowSeconds);
    expect(DelaySeconds).toBe(route.queue.delaySeconds);
  });

  it('gives up after maxReceives into dead letters that are kept for 14 days', () => {
    const redrive = queueOf(route).properties.RedrivePolicy as {
      deadLetterTargetArn: unknown;
      maxReceiveCount: number;
    };
    expect(targetOf(redrive.deadLetterTargetArn)).toBe(deadLettersOf(route).id);
    expect(redrive.maxReceiveCount).toBe(7);
    expect(deadLettersOf(route).properties.MessageRetentionPeriod).toBe(14 * 24 * 3600);
  });

  it('feeds its function with batches whose failures are reported one by one', () => {
    const { batchSize, batchWindowSeconds, maxConcurrency } = route.queue;
    expect(feedOf(route).properties).toEqual({
      BatchSize: batchSize,
      EventSourceArn: { 'Fn::GetAtt': [queueOf(route).id, 'Arn'] },
      FunctionName: { Ref: lambdaOf(template, route.function).id },
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumBatchingWindowInSeconds: batchWindowSeconds,
      ScalingConfig: { MaximumConcurrency: maxConcurrency },
    });
  });

  it('is named in the environment of its function, dead letters and all', () => {
    const environment = lambdaOf(template, route.function).properties.Environment as {
      Variables: { EVENKEEL_QUEUES: unknown };
    };
    const queues = JSON.parse(textOf(environment.Variables.EVENKEEL_QUEUES)) as Record<string, unknown>;
    expect(queues[`{'Fn::GetAtt':['${queueOf(route).id}','Arn']}`]).toEqual({
      url: `{'Ref':'${queueOf(route).id}'}`,
      deadLetterUrl: `{'Ref':'${deadLettersOf(route).id}'}`,
    });
  });
});

describe('queues', () => {
  it('are encrypted and reached over TLS only', () => {
    const queues = resourcesOf(template, 'AWS::SQS::Queue');
    expect(queues.filter(({ properties }) => properties.SqsManagedSseEnabled !== true)).toEqual([]);
    const guarded = resourcesOf(template, 'AWS::SQS::QueuePolicy').flatMap(({ properties }) => {
      const { Statement } = properties.PolicyDocument as { Statement: readonly Record<string, unknown>[] };
      const denies = Statement.some(
        ({ Effect, Condition }) =>
          Effect === 'Deny' && JSON.stringify(Condition) === '{"Bool":{"aws:SecureTransport":"false"}}',
      );
      return denies ? (properties.Queues as unknown[]).map(targetOf) : [];
    });
    expect(guarded.toSorted()).toEqual(queues.map(({ id }) => id).toSorted());
  });
});

describe('resync', () => {
  const schedules = resourcesOf(
    synthesize({ hubs: [{ name: 'karmada' }], settings: { resyncMinutes: 1 } }).functions,
    'AWS::Scheduler::Schedule',
  );

  it('comes due for each hub at the interval of the settings, as an event on the bus', () => {
    const { ScheduleExpression, Target, FlexibleTimeWindow } = only(schedules, 'schedules').properties;
    expect(ScheduleExpression).toBe('rate(1 minute)');
    expect(FlexibleTimeWindow).toEqual({ Mode: 'OFF' });
    const { EventBridgeParameters, Input, RetryPolicy } = Target as Record<string, unknown>;
    expect(EventBridgeParameters).toEqual({ Source: 'evenkeel', DetailType: 'ResyncDue' });
    expect(JSON.parse(Input as string)).toEqual({ hub: 'karmada', version: 1 });
    // After that long the next tick is there.
    expect(RetryPolicy).toEqual({ MaximumRetryAttempts: 3, MaximumEventAgeInSeconds: 60 });
  });

  it('has a schedule a hub', () => {
    const names = resourcesOf(template, 'AWS::Scheduler::Schedule').map(({ properties }) => properties.Name);
    expect(names).toEqual(['evenkeel-karmada', 'evenkeel-edge-1']);
  });
});

describe('the hook', () => {
  it('takes POST on the path of a hub, is throttled by the number of hubs and logs no header', () => {
    const route = only(resourcesOf(template, 'AWS::ApiGatewayV2::Route'), 'routes').properties;
    expect(route.RouteKey).toBe('POST /hubs/{hub}/audit');
    const stage = only(resourcesOf(template, 'AWS::ApiGatewayV2::Stage'), 'stages').properties;
    // Two hubs of three API servers, each with 10 requests a second and bursts of 15.
    expect(stage.DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 60, ThrottlingBurstLimit: 90 });
    const { Format } = stage.AccessLogSettings as { Format: string };
    expect(Object.keys(JSON.parse(Format) as object)).not.toContain('authorization');
    expect(Format).not.toContain('header');
  });
});
