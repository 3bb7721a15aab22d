import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runbookSections } from '../../infra/constructs/alarms.ts';
import { catalogue } from '../../shared/bus/catalogue.ts';
import { functionNames, functions } from '../../shared/bus/functions.ts';
import { type MetricName, metrics } from '../../shared/core/metrics.ts';
import {
  lambdaOf,
  only,
  type Resource,
  resourcesOf,
  type Statement,
  synthesize,
  targetOf,
  textOf,
  twoHubs,
} from './stacks.ts';

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

/** Name, the dimension besides `service`, its value and the period of each metric that an expression reads. */
function metricsIn(queries: unknown): readonly (readonly unknown[])[] {
  interface Query {
    readonly MetricStat?: {
      readonly Metric: { readonly MetricName: string; readonly Dimensions: { Name: string; Value: string }[] };
      readonly Period: number;
    };
  }
  return (queries as Query[])
    .flatMap(({ MetricStat: stat }) => {
      if (stat === undefined) return [];
      const [dimension] = stat.Metric.Dimensions.filter(({ Name }) => Name !== 'service');
      return [[stat.Metric.MetricName, dimension?.Name, dimension?.Value, stat.Period]];
    })
    .toSorted((a, b) => (String(a[2]) < String(b[2]) ? -1 : 1));
}

/** Alarm names that read a metric of ours, directly or in an expression. */
function alarmsOn(metric: MetricName): readonly string[] {
  const reads = ({ properties }: Resource): boolean =>
    properties.MetricName === metric || metricsIn(properties.Metrics ?? []).some(([name]) => name === metric);
  return alarms.filter(reads).map(({ properties }) => String(properties.AlarmName));
}

/** Source text of every file that may publish a metric. */
const sources = globSync(['functions/**/*.ts', 'shared/edge/*.ts']).map((file) => readFileSync(file, 'utf8'));

describe.each(Object.entries(metrics) as [MetricName, (typeof metrics)[MetricName]][])(
  'the metric %s',
  (name, { alarm }) => {
    it('has the alarm that its table names, or none', () => {
      if ('none' in alarm) {
        expect(alarmsOn(name)).toEqual([]);
        return;
      }
      expect(runbookSections).toContain(alarm.section);
      expect(alarmsOn(name)).not.toEqual([]);
      expect(alarmsOn(name).filter((each) => !each.startsWith(`evenkeel-${alarm.section}-`))).toEqual([]);
    });

    it('is published by a function', () => {
      expect(sources.some((source) => source.includes(`.count('${name}'`))).toBe(true);
    });
  },
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

  it.each(['Errors', 'Throttles'])('is on the %s of every function except those that users call', (metric) => {
    const called = functionNames.filter((name) => functions[name].invokedBy === 'operator');
    const ofUsers = called.map((name) => lambdaOf(template, name).id);
    const ids = resourcesOf(template, 'AWS::Lambda::Function')
      .map(({ id }) => id)
      .filter((id) => !ofUsers.includes(id));
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
    const once = Object.values(catalogue).filter((definition) => definition.recurs !== true);
    const wanted = [...once.map(({ type }) => ({ service: 'evenkeel', event: type })), { service: 'evenkeel' }];
    expect(new Set(dimensionsOf('DeadLetters').map((each) => JSON.stringify(Object.entries(each).toSorted())))).toEqual(
      new Set(wanted.map((each) => JSON.stringify(Object.entries(each).toSorted()))),
    );
  });

  it('is on events of schedules that expired, all types in one', () => {
    const { MetricName, Threshold } = named('evenkeel-expired-schedules-events').properties;
    expect([MetricName, Threshold]).toEqual(['SchedulesExpired', 1]);
    expect(dimensionsOf('SchedulesExpired')).toEqual([{ service: 'evenkeel' }]);
  });

  it('rings for each hub that resync did not compare: silence of one hub counts, whatever the others do', () => {
    const { Metrics, TreatMissingData, ComparisonOperator, Threshold, EvaluationPeriods } = named(
      'evenkeel-silent-resync-hubs-1',
    ).properties;
    expect([TreatMissingData, ComparisonOperator, Threshold]).toEqual(['breaching', 'LessThanThreshold', 1]);
    expect(EvaluationPeriods).toBe(3);
    expect(metricsIn(Metrics)).toEqual([
      ['HubsCompared', 'hub', 'edge-1', 300],
      ['HubsCompared', 'hub', 'karmada', 300],
    ]);
    expect((Metrics as { Expression?: string }[]).find(({ Expression }) => Expression)?.Expression).toBe(
      'MIN([FILL(m0, 0), FILL(m1, 0)])',
    );
    const others = alarms.filter(({ properties }) => properties.TreatMissingData !== 'notBreaching');
    expect(others.map(({ properties }) => properties.AlarmName)).toEqual(['evenkeel-silent-resync-hubs-1']);
  });

  it('has a name of its own, a sentence, and a section of the runbook', () => {
    expect(new Set(alarms.map(({ properties }) => properties.AlarmName)).size).toBe(alarms.length);
    const sections = alarms.map(({ properties }) => {
      const description = String(properties.AlarmDescription);
      return /^[A-Za-z0-9-].*\. What to do: docs\/runbook\.md#([a-z-]+)$/.exec(description)?.[1] ?? description;
    });
    expect([...new Set(sections)].toSorted()).toEqual([...runbookSections].toSorted());
  });

  it('notifies the topic when it fires and when it is over', () => {
    const actions = alarms.map(({ properties }) => [properties.AlarmActions, properties.OKActions]);
    expect(actions).toEqual(alarms.map(() => [[{ Ref: topic.id }], [{ Ref: topic.id }]]));
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

it('one dashboard shows every route', () => {
  const body = textOf(only(resourcesOf(template, 'AWS::CloudWatch::Dashboard'), 'dashboards').properties.DashboardBody);
  const { widgets } = JSON.parse(body) as { widgets: { properties: { title: string; metrics?: unknown[] } }[] };
  const routes = widgets.find(({ properties }) => properties.title === 'Events on each route');
  expect(routes?.properties.metrics?.length).toBe(queues.filter((queue) => !isDeadLetters(queue)).length);
});

describe('two deployments in one account', () => {
  it('have no metric in common: neither alarms nor the dashboard of one show the other', () => {
    const metricsOf = (name: string): ReadonlySet<string> => {
      const { functions: own } = synthesize({ ...twoHubs, name });
      const found = new Set<string>();
      const add = (metric: unknown, dimensions: unknown) => found.add(JSON.stringify([metric, dimensions]));
      for (const { properties } of resourcesOf(own, 'AWS::CloudWatch::Alarm')) {
        if (properties.Namespace === 'Evenkeel') add(properties.MetricName, properties.Dimensions);
        for (const { MetricStat } of (properties.Metrics ?? []) as { MetricStat?: { Metric: OwnMetric } }[])
          if (MetricStat?.Metric.Namespace === 'Evenkeel')
            add(MetricStat.Metric.MetricName, MetricStat.Metric.Dimensions);
      }
      const board = textOf(only(resourcesOf(own, 'AWS::CloudWatch::Dashboard'), 'dashboards').properties.DashboardBody);
      for (const [text] of board.matchAll(/\["Evenkeel"[^\]]*\]/g)) found.add(text);
      return found;
    };
    const [staging, production] = [metricsOf('staging'), metricsOf('production')];
    expect(staging.size).toBeGreaterThan(40);
    expect(production.size).toBe(staging.size);
    expect([...staging].filter((metric) => production.has(metric))).toEqual([]);
  });
});

interface OwnMetric {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions: unknown;
}
