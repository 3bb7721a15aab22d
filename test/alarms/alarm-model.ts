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

export const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm');

export function shortNameOf({ properties }: Resource): string {
  return String(properties.AlarmName).slice(PREFIX.length);
}

/** Names of the alarms that were in the state ALARM at some time, without the deployment's prefix. */
export function firedAlarms(observed: Observed): readonly string[] {
  return alarms
    .filter((alarm) => hasFired(alarm, observed))
    .map(shortNameOf)
    .toSorted();
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
    return [valuesOf({ Metric: { MetricName, Dimensions: Dimensions ?? [] }, Stat: Statistic }, Period, observed)];
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
