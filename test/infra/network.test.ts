import { Stack } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../infra/config.ts';
import { networkGrants } from '../../infra/constructs/network.ts';
import { type FunctionDefinition, type FunctionName, functionNames, functions } from '../../shared/bus/functions.ts';
import { Fault } from '../../shared/core/fault.ts';
import {
  actionsOf,
  grantsOf,
  lambdaOf,
  newApp,
  resourcesOf,
  type Statement,
  synthesize,
  targetOf,
  textOf,
} from './stacks.ts';

const network = { subnetIds: ['subnet-0a1b2c3d', 'subnet-0a1b2c3e'], securityGroupIds: ['sg-0a1b2c3d'] };
const { functions: template } = synthesize({ network });

const callsHubs = (name: FunctionName) => (functions[name] as FunctionDefinition).hub.length > 0;
const callers = functionNames.filter(callsHubs);
const others = functionNames.filter((name) => !callsHubs(name));
const grants = (name: FunctionName) => grantsOf(template, targetOf(lambdaOf(template, name).properties.Role));

describe('with a network', () => {
  it.each(callers)('%s, which calls hubs, stands in it', (name) => {
    expect(lambdaOf(template, name).properties.VpcConfig).toEqual({
      SubnetIds: network.subnetIds,
      SecurityGroupIds: network.securityGroupIds,
    });
  });

  it.each(others)('%s, which calls none, stands outside and has no right on networks', (name) => {
    expect(lambdaOf(template, name).properties.VpcConfig).toBeUndefined();
    expect([...grants(name).values()].flatMap(actionsOf).filter((action) => action.startsWith('ec2:'))).toEqual([]);
  });

  it.each(callers)('%s has what Lambda needs to put it there, and its own code is denied the same', (name) => {
    const allowed = [grants(name).get('FindNetwork'), grants(name).get('OwnNetworkInterfaces')];
    const denied = grants(name).get('NotForItsCode');
    expect(allowed.flatMap(actionsOf).toSorted()).toEqual([
      'ec2:AssignPrivateIpAddresses',
      'ec2:CreateNetworkInterface',
      'ec2:DeleteNetworkInterface',
      'ec2:DescribeNetworkInterfaces',
      'ec2:DescribeSubnets',
      'ec2:UnassignPrivateIpAddresses',
    ]);
    expect([denied?.Effect, denied?.Resource]).toEqual(['Deny', '*']);
    expect(actionsOf(denied)).toEqual(allowed.flatMap(actionsOf).toSorted());
    const { ArnEquals } = denied?.Condition as { ArnEquals: Record<string, unknown> };
    expect(textOf(ArnEquals['lambda:SourceFunctionArn'])).toMatch(
      new RegExp(`:function:evenkeel-${name.split('/')[1]}$`),
    );
  });
});

it('the network grants allow the calls of Lambda, and deny the same calls to the code of the function', () => {
  const stack = new Stack(newApp(), 'Stack', { env: { account: '123456789012', region: 'eu-central-1' } });
  const change = [
    'ec2:AssignPrivateIpAddresses',
    'ec2:CreateNetworkInterface',
    'ec2:DeleteNetworkInterface',
    'ec2:UnassignPrivateIpAddresses',
  ];
  const look = ['ec2:DescribeNetworkInterfaces', 'ec2:DescribeSubnets'];
  const statements = networkGrants(stack, 'evenkeel-find-drift').map(
    (statement) => stack.resolve(statement.toStatementJson()) as Statement,
  );
  const partition = { Ref: 'AWS::Partition' };
  const interfaces = ['arn:', partition, ':ec2:eu-central-1:123456789012:*/*'];
  const functionArn = ['arn:', partition, ':lambda:eu-central-1:123456789012:function:evenkeel-find-drift'];
  expect(statements).toEqual([
    { Sid: 'FindNetwork', Effect: 'Allow', Action: look, Resource: '*' },
    { Sid: 'OwnNetworkInterfaces', Effect: 'Allow', Action: change, Resource: { 'Fn::Join': ['', interfaces] } },
    {
      Sid: 'NotForItsCode',
      Effect: 'Deny',
      Action: [...change, ...look].toSorted(),
      Resource: '*',
      Condition: { ArnEquals: { 'lambda:SourceFunctionArn': { 'Fn::Join': ['', functionArn] } } },
    },
  ]);
});

it('without one, no function stands in a network', () => {
  const { functions: plain } = synthesize({});
  const all = resourcesOf(plain, 'AWS::Lambda::Function');
  expect(all).toHaveLength(functionNames.length);
  expect(all.filter(({ properties }) => 'VpcConfig' in properties)).toEqual([]);
});

describe('a network', () => {
  it.each([
    ['that is no object', 'vpc-1', /^evenkeel\.network: "vpc-1" is not an object; write for example/],
    ['without subnets', { securityGroupIds: ['sg-0a1b2c3d'] }, /network\.subnetIds: nothing is not a list of 1 to 16/],
    ['without security groups', { ...network, securityGroupIds: [] }, /securityGroupIds: \[\] is not a list of 1 to 5/],
    ['with the id of something else', { ...network, subnetIds: ['vpc-0a1b2c3d'] }, /"vpc-0a1b2c3d" is not an id like/],
    ['with a number', { ...network, subnetIds: [1] }, /network\.subnetIds: 1 is not an id like subnet-0a1b2c3d/],
    ['with a field too many', { ...network, vpcId: 'vpc-1' }, /network\.vpcId: there is no such field/],
  ])('%s is rejected in one line', (_, given, complaint) => {
    const parse = () => parseConfig({ network: given });
    expect(parse).toThrow(Fault);
    expect(parse).toThrow(complaint);
  });
});
