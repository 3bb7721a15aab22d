/** What a deployment takes of CloudFormation's limit of 500 resources a stack: the same for one hub and for a thousand, which the stacks do not know. */
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { parseConfig } from '../../infra/config.ts';
import { Evenkeel } from '../../infra/evenkeel.ts';
import { newApp, stub, synthesize } from './stacks.ts';

const MOST = 500;

/** The number of resources of each type, the most frequent first, for the message of a failure. */
function countsOf(template: Template): { readonly total: number; readonly list: string } {
  const counts = new Map<string, number>();
  for (const { Type } of Object.values(template.toJSON().Resources as Record<string, { Type: string }>))
    counts.set(Type, (counts.get(Type) ?? 0) + 1);
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  return { total, list: `${total}: ${sorted.map(([type, count]) => `${count} ${type}`).join(', ')}` };
}

it('the stack of the functions has at most 250 resources', () => {
  const { total, list } = countsOf(synthesize().functions);
  expect(total, list).toBeLessThanOrEqual(250);
});

it('two deployments with different names fit into one stack', () => {
  const stack = new Stack(newApp(), 'Theirs');
  for (const name of ['one', 'two']) new Evenkeel(stack, `Evenkeel-${name}`, { name, codeOf: stub });
  const { total, list } = countsOf(Template.fromStack(stack));
  expect(total, list).toBeLessThanOrEqual(MOST);
});

it('no field of the configuration names a hub, so that registering one changes no stack', () => {
  const config = parseConfig({ name: 'one' });
  expect(Object.keys(config).toSorted()).toEqual(['name', 'settings']);
  expect(() => parseConfig({ hubs: [] })).toThrow('evenkeel.hubs: hubs are not configured here');
});
