import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runbookSections } from '../../infra/constructs/alarms.ts';
import { functionNames, functions } from '../../shared/bus/functions.ts';
import { loggedFindings, queueFindings } from '../../shared/console-api/health-findings.ts';
import { type MetricName, metrics } from '../../shared/core/metrics.ts';
import { burnRates, LEAST_MISSED, missedShare, objectives } from '../../shared/core/objectives.ts';
import { isSilent } from '../../shared/kubernetes/hub-reach.ts';
import {
  lambdaOf,
  only,
  type Resource,
  resourcesOf,
  type Statement,
  synthesize,
  targetOf,
  textOf,
  usual,
} from './stacks.ts';

const { functions: template, state } = synthesize();
const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm');
const composites = resourcesOf(template, 'AWS::CloudWatch::CompositeAlarm');
/** The conditions of composite alarms. */
const windows = alarms.filter(({ properties }) => properties.AlarmActions === undefined);
const topic = only(resourcesOf(template, 'AWS::SNS::Topic'), 'topics');
const queues = resourcesOf(template, 'AWS::SQS::Queue');
const isDeadLetters = ({ properties }: Resource) => String(properties.QueueName).endsWith('-dead-letters');

interface Query {
  readonly Expression?: string;
  readonly Period?: number;
  readonly MetricStat?: {
    readonly Metric: OwnMetric & { readonly Dimensions: readonly { readonly Name: string; readonly Value: unknown }[] };
    readonly Stat: string;
  };
}

const queriesOf = ({ properties }: Resource): readonly Query[] => (properties.Metrics ?? []) as readonly Query[];

/** The resources that alarms watch by this metric, directly or in an expression. */
function watched(metric: string): readonly (string | undefined)[] {
  return alarms
    .flatMap((alarm) => [
      { MetricName: alarm.properties.MetricName, Dimensions: alarm.properties.Dimensions },
      ...queriesOf(alarm).flatMap(({ MetricStat: stat }) => (stat ? [stat.Metric] : [])),
    ])
    .flatMap(({ MetricName, Dimensions }) =>
      MetricName === metric ? [targetOf((Dimensions as { Value: unknown }[])[0]?.Value)] : [],
    )
    .toSorted();
}

const named = (name: string): Resource =>
  only(
    alarms.filter(({ properties }) => properties.AlarmName === name),
    name,
  );

/** Metric and grouping of an alarm on a query. */
function queried(
  alarm: Resource,
): { readonly metric: string; readonly by: string; readonly minutes: number } | undefined {
  const [query] = queriesOf(alarm);
  const found =
    /^SELECT SUM\("(\w+)"\) FROM "Evenkeel" WHERE "service" = 'evenkeel' GROUP BY "(hub|event)" ORDER BY SUM\(\) DESC$/.exec(
      query?.Expression ?? '',
    );
  const [, metric, by] = found ?? [];
  return metric && by ? { metric, by, minutes: (query?.Period ?? 0) / 60 } : undefined;
}

/** Alarm names that read a metric of ours, directly or in a query. */
function alarmsOn(metric: MetricName): readonly string[] {
  const reads = (alarm: Resource) =>
    alarm.properties.MetricName === metric ||
    queried(alarm)?.metric === metric ||
    queriesOf(alarm).some(({ MetricStat: stat }) => stat?.Metric.MetricName === metric);
  return alarms.filter(reads).map(({ properties }) => String(properties.AlarmName));
}

/** Source text of every file that may publish a metric. */
const sources = globSync([
  'functions/**/*.ts',
  'shared/{runtime,aws,console-api}/**/*.ts',
  'shared/*/{list,read,write}-*.ts',
]).map((file) => readFileSync(file, 'utf8'));

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
      const [objective] =
        Object.entries(objectives).find(([, { kept, missed }]) => [kept, missed].includes(name as never)) ?? [];
      const sends =
        objective === undefined ? `(?:\\.count\\(|metric: )'${name}'` : `objectiveTelemetry\\('${objective}'`;
      expect(sources.some((source) => new RegExp(sends).test(source))).toBe(true);
    });
  },
);

describe('an alarm', () => {
  it('is on the dead-letter queue of every route and of one-time schedules, from the first message on', () => {
    const ids = queues.filter(isDeadLetters).map(({ id }) => id);
    expect(watched('ApproximateNumberOfMessagesVisible')).toEqual(ids.toSorted());
    const { Threshold, ComparisonOperator, Metrics } = named('evenkeel-dead-letters-queues-1').properties;
    expect([ComparisonOperator, Threshold]).toEqual(['GreaterThanOrEqualToThreshold', 1]);
    const stats = (Metrics as readonly Query[]).flatMap(({ MetricStat: stat }) => (stat ? [stat.Stat] : []));
    expect(new Set(stats)).toEqual(new Set(['Maximum']));
  });

  it('has the limits of the findings that page and command line show', () => {
    const limitOf = (name: string) => Number(named(name).properties.Threshold);
    expect(
      queueFindings({ name: 'q', waiting: 0, deadLetters: limitOf('evenkeel-dead-letters-queues-1') }),
    ).toHaveLength(1);
    expect(
      queueFindings({ name: 'q', waiting: 0, deadLetters: limitOf('evenkeel-dead-letters-queues-1') - 1 }),
    ).toEqual([]);
    const { EvaluationPeriods, Metrics } = named('evenkeel-silent-estimators-hubs').properties;
    const [{ Period = 0 } = {}] = Metrics as readonly { readonly Period?: number }[];
    const silentFor = Number(EvaluationPeriods) * Period * 1000;
    const found = (at: number) =>
      loggedFindings(
        { name: 'eu', silentEstimators: [{ cluster: 'm1', at, error: '' }] },
        { now: silentFor, resyncMinutes: 5 },
      );
    expect([found(0).length, found(-1).length]).toEqual([1, 0]);
    const description = String(named('evenkeel-silent-resync-hubs').properties.AlarmDescription);
    const [, intervals] = /in (\d+) × resyncMinutes/.exec(description) ?? [];
    const minutes = Number(intervals) * 5;
    const isSilentAfter = (ms: number) => isSilent({ comparedAt: 0, resyncMinutes: 5, now: ms });
    expect([isSilentAfter(minutes * 60_000), isSilentAfter(minutes * 60_000 + 1)]).toEqual([false, true]);
  });

  it('is on the age of the oldest message of every other queue', () => {
    const ids = queues.filter((queue) => !isDeadLetters(queue)).map(({ id }) => id);
    expect(watched('ApproximateAgeOfOldestMessage')).toEqual(ids.toSorted());
  });

  it.each(['Errors', 'Throttles'])('is on the %s of every function that no caller waits for', (metric) => {
    const ofEvents = functionNames.filter((name) => ['queue', 'logs'].includes(functions[name].invokedBy));
    expect(watched(metric)).toEqual(ofEvents.map((name) => lambdaOf(template, name).id).toSorted());
  });

  it('on several metrics fires if one of them does, and names them in its description', () => {
    const maxima = alarms.filter(
      (alarm) => !windows.includes(alarm) && queriesOf(alarm).some(({ MetricStat }) => MetricStat !== undefined),
    );
    expect(maxima.length).toBeGreaterThan(5);
    for (const alarm of maxima) {
      const stats = queriesOf(alarm).filter(({ MetricStat }) => MetricStat !== undefined);
      const filled = stats.map((_, i) => `FILL(m${i}, 0)`);
      expect(queriesOf(alarm).find(({ Expression }) => Expression)?.Expression).toBe(`MAX([${filled.join(', ')}])`);
      // CloudWatch's maximum.
      expect(stats.length).toBeLessThanOrEqual(10);
      const [, list = ''] = /One of: ([a-z, -]+)\./.exec(String(alarm.properties.AlarmDescription)) ?? [];
      expect(list.split(', ').length).toBe(stats.length);
    }
  });

  it.each(['4xx', '5xx'])('is on the %s of the hook', (metric) => {
    expect(watched(metric)).toEqual(resourcesOf(template, 'AWS::ApiGatewayV2::Api').map(({ id }) => id));
  });

  const perHub = Object.entries(metrics).filter(
    ([, { dimensions, alarm }]) => 'section' in alarm && dimensions.some((each) => each.includes('hub' as never)),
  );

  it.each(perHub)('on %s is one for all hubs, with a contributor for each', (name, { alarm }) => {
    const section = 'section' in alarm ? alarm.section : '';
    const [one, ...others] = alarmsOn(name as MetricName);
    expect([one, others]).toEqual([`evenkeel-${section}-hubs`, []]);
    expect(queried(named(`evenkeel-${section}-hubs`))).toMatchObject({ metric: name, by: 'hub' });
  });

  it('on a query fits into the 1,024 characters of an expression, with the longest name', () => {
    const { functions: long } = synthesize({ ...usual, name: 'n'.repeat(23) });
    const lengths = resourcesOf(long, 'AWS::CloudWatch::Alarm').flatMap((alarm) =>
      queriesOf(alarm).map(({ Expression = '' }) => Expression.length),
    );
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1024);
  });

  it.each([
    ['silent-estimators', 3],
    ['unplaced-replicas', 5],
  ])('of %s waits for three periods of five minutes, among %i', (section, among) => {
    const { properties } = named(`evenkeel-${section}-hubs`);
    const { EvaluationPeriods: last, DatapointsToAlarm: of = last } = properties;
    expect([of, last, queried(named(`evenkeel-${section}-hubs`))?.minutes]).toEqual([3, among, 5]);
  });

  it('is on log data that cannot be read', () => {
    expect(alarmsOn('AuditLogsUnreadable')).toEqual(['evenkeel-unreadable-audit-events-logs']);
  });

  it('is on messages that functions gave up, with a contributor for each event', () => {
    expect(alarmsOn('DeadLetters')).toEqual(['evenkeel-dead-letters-events']);
    expect(queried(named('evenkeel-dead-letters-events'))).toMatchObject({ metric: 'DeadLetters', by: 'event' });
  });

  // publish-due counts a silent hub once in each interval, so twice the interval always contains a count.
  it.each([
    [1, 2],
    [5, 10],
    [60, 120],
    [1440, 180],
  ])('on silent hubs has, with a resync every %i minutes, a period of %i', (resyncMinutes, minutes) => {
    const { functions: own } = synthesize({ settings: { resyncMinutes } });
    const [alarm] = resourcesOf(own, 'AWS::CloudWatch::Alarm').filter(
      ({ properties }) => properties.AlarmName === 'evenkeel-silent-resync-hubs',
    );
    expect(alarm && queried(alarm)).toEqual({ metric: 'HubsNotCompared', by: 'hub', minutes });
    expect([alarm?.properties.TreatMissingData, alarm?.properties.Threshold]).toEqual(['notBreaching', 1]);
  });

  it('fires if nothing is published for a quarter of an hour, and is the only one on missing data', () => {
    const { MetricName, Period, EvaluationPeriods, ComparisonOperator, Threshold } = named(
      'evenkeel-silent-resync-schedules',
    ).properties;
    expect([MetricName, Period, EvaluationPeriods]).toEqual(['SchedulesPublished', 300, 3]);
    expect([ComparisonOperator, Threshold]).toEqual(['LessThanThreshold', 1]);
    const others = alarms.filter(({ properties }) => properties.TreatMissingData !== 'notBreaching');
    expect(others.map(({ properties }) => [properties.AlarmName, properties.TreatMissingData])).toEqual([
      ['evenkeel-silent-resync-schedules', 'breaching'],
    ]);
  });

  it('has a name of its own, a sentence, and a section of the runbook', () => {
    const all = [...alarms, ...composites];
    expect(new Set(all.map(({ properties }) => properties.AlarmName)).size).toBe(all.length);
    const sections = all.map(({ properties }) => {
      const description = String(properties.AlarmDescription);
      return (
        /^[A-Za-z0-9-].*\. What to do: docs\/operations\/runbook\.md#([a-z-]+)$/.exec(description)?.[1] ?? description
      );
    });
    expect([...new Set(sections)].toSorted()).toEqual([...runbookSections].toSorted());
  });

  it('notifies the topic when it fires and when it is over', () => {
    const notifying = [...alarms.filter((alarm) => !windows.includes(alarm)), ...composites];
    const actions = notifying.map(({ properties }) => [properties.AlarmActions, properties.OKActions]);
    expect(actions).toEqual(notifying.map(() => [[{ Ref: topic.id }], [{ Ref: topic.id }]]));
  });

  it('of an objective is one, on a long and a short window for each burn rate', () => {
    expect(composites.map(({ properties }) => properties.AlarmName)).toEqual(
      Object.values(objectives).map(({ section }) => `evenkeel-${section}-burns`),
    );
    expect(windows.length).toBe(composites.length * burnRates.length * 2);
    for (const objective of Object.values(objectives)) {
      for (const { burn, longMinutes, shortMinutes } of burnRates) {
        const limits = [
          [longMinutes, LEAST_MISSED],
          [shortMinutes, 1],
        ].map(([minutes, least]) => {
          const { Threshold, EvaluationPeriods, Metrics } = named(
            `evenkeel-${objective.section}-${minutes}-minutes`,
          ).properties;
          const queries = Metrics as readonly Query[];
          const metricsOf = queries.flatMap(({ MetricStat: stat }) =>
            stat ? [[stat.Metric.MetricName, (stat as { Period?: number }).Period]] : [],
          );
          expect(metricsOf).toEqual([objective.kept, objective.missed].map((name) => [name, Number(minutes) * 60]));
          expect(queries[0]?.Expression).toContain(`IF(FILL(missed, 0) >= ${least},`);
          // CloudWatch's maximum for one period.
          expect(minutes).toBeLessThanOrEqual(24 * 60);
          return [Threshold, EvaluationPeriods];
        });
        const share = missedShare(objective, burn);
        expect(limits).toEqual([
          [share, 1],
          [share, 1],
        ]);
      }
    }
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

describe('the dashboard', () => {
  const body = textOf(only(resourcesOf(template, 'AWS::CloudWatch::Dashboard'), 'dashboards').properties.DashboardBody);
  const { widgets } = JSON.parse(body) as {
    widgets: { properties: { title?: string; metrics?: { expression?: string }[][] } }[];
  };
  const expressions = widgets.map(({ properties }) =>
    (properties.metrics ?? []).flatMap(([first]) => (first?.expression ? [first.expression] : [])),
  );
  const queriesOfWidget = expressions.map((each) => each.filter((text) => text.startsWith('SELECT')));

  it('shows the twenty highest hubs of each metric that is per hub and counts work or a fault of a hub', () => {
    const shown = queriesOfWidget.flat().map((query) => /^SELECT SUM\("(\w+)"\).* LIMIT 20$/.exec(query)?.[1]);
    const wanted = Object.entries(metrics).flatMap(([name, { alarm }]) =>
      'none' in alarm && /dashboard/.test(alarm.none) ? [name] : [],
    );
    expect(wanted.filter((name) => !shown.includes(name))).toEqual([]);
    expect(shown).not.toContain(undefined);
  });

  it('has a row for each objective: its share, its burn rates and what is left of its budget', () => {
    const titles = widgets.map(({ properties }) => properties.title ?? '');
    for (const { title, target } of Object.values(objectives)) {
      const rows = [
        `${title}, % (objective: ${target})`,
        `${title}: burn rate`,
        `${title}: error budget left of 30 days, %`,
      ];
      expect(titles.filter((each) => each.startsWith(title))).toEqual(rows);
    }
    const budget = expressions[titles.indexOf('Triggers in time: error budget left of 30 days, %')];
    expect(budget).toEqual(['100 * (1 - (FILL(missed43200, 0) / (FILL(kept43200, 0) + FILL(missed43200, 0))) / 0.01)']);
  });

  it('has at most one query in a graph, which is all that CloudWatch takes', () => {
    expect(Math.max(...queriesOfWidget.map((queries) => queries.length))).toBe(1);
  });
});

describe('two deployments in one account', () => {
  it('have no metric in common: neither alarms nor the dashboard of one show the other', () => {
    const metricsOf = (name: string): ReadonlySet<string> => {
      const { functions: own } = synthesize({ ...usual, name });
      const found = new Set<string>();
      for (const alarm of resourcesOf(own, 'AWS::CloudWatch::Alarm')) {
        const { Namespace, MetricName, Dimensions } = alarm.properties;
        if (Namespace === 'Evenkeel') found.add(JSON.stringify([MetricName, Dimensions]));
        for (const { Expression = '' } of queriesOf(alarm)) if (Expression.startsWith('SELECT')) found.add(Expression);
      }
      const board = textOf(only(resourcesOf(own, 'AWS::CloudWatch::Dashboard'), 'dashboards').properties.DashboardBody);
      for (const [text] of board.matchAll(/\["Evenkeel"[^\]]*\]|SELECT [^}]*/g)) found.add(text);
      return found;
    };
    const [staging, production] = [metricsOf('staging'), metricsOf('production')];
    expect(staging.size).toBeGreaterThan(20);
    expect(production.size).toBe(staging.size);
    expect([...staging].filter((metric) => production.has(metric))).toEqual([]);
  });
});

interface OwnMetric {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions: unknown;
}
