import { Stack, Validations } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, it } from 'vitest';
import { Evenkeel } from '../../infra/evenkeel.ts';
import { makeApp, newApp, stub, twoHubs } from './stacks.ts';

it('cdk-nag finds nothing in the two stacks that is not acknowledged', () => {
  const { app } = makeApp();
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  expect(app.synth().stacks.map(({ stackName }) => stackName)).toEqual(['EvenkeelState', 'EvenkeelFunctions']);
});

it('cdk-nag finds nothing in the construct either, in an account and region that are known', () => {
  const app = newApp();
  const stack = new Stack(app, 'Theirs', { env: { account: '123456789012', region: 'eu-central-1' } });
  new Evenkeel(stack, 'Evenkeel', { ...twoHubs, codeOf: stub });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  expect(app.synth().stacks.map(({ stackName }) => stackName)).toEqual(['Theirs']);
});

it('a finding that nobody acknowledged fails synth', () => {
  const { app, functions } = makeApp();
  new Topic(functions, 'Plain');
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const exitCode = process.exitCode;
  try {
    expect(() => app.synth()).toThrow();
  } finally {
    process.exitCode = exitCode;
  }
});
