/** Puts a function that calls hubs into the customer's network, with the rights that Lambda needs for that and the function's own code does not get. */
import { ArnFormat, type Stack, Validations } from 'aws-cdk-lib';
import { Effect, PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { FunctionDefinition } from '../../shared/functions.ts';
import type { NetworkConfig } from '../network-config.ts';
import { wildcardFinding } from './wildcard-finding.ts';

const look = ['ec2:DescribeNetworkInterfaces', 'ec2:DescribeSubnets'];
const change = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:UnassignPrivateIpAddresses',
];

/** The others stay outside: they need AWS only, and start sooner there. */
export function standsInNetwork({ hub }: FunctionDefinition): boolean {
  return hub.length > 0;
}

/**
 * What Lambda does with a function's role before and after it runs. The same is denied to the code itself: only calls of
 * its own carry the ARN of the function.
 */
export function networkGrants(stack: Stack, functionName: string): PolicyStatement[] {
  const resource = { service: 'lambda', resource: 'function', resourceName: functionName };
  const functionArn = stack.formatArn({ ...resource, arnFormat: ArnFormat.COLON_RESOURCE_NAME });
  const denied = new PolicyStatement({
    sid: 'NotForItsCode',
    effect: Effect.DENY,
    actions: [...change, ...look].toSorted(),
    resources: ['*'],
    conditions: { ArnEquals: { 'lambda:SourceFunctionArn': functionArn } },
  });
  return [
    new PolicyStatement({ sid: 'FindNetwork', actions: look, resources: ['*'] }),
    new PolicyStatement({ sid: 'OwnNetworkInterfaces', actions: change, resources: [interfacesArn(stack)] }),
    denied,
  ];
}

export function enterNetwork(lambda: LambdaFunction, role: Role, network: NetworkConfig): void {
  (lambda.node.defaultChild as CfnFunction).vpcConfig = {
    subnetIds: [...network.subnetIds],
    securityGroupIds: [...network.securityGroupIds],
  };
  Validations.of(role).acknowledge({
    id: wildcardFinding(role.stack, '*'),
    reason: 'EC2 takes no resource for DescribeNetworkInterfaces and DescribeSubnets, which Lambda calls as this role.',
  });
  Validations.of(role).acknowledge({
    id: wildcardFinding(role.stack, interfacesArn(role.stack)),
    reason:
      "Lambda makes the interfaces, so their ids are known to nobody before, and AWS asks for all resources of EC2 here; the statement NotForItsCode denies the same calls to the function's own code.",
  });
}

function interfacesArn(stack: Stack): string {
  return stack.formatArn({ service: 'ec2', resource: '*', resourceName: '*' });
}
