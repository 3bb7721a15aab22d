/** docs/operations/cost.md bills by the month what the templates really have. */
import { expect, it } from 'vitest';
import { standing } from '../../bench/function-cost/prices.ts';
import { resourcesOf, synthesize } from './stacks.ts';

/** What an alarm is billed for at each moment: a query only for the metrics that it finds, which are those of faults. */
function metricsOf(properties: Record<string, unknown>): number {
  const metrics = properties.Metrics as readonly { readonly MetricStat?: object }[] | undefined;
  return metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1;
}

it('counts what a deployment keeps', () => {
  const { state, functions } = synthesize();
  const count = (type: string): number => [state, functions].flatMap((template) => resourcesOf(template, type)).length;
  const alarms = resourcesOf(functions, 'AWS::CloudWatch::Alarm').map(({ properties }) => metricsOf(properties));
  expect(standing.map(({ unit, deployment }) => [unit, deployment])).toEqual([
    ['metrics of alarms (CloudWatch)', alarms.reduce((sum, metrics) => sum + metrics, 0)],
    ['composite alarms (CloudWatch)', count('AWS::CloudWatch::CompositeAlarm')],
    ['dashboards (CloudWatch)', count('AWS::CloudWatch::Dashboard')],
    ['keys (KMS)', count('AWS::KMS::Key')],
    ['secrets (Secrets Manager)', count('AWS::SecretsManager::Secret')],
  ]);
});

it('counts for a hub its secret, which evenkeel hub add makes, and nothing of the stacks', () => {
  expect(standing.flatMap(({ unit, hub }) => (hub > 0 ? [[unit, hub]] : []))).toEqual([
    ['secrets (Secrets Manager)', 1],
  ]);
});
