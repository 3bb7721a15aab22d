/** `cdk synth` fails with a finding of cdk-nag, or of CloudFormation's own rules, that no construct acknowledges. */
import { type App, CfnResource, Stack, Validations } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, it } from 'vitest';
import { type EvenkeelConfigInput, hasConsole, parseConfig } from '../../infra/config.ts';
import { ConsoleStack } from '../../infra/console-stack.ts';
import { Evenkeel } from '../../infra/evenkeel.ts';
import { casesOf } from '../depth.ts';
import { makeApp, newApp, stub, usual } from './stacks.ts';

/** As cdk.json has it: a rule of CloudFormation that is broken is an error, not a warning. */
const checked = {
  builtinCloudFormationValidation: true,
  context: { '@aws-cdk/core:validateAgainstDefaultRules': true },
};

/** The stacks that synth makes; it throws where there is a finding. */
function synthesized(app: App): readonly string[] {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return app.synth().stacks.map(({ stackName }) => stackName);
}

const network = { subnetIds: ['subnet-0a1b2c3d', 'subnet-0a1b2c3e'], securityGroupIds: ['sg-0a1b2c3d'] };

const deployments: readonly (readonly [string, EvenkeelConfigInput])[] = [
  ['the two stacks with a network', { ...usual, network }],
  ['the two stacks', usual],
];

// `npm run check` synthesizes the two stacks with these rules.
it.each(casesOf(deployments, 0))('%s have no finding that is not acknowledged', (_, input) => {
  expect(synthesized(makeApp(input, checked).app)).toEqual(['EvenkeelState', 'EvenkeelFunctions']);
});

// The construct has the same resources as the two stacks.
it.each(casesOf(['in an account and region that are known'], 0))('the construct has none either, %s', () => {
  const app = newApp(checked);
  const stack = new Stack(app, 'Theirs', { env: { account: '123456789012', region: 'eu-central-1' } });
  new Evenkeel(stack, 'Evenkeel', { ...usual, codeOf: stub });
  expect(synthesized(app)).toEqual(['Theirs']);
});

it('the stack of the page has none either', () => {
  const app = newApp(checked);
  const config = parseConfig({
    ...usual,
    console: { issuer: 'https://login.example.com', clientId: 'evenkeel', commandGroups: ['sre'] },
  });
  if (!hasConsole(config)) throw new Error('it has no console');
  new ConsoleStack(app, 'EvenkeelConsole', { config, code: stub() });
  expect(synthesized(app)).toEqual(['EvenkeelConsole']);
});

it.each([
  ['cdk-nag', 'AwsSolutions-SNS3', (stack: Stack) => new Topic(stack, 'Plain')],
  [
    'CloudFormation',
    'CloudFormation-Validate::F3002',
    (stack: Stack) => new CfnResource(stack, 'Plain', { type: 'AWS::SQS::Queue', properties: { Delay: 1 } }),
  ],
])('an unacknowledged finding of %s fails synth', (_, rule, add) => {
  const app = newApp(checked);
  add(new Stack(app, 'Theirs'));
  const exitCode = process.exitCode;
  try {
    expect(() => synthesized(app)).toThrow(rule);
  } finally {
    process.exitCode = exitCode;
  }
});
