/** docs/cost.md bills by the month what the templates really have. */
import { expect, it } from 'vitest';
import { standing } from '../../bench/function-cost/prices.ts';
import { resourcesOf, synthesize } from './stacks.ts';

function counted(hubs: readonly string[]): readonly number[] {
  const { state, functions } = synthesize({ hubs: hubs.map((name) => ({ name })) });
  const count = (type: string): number => [state, functions].flatMap((template) => resourcesOf(template, type)).length;
  // An alarm on an expression is billed for each metric in it.
  const alarms = resourcesOf(functions, 'AWS::CloudWatch::Alarm').map(({ properties }) => {
    const metrics = properties.Metrics as readonly { readonly MetricStat?: object }[] | undefined;
    return metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1;
  });
  return [
    alarms.reduce((sum, metrics) => sum + metrics, 0),
    count('AWS::CloudWatch::Dashboard'),
    count('AWS::KMS::Key'),
    // evenkeel hub add makes one for each hub.
    count('AWS::SecretsManager::Secret') + hubs.length,
  ];
}

it.each([[['a']], [['a', 'b', 'c']]])('counts what a deployment with the hubs %j keeps', (hubs) => {
  expect(standing.map(({ deployment, hub }) => deployment + hub * hubs.length)).toEqual(counted(hubs));
});
