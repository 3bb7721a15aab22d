/** What a deployment takes of CloudFormation's limit of 500 resources a stack: the same for one hub and for a thousand, which the stacks do not know. */
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { parseConfig } from '../../infra/config.ts';
import { Evenkeel } from '../../infra/evenkeel.ts';
import { newApp, stub, synthesize } from './stacks.ts';

/** Three fifths of the limit: an app that has the construct in a stack of its own keeps almost 200 for itself. 25 are the alarms of the objectives. */
const MOST = 305;

/** The number of resources of each type, the most frequent first, for the message of a failure. */
function countsOf(template: Template): { readonly total: number; readonly list: string } {
  const counts = new Map<string, number>();
  for (const { Type } of Object.values(template.toJSON().Resources as Record<string, { Type: string }>))
    counts.set(Type, (counts.get(Type) ?? 0) + 1);
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  return { total, list: `${total}: ${sorted.map(([type, count]) => `${count} ${type}`).join(', ')}` };
}

/** Fixed names of resources; a rule's is unique on its bus. */
function namesOf(template: Template): readonly string[] {
  const resources = Object.values(
    template.toJSON().Resources as Record<string, { Type: string; Properties?: Record<string, unknown> }>,
  );
  return resources.flatMap(({ Type, Properties = {} }) =>
    Object.entries(Properties).flatMap(([key, value]) =>
      /^(?!Metric|Display|Stage|EventBus)\w*Name$/.test(key) && typeof value === 'string'
        ? [`${Type} ${key} ${value}`]
        : [],
    ),
  );
}

it('the stack of the functions has at most 300 resources', () => {
  const { total, list } = countsOf(synthesize().functions);
  expect(total, list).toBeLessThanOrEqual(300);
});

it('a deployment in the stack of an app, with its state, leaves it at least 195 resources', () => {
  const stack = new Stack(newApp(), 'Theirs');
  new Evenkeel(stack, 'Evenkeel', { codeOf: stub });
  const { total, list } = countsOf(Template.fromStack(stack));
  expect(total, list).toBeLessThanOrEqual(MOST);
});

it('two deployments with different names have no name of a resource in common', () => {
  const names = ['one', 'two'].map((name) => {
    const stack = new Stack(newApp(), 'Theirs');
    new Evenkeel(stack, 'Evenkeel', { name, codeOf: stub });
    return new Set(namesOf(Template.fromStack(stack)));
  });
  const [one = new Set(), two = new Set()] = names;
  expect(one.size).toBeGreaterThan(50);
  expect([...one].filter((name) => two.has(name))).toEqual([]);
});

it('no field of the configuration names a hub, so that registering one changes no stack', () => {
  const config = parseConfig({ name: 'one' });
  expect(Object.keys(config).toSorted()).toEqual(['name', 'settings']);
  expect(() => parseConfig({ hubs: [] })).toThrow('evenkeel.hubs: hubs are not configured here');
});
