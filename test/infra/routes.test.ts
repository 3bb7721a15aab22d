import { describe, expect, it } from 'vitest';
import { catalogue, type EventType } from '../../shared/bus/catalogue.ts';
import { functions } from '../../shared/bus/functions.ts';
import { type Route, routes } from '../../shared/bus/routes.ts';
import { knownEvents } from '../../shared/external-events/parse-event.ts';
import {
  actionsOf,
  grantsOf,
  lambdaOf,
  only,
  queueNamed,
  type Resource,
  resourcesOf,
  synthesize,
  targetOf,
  textOf,
} from './stacks.ts';

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

const fieldsOf = (type: EventType): readonly string[] =>
  Object.keys((catalogue[type].schema as unknown as { def: { shape: object } }).def.shape);

it('every event but that of the one schedule and those from outside names its hub, by which queues are fair', () => {
  const withoutHub = (Object.keys(catalogue) as EventType[]).filter((type) => !fieldsOf(type).includes('hub'));
  expect(withoutHub).toEqual(['HubSchedulesDue', 'ExternalEventReceived']);
  expect(Object.values(catalogue).flatMap((event) => ('ofNoHub' in event ? [event.type] : []))).toEqual(withoutHub);
});

it('takes the known events of AWS from the default bus', () => {
  const rule = resourcesOf(template, 'AWS::Events::Rule').find(
    ({ properties }) => properties.Name === 'evenkeel-receive-event-of-aws',
  );
  const { EventPattern, EventBusName, Targets } = rule?.properties ?? {};
  expect(EventBusName).toBe('default');
  const { source, 'detail-type': types } = EventPattern as Record<string, readonly string[]>;
  for (const known of knownEvents)
    expect([source?.includes(known.source), known.detailTypes.every((type) => types?.includes(type))]).toEqual([
      true,
      true,
    ]);
  const [{ Arn }] = Targets as [{ Arn: unknown }];
  expect(targetOf(Arn)).toBe(queueNamed(template, 'evenkeel-receive-event').id);
});

describe.each(routes.map((route) => [route.name, route as Route] as const))('the route %s', (_, route) => {
  it('begins with a rule on the bus that matches its event and nothing else', () => {
    const { EventPattern, EventBusName, Targets, State } = ruleOf(route).properties;
    const isReported = route.consumes.some((type) => 'fromHub' in catalogue[type]);
    const bridges = isReported ? [{ prefix: 'evenkeel.hub.' }] : [];
    const isExternal = route.consumes.some((type) => 'external' in catalogue[type]);
    const detail = route.onlyFor === undefined ? {} : { detail: { [route.onlyFor]: [1] } };
    const ours = { source: ['evenkeel', ...bridges], 'detail-type': route.consumes, ...detail };
    expect(EventPattern).toEqual(isExternal ? { source: [{ 'anything-but': { prefix: 'evenkeel' } }] } : ours);
    expect(textOf(EventBusName)).toMatch(/^EvenkeelState:ExportsOutputRefStateBus/);
    expect(State).toBe('ENABLED');
    const [target, ...others] = Targets as [
      { Arn: unknown; DeadLetterConfig: { Arn: unknown }; SqsParameters: { MessageGroupId: string } },
    ];
    expect(others).toEqual([]);
    expect(targetOf(target.Arn)).toBe(queueOf(route).id);
    expect(targetOf(target.DeadLetterConfig.Arn)).toBe(deadLettersOf(route).id);
    // A fair queue: one hub's messages do not hold up another's. A path that the event lacks would be no group.
    const isOfHubs = route.consumes.every((type) => fieldsOf(type).includes('hub'));
    expect(target.SqsParameters).toEqual(isOfHubs ? { MessageGroupId: '$.detail.hub' } : undefined);
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

describe('the one schedule', () => {
  const schedule = only(resourcesOf(template, 'AWS::Scheduler::Schedule'), 'schedules').properties;
  const { Arn, RoleArn, EventBridgeParameters, Input, RetryPolicy } = schedule.Target as Record<string, unknown>;

  it('publishes every minute that the events of all hubs are due, on the bus', () => {
    expect(schedule.ScheduleExpression).toBe('rate(1 minute)');
    expect(schedule.FlexibleTimeWindow).toEqual({ Mode: 'OFF' });
    expect(textOf(Arn)).toMatch(/StateBus/);
    expect(EventBridgeParameters).toEqual({ Source: 'evenkeel', DetailType: 'HubSchedulesDue' });
    expect(JSON.parse(Input as string)).toEqual({ version: 1 });
    // By then the next event is due.
    expect(RetryPolicy).toEqual({ MaximumRetryAttempts: 3, MaximumEventAgeInSeconds: 60 });
  });

  it('is in another group than the schedules that functions make, with a role of its own that may only publish', () => {
    const oneTime = only(
      resourcesOf(template, 'AWS::Scheduler::ScheduleGroup').filter(
        ({ properties }) => properties.Name === 'evenkeel-one-time-schedules',
      ),
      'groups of one-time schedules',
    );
    expect(targetOf(schedule.GroupName)).not.toBe(oneTime.id);
    const grants = grantsOf(template, targetOf(RoleArn));
    expect([...grants.values()].flatMap(actionsOf)).toEqual(['events:PutEvents']);
  });
});

describe('the hook', () => {
  const paths = ['/hubs/{hub}/admission', '/hubs/{hub}/admission/{key}', '/hubs/{hub}/alerts', '/hubs/{hub}/audit'];
  const stage = only(resourcesOf(template, 'AWS::ApiGatewayV2::Stage'), 'stages').properties;
  const stackUuid = { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] };

  it('takes POST on each path of any hub behind an unguessable one, and on no other', () => {
    const routes = resourcesOf(template, 'AWS::ApiGatewayV2::Route').map(({ properties }) => properties.RouteKey);
    const keys = (routes as { 'Fn::Join': ['', unknown[]] }[]).map((key) => key['Fn::Join'][1]);
    const byPath = (a: readonly unknown[], b: readonly unknown[]) => String(a[2]).localeCompare(String(b[2]));
    expect(keys.toSorted(byPath)).toEqual(paths.map((path) => ['POST /', stackUuid, path]).toSorted(byPath));
  });

  it('lets a failover of some hundred bindings through, each write of which is one review', () => {
    expect(stage.DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 5000, ThrottlingBurstLimit: 2500 });
  });

  it('has its routes before the stage that limits them', () => {
    const [made] = Object.values(template.findResources('AWS::ApiGatewayV2::Stage')) as { DependsOn?: string[] }[];
    const routeIds = resourcesOf(template, 'AWS::ApiGatewayV2::Route').map(({ id }) => id);
    expect(routeIds.filter((id) => !made?.DependsOn?.includes(id))).toEqual([]);
  });

  it('logs neither header nor path', () => {
    const { Format } = stage.AccessLogSettings as { Format: string };
    expect(Object.keys(JSON.parse(Format) as object)).not.toContain('authorization');
    expect(Format).not.toContain('header');
    // A key may be in it.
    expect(Format).not.toContain('$context.path');
  });
});
