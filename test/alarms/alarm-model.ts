/** Alarms of the synthesized stack, evaluated over samples of their metrics as CloudWatch documents it: periods, statistics, contributors, missing data. */
import type { Instant } from '../../shared/core/time.ts';
import { type Resource, resourcesOf, synthesize, targetOf } from '../infra/stacks.ts';

/** A data point: of a metric of ours with its dimensions, or of AWS with the name of its queue or function; the hook has one API and needs none. */
export interface Sample {
  readonly metric: string;
  readonly value: number;
  readonly at: Instant;
  readonly dimensions?: Readonly<Record<string, string>>;
  readonly of?: string;
}

interface Observed {
  readonly samples: readonly Sample[];
  readonly from: Instant;
  readonly until: Instant;
}

interface MetricStat {
  readonly Metric: {
    readonly MetricName: string;
    readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
  };
  readonly Stat: string;
  readonly Period: number;
}

interface Query {
  readonly Expression?: string;
  readonly Period?: number;
  readonly MetricStat?: MetricStat;
}

const PREFIX = 'evenkeel-';
const OWN_NAME = ['QueueName', 'FunctionName'];
const { functions: template } = synthesize();

/** Logical id → the name by which AWS reports it. */
const names = new Map(
  ['AWS::SQS::Queue', 'AWS::Lambda::Function'].flatMap((type) =>
    resourcesOf(template, type).map(
      ({ id, properties }) => [id, String(properties[type.endsWith('Queue') ? 'QueueName' : 'FunctionName'])] as const,
    ),
  ),
);

const metricAlarms = resourcesOf(template, 'AWS::CloudWatch::Alarm');
const composites = resourcesOf(template, 'AWS::CloudWatch::CompositeAlarm');

/** Those that notify: the others are conditions of a composite alarm. */
export const alarms = [...metricAlarms, ...composites].filter(
  ({ properties }) => properties.AlarmActions !== undefined,
);

export function shortNameOf({ properties }: Resource): string {
  return String(properties.AlarmName).slice(PREFIX.length);
}

/** Names of the alarms that were in the state ALARM at some time, without the deployment's prefix. */
export function firedAlarms(observed: Observed): readonly string[] {
  return alarms
    .filter((alarm) => (composites.includes(alarm) ? anyFired(alarm, observed) : hasFired(alarm, observed)))
    .map(shortNameOf)
    .toSorted();
}

const MINUTE_MS = 60_000;

/** Whether all alarms of one of its lists fired in the same minute. */
function anyFired({ properties }: Resource, observed: Observed): boolean {
  const minutes = Array.from(
    { length: Math.floor((observed.until - observed.from) / MINUTE_MS) },
    (_, i) => observed.from + (i + 1) * MINUTE_MS,
  );
  const lists = listsOf(properties.AlarmRule);
  return minutes.some((at) => lists.some((list) => list.every((alarm) => isBurning(alarm, observed, at))));
}

/** "((ALARM(a) AND ALARM(b)) OR (ALARM(c) AND ALARM(d)))". */
function listsOf(rule: unknown): readonly (readonly Resource[])[] {
  const {
    'Fn::Join': [, parts],
  } = rule as { readonly 'Fn::Join': readonly [string, readonly unknown[]] };
  const text = parts.map((part) => (typeof part === 'string' ? part : targetOf(part))).join('');
  if (!/^\((\((ALARM\("\w+"\)( AND )?)+\)( OR )?)+\)$/.test(text))
    throw new Error(`the model does not know the rule ${text}`);
  return text.split(' OR ').map((list) =>
    [...list.matchAll(/ALARM\("(\w+)"\)/g)].map(([, id]) => {
      const found = metricAlarms.find((alarm) => alarm.id === id);
      if (found === undefined) throw new Error(`the rule names ${id}, which is no alarm`);
      return found;
    }),
  );
}

const SHARE = /^IF\(FILL\(missed, 0\) >= (\d+), FILL\(missed, 0\) \/ \(FILL\(kept, 0\) \+ FILL\(missed, 0\)\), 0\)$/;

/** Of the last period before `at`: the window of an alarm slides with each evaluation. */
function isBurning(alarm: Resource, observed: Observed, at: Instant): boolean {
  const { properties } = alarm;
  const queries = properties.Metrics as readonly (Query & { readonly Id: string })[];
  const [, least] = SHARE.exec(queries.find(({ Expression }) => Expression !== undefined)?.Expression ?? '') ?? [];
  if (least === undefined || properties.EvaluationPeriods !== 1)
    throw new Error(`the model does not know the alarm ${shortNameOf(alarm)}`);
  const sumOf = (id: string) => {
    const stat = queries.find(({ Id }) => Id === id)?.MetricStat;
    if (stat?.Stat !== 'Sum') throw new Error(`${shortNameOf(alarm)} has no sum ${id}`);
    const window = { samples: observed.samples, from: at - stat.Period * 1000, until: at };
    return valuesOf(stat, stat.Period, window)[0];
  };
  const [kept, missed = 0] = [sumOf('kept'), sumOf('missed')];
  const share = missed >= Number(least) ? missed / ((kept ?? 0) + missed) : 0;
  return share >= Number(properties.Threshold);
}

function hasFired({ properties }: Resource, observed: Observed): boolean {
  const {
    EvaluationPeriods,
    DatapointsToAlarm = EvaluationPeriods,
    Threshold,
    ComparisonOperator,
    TreatMissingData,
  } = properties;
  const isBreaching = (value: number | undefined) => {
    if (value === undefined) return TreatMissingData === 'breaching';
    return ComparisonOperator === 'LessThanThreshold' ? value < Number(Threshold) : value >= Number(Threshold);
  };
  return contributorsOf(properties, observed).some((values) => {
    const breaches = values.map(isBreaching);
    return breaches.some((_, i) => {
      const window = breaches.slice(i, i + Number(EvaluationPeriods));
      return window.length === EvaluationPeriods && window.filter(Boolean).length >= Number(DatapointsToAlarm);
    });
  });
}

type Values = readonly (number | undefined)[];

/** One value for each period, of each time series that the alarm watches. */
function contributorsOf(properties: Resource['properties'], observed: Observed): readonly Values[] {
  const queries = (properties.Metrics ?? []) as readonly Query[];
  const [expression] = queries.filter(({ Expression }) => Expression !== undefined);
  if (expression === undefined) {
    const { MetricName, Dimensions, Statistic, Period } = properties as unknown as MetricStat['Metric'] & {
      readonly Statistic: string;
      readonly Period: number;
    };
    const metric = { MetricName, Dimensions: Dimensions ?? [] };
    return [valuesOf({ Metric: metric, Stat: Statistic, Period }, Period, observed)];
  }
  const { Expression: text = '', Period = 300 } = expression;
  const [, metric, by = ''] = /^SELECT SUM\("(\w+)"\) FROM .* GROUP BY "(\w+)"/.exec(text) ?? [];
  if (metric !== undefined) {
    const ofMetric = observed.samples.filter((sample) => sample.metric === metric);
    const groups = Map.groupBy(ofMetric, ({ dimensions = {} }) => dimensions[by] ?? 'Other');
    return [...groups.values()].map((samples) => inPeriods({ ...observed, samples }, { Period, Stat: 'Sum' }));
  }
  if (!/^MAX\(\[(FILL\(m\d+, 0\)(, )?)+\]\)$/.test(text))
    throw new Error(`the model does not know the expression ${text}`);
  const series = queries.flatMap(({ MetricStat: stat }) => (stat ? [valuesOf(stat, Period, observed)] : []));
  return [series[0]?.map((_, i) => Math.max(...series.map((values) => values[i] ?? 0))) ?? []];
}

function valuesOf(
  { Metric: { MetricName, Dimensions = [] }, Stat }: MetricStat,
  Period: number,
  observed: Observed,
): Values {
  const [of] = Dimensions.flatMap(({ Name, Value }) =>
    OWN_NAME.includes(Name) ? [names.get(targetOf(Value) ?? '')] : [],
  );
  const samples = observed.samples.filter((sample) => sample.metric === MetricName && sample.of === of);
  return inPeriods({ ...observed, samples }, { Period, Stat });
}

function inPeriods(
  { samples, from, until }: Observed,
  { Period, Stat }: { readonly Period: number; readonly Stat: string },
): Values {
  const periodMs = Period * 1000;
  return Array.from({ length: Math.floor((until - from) / periodMs) }, (_, i) => {
    const begin = from + i * periodMs;
    const values = samples.filter(({ at }) => at >= begin && at < begin + periodMs).map(({ value }) => value);
    if (values.length === 0) return undefined;
    return Stat === 'Maximum' ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0);
  });
}
