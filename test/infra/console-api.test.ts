import { describe, expect, it } from 'vitest';
import { type FunctionName, functionNames } from '../../shared/bus/functions.ts';
import { routes } from '../../shared/bus/routes.ts';
import { DEAD_LETTERS } from '../../shared/core/environment.ts';
import { grantsOf, lambdaOf, queueNamed, resourcesOf, synthesize, targetOf, textOf } from './stacks.ts';

const { functions: template } = synthesize();
const operators = functionNames.filter((name) => name.startsWith('console-api/'));

const environmentOf = (from: typeof template, name: FunctionName): Readonly<Record<string, unknown>> =>
  (lambdaOf(from, name).properties.Environment as { Variables: Record<string, unknown> }).Variables;

describe.each(operators)('%s', (name) => {
  it('is called by nothing that we deploy: only who is granted lambda:InvokeFunction may', () => {
    const { id } = lambdaOf(template, name);
    const permissions = resourcesOf(template, 'AWS::Lambda::Permission');
    const feeds = resourcesOf(template, 'AWS::Lambda::EventSourceMapping');
    const called = [...permissions, ...feeds].map(({ properties }) => targetOf(properties.FunctionName));
    expect(called.filter((target) => target === id)).toEqual([]);
    expect(resourcesOf(template, 'AWS::Lambda::Url')).toEqual([]);
  });

  it('gets the URLs of all queues, and each queue exists', () => {
    const first = queueNamed(template, 'evenkeel-plan-rebalance').id;
    // The URL prefix of a queue, as SQS builds it.
    const base = { 'Fn::Select': [0, { 'Fn::Split': ['/evenkeel-plan-rebalance', { Ref: first }] }] };
    expect(environmentOf(template, name).EVENKEEL_QUEUES_URL).toEqual({ 'Fn::Join': ['', [base, '/evenkeel-']] });
    const names = resourcesOf(template, 'AWS::SQS::Queue').map(({ properties }) => properties.QueueName);
    for (const route of routes) {
      expect(names).toContain(`evenkeel-${route.name}`);
      expect(names).toContain(`evenkeel-${route.name}${DEAD_LETTERS}`);
    }
  });
});

describe('the functions that users call', () => {
  it('have their ARNs as separate outputs', () => {
    const outputs = template.toJSON().Outputs as Record<string, { Value: unknown }>;
    expect(targetOf(outputs.RunQueryFunction?.Value)).toBe(lambdaOf(template, 'console-api/run-query').id);
    expect(targetOf(outputs.RunCommandFunction?.Value)).toBe(lambdaOf(template, 'console-api/run-command').id);
  });
});

it('the policy of each function that reads all queues fits into the 10,240 characters of a role', () => {
  const name = 'n'.repeat(23);
  const { functions: large } = synthesize({ name });
  // References grow to what they are on AWS: an ARN of the longest queue, or of a secret.
  const arn = `arn:aws:secretsmanager:ap-southeast-2:123456789012:secret:${'x'.repeat(24)}-123456789012-123456`;
  const sizes = resourcesOf(large, 'AWS::IAM::Role')
    .filter(({ properties }) => String(properties.Description).startsWith('Evenkeel: console-api/'))
    .map(({ id }) =>
      [...grantsOf(large, id).values()].map((statement) => {
        const resources = [statement.Resource].flat().map((each) => textOf(each, () => arn));
        return JSON.stringify({ ...statement, Resource: resources }).length;
      }),
    );
  expect(sizes).toHaveLength(operators.length);
  for (const size of sizes) expect(size.reduce((sum, each) => sum + each, 0)).toBeLessThan(10_240);
});
