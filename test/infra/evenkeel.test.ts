import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { Evenkeel } from '../../infra/evenkeel.ts';
import { type FunctionDefinition, functionNames, functions } from '../../shared/bus/functions.ts';
import { lambdaOf, newApp, resourcesOf, stub, synthesize, targetOf, twoHubs } from './stacks.ts';

const typesOf = (template: Template): readonly string[] =>
  Object.values(template.toJSON().Resources as Record<string, { Type: string }>)
    .map(({ Type }) => Type)
    .toSorted();

/** The property that holds the name of which an account has one. */
const namedBy = {
  'AWS::CloudWatch::Alarm': 'AlarmName',
  'AWS::CloudWatch::Dashboard': 'DashboardName',
  'AWS::Events::EventBus': 'Name',
  'AWS::Events::Rule': 'Name',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::SNS::Topic': 'TopicName',
  'AWS::SQS::Queue': 'QueueName',
  'AWS::Scheduler::Schedule': 'Name',
  'AWS::Scheduler::ScheduleGroup': 'Name',
};

describe('the construct', () => {
  it("holds in the user's own stack what the two stacks hold together", () => {
    const stack = new Stack(newApp(), 'Theirs');
    new Evenkeel(stack, 'Evenkeel', { ...twoHubs, codeOf: stub });
    const { state, functions } = synthesize();
    expect(typesOf(Template.fromStack(stack))).toEqual([...typesOf(state), ...typesOf(functions)].toSorted());
  });

  it('outputs the URL of each hub', () => {
    const stack = new Stack(newApp(), 'Theirs');
    const evenkeel = new Evenkeel(stack, 'Evenkeel', { ...twoHubs, codeOf: stub });
    const urls = [...evenkeel.hookUrls].map(([hub, url]) => [hub, /\/hubs\/.*$/.exec(url)?.[0]]);
    expect(urls).toEqual([
      ['karmada', '/hubs/karmada/audit'],
      ['edge-1', '/hubs/edge-1/audit'],
    ]);
  });

  it('outputs the roles that call hubs with AWS identities, and no other', () => {
    const stack = new Stack(newApp(), 'Theirs');
    const { hubCallers } = new Evenkeel(stack, 'Evenkeel', { ...twoHubs, codeOf: stub });
    const template = Template.fromStack(stack);
    const acts = ({ hub }: FunctionDefinition) => hub.some(({ ofOwnAccount }) => !ofOwnAccount);
    const callers = functionNames.filter((name) => acts(functions[name]));
    expect(hubCallers.map((arn) => targetOf(stack.resolve(arn)))).toEqual(
      callers.map((name) => targetOf(lambdaOf(template, name).properties.Role)),
    );
  });

  it('stands twice in one account under two names', () => {
    const templates = ['one', 'two'].map((name) => {
      const stack = new Stack(newApp(), 'Theirs');
      new Evenkeel(stack, 'Evenkeel', { ...twoHubs, name, codeOf: stub });
      return Template.fromStack(stack);
    });
    for (const [type, property] of Object.entries(namedBy)) {
      const names = templates.flatMap((each) => resourcesOf(each, type).map(({ properties }) => properties[property]));
      expect(names.length, type).toBeGreaterThanOrEqual(2);
      expect(names.filter((name, i) => names.indexOf(name) < i)).toEqual([]);
    }
  });

  it('rejects wrong hubs and settings as it does from cdk.json', () => {
    const stack = new Stack(newApp(), 'Theirs');
    expect(() => new Evenkeel(stack, 'Evenkeel', { hubs: [{ name: 'A' }] })).toThrow('"A" is not a hub name');
  });
});
