import { describe, expect, it } from 'vitest';
import { runbookSections } from '../../infra/constructs/alarms.ts';
import { catalogue } from '../../shared/events/catalogue.ts';
import { functionNames, functions } from '../../shared/functions.ts';
import { lambdaOf, only, type Resource, resourcesOf, type Statement, synthesize, targetOf, textOf } from './stacks.ts';

const { functions: template, state } = synthesize();
const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm');
const topic = only(resourcesOf(template, 'AWS::SNS::Topic'), 'topics');
const queues = resourcesOf(template, 'AWS::SQS::Queue');
const isDeadLetters = ({ properties }: Resource) => String(properties.QueueName).endsWith('-dead-letters');

/** The resources that alarms on this metric look at. */
function watched(metric: string): readonly (string | undefined)[] {
  return alarms
    .filter(({ properties }) => properties.MetricName === metric)
    .map(({ properties }) => targetOf((properties.Dimensions as { Value: unknown }[])[0]?.Value))
    .toSorted();
}

const named = (name: string): Resource =>
  only(
    alarms.filter(({ properties }) => properties.AlarmName === name),
    name,
  );

describe('an alarm', () => {
  it('is on every dead-letter queue, from the first message on', () => {
    const ids = queues.filter(isDeadLetters).map(({ id }) => id);
    expect(watched('ApproximateNumberOfMessagesVisible')).toEqual(ids.toSorted());
    const { Threshold, ComparisonOperator, Statistic } = named('evenkeel-dead-letters-plan-rebalance').properties;
    expect([Statistic, ComparisonOperator, Threshold]).toEqual(['Maximum', 'GreaterThanOrEqualToThreshold', 1]);
  });

  it('is on the age of the oldest message of every other queue', () => {
    const ids = queues.filter((queue) => !isDeadLetters(queue)).map(({ id }) => id);
    expect(watched('ApproximateAgeOfOldestMessage')).toEqual(ids.toSorted());
  });

  it.each(['Errors', 'Throttles'])('is on the %s of every function but those that people call themselves', (metric) => {
    const called = functionNames.filter((name) => functions[name].invokedBy === 'operator');
    const ofPeople = called.map((name) => lambdaOf(template, name).id);
    const ids = resourcesOf(template, 'AWS::Lambda::Function')
      .map(({ id }) => id)
      .filter((id) => !ofPeople.includes(id));
    expect(watched(metric)).toEqual(ids.toSorted());
  });

  it.each(['4xx', '5xx'])('is on the %s of the hook', (metric) => {
    expect(watched(metric)).toEqual(resourcesOf(template, 'AWS::ApiGatewayV2::Api').map(({ id }) => id));
  });

  /** The dimensions of the alarms on a number that the functions send. */
  function dimensionsOf(metric: string): readonly Record<string, unknown>[] {
    return alarms
      .filter(({ properties }) => properties.Namespace === 'Evenkeel' && properties.MetricName === metric)
      .map(({ properties }) =>
        Object.fromEntries(
          (properties.Dimensions as { Name: string; Value: unknown }[]).map(({ Name, Value }) => [Name, Value]),
        ),
      );
  }

  it('is on overdue rescheduling for each hub, with the dimensions that the functions send', () => {
    expect(dimensionsOf('ReschedulingOverdue')).toEqual([
      { service: 'evenkeel', hub: 'karmada' },
      { service: 'evenkeel', hub: 'edge-1' },
    ]);
  });

  it('is on estimators that do not answer, for each hub', () => {
    expect(dimensionsOf('EstimatorsSilent')).toEqual([
      { service: 'evenkeel', hub: 'karmada' },
      { service: 'evenkeel', hub: 'edge-1' },
    ]);
    expect(named('evenkeel-silent-estimators-karmada').properties.EvaluationPeriods).toBe(3);
  });

  it('is on audit events that cannot be read, for each hub and for what logs send', () => {
    expect(dimensionsOf('AuditEventsUnreadable')).toEqual([
      { service: 'evenkeel', hub: 'karmada' },
      { service: 'evenkeel', hub: 'edge-1' },
    ]);
    expect(dimensionsOf('AuditLogsUnreadable')).toEqual([{ service: 'evenkeel' }]);
  });

  it('is on messages that functions gave up, for each event and for what could not be read as one', () => {
    const wanted = [
      ...Object.keys(catalogue).map((event) => ({ service: 'evenkeel', event })),
      { service: 'evenkeel' },
    ];
    expect(new Set(dimensionsOf('DeadLetters').map((each) => JSON.stringify(Object.entries(each).toSorted())))).toEqual(
      new Set(wanted.map((each) => JSON.stringify(Object.entries(each).toSorted()))),
    );
  });

  it('rings where resync does not come: silence is bad there, and only there', () => {
    const { TreatMissingData, ComparisonOperator, Threshold, EvaluationPeriods, Period } = named(
      'evenkeel-silent-resync-find-drift',
    ).properties;
    expect([TreatMissingData, ComparisonOperator, Threshold]).toEqual(['breaching', 'LessThanThreshold', 1]);
    expect([EvaluationPeriods, Period]).toEqual([3, 5 * 60]);
    const others = alarms.filter(({ properties }) => properties.TreatMissingData !== 'notBreaching');
    expect(others.map(({ properties }) => properties.AlarmName)).toEqual(['evenkeel-silent-resync-find-drift']);
  });

  it('has a name of its own, a sentence, and a section of the runbook', () => {
    expect(new Set(alarms.map(({ properties }) => properties.AlarmName)).size).toBe(alarms.length);
    const sections = alarms.map(({ properties }) => {
      const description = String(properties.AlarmDescription);
      return /^[A-Za-z0-9-].*\. What to do: docs\/runbook\.md#([a-z-]+)$/.exec(description)?.[1] ?? description;
    });
    expect([...new Set(sections)].toSorted()).toEqual([...runbookSections].toSorted());
  });

  it('tells the topic, when it rings and when it is over', () => {
    const told = alarms.map(({ properties }) => [properties.AlarmActions, properties.OKActions]);
    expect(told).toEqual(alarms.map(() => [[{ Ref: topic.id }], [{ Ref: topic.id }]]));
  });
});

describe('the topic', () => {
  const policy = only(resourcesOf(template, 'AWS::SNS::TopicPolicy'), 'policies').properties.PolicyDocument as {
    Statement: readonly Statement[];
  };

  it('is under our key, which lets CloudWatch encrypt what it publishes', () => {
    expect(textOf(topic.properties.KmsMasterKeyId)).toMatch(/^EvenkeelState:ExportsOutputFnGetAttStateKey/);
    const key = only(resourcesOf(state, 'AWS::KMS::Key'), 'keys').properties.KeyPolicy as {
      Statement: readonly Statement[];
    };
    const statement = key.Statement.find(({ Sid }) => Sid === 'AlarmsReachTheTopic');
    expect(statement?.Principal).toEqual({ Service: 'cloudwatch.amazonaws.com' });
    expect(statement?.Action).toEqual(['kms:Decrypt', 'kms:GenerateDataKey']);
  });

  it('takes what CloudWatch publishes for this account, and nothing without TLS', () => {
    const allowed = policy.Statement.filter(({ Effect }) => Effect === 'Allow');
    expect(allowed.map(({ Principal, Condition }) => [Principal, Condition])).toEqual([
      [{ Service: 'cloudwatch.amazonaws.com' }, { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } }],
    ]);
    const denied = policy.Statement.filter(({ Effect }) => Effect === 'Deny');
    expect(denied.map(({ Condition }) => Condition)).toEqual([{ Bool: { 'aws:SecureTransport': 'false' } }]);
  });
});

it('one dashboard shows every hop', () => {
  const body = textOf(only(resourcesOf(template, 'AWS::CloudWatch::Dashboard'), 'dashboards').properties.DashboardBody);
  const { widgets } = JSON.parse(body) as { widgets: { properties: { title: string; metrics?: unknown[] } }[] };
  const hops = widgets.find(({ properties }) => properties.title === 'Events on each hop');
  expect(hops?.properties.metrics?.length).toBe(queues.filter((queue) => !isDeadLetters(queue)).length);
});
