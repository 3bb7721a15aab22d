/** Attaches a function that calls hubs to the VPC, with permissions that Lambda needs for that and that the function's own code must not have. */
import { ArnFormat, type Stack } from 'aws-cdk-lib';
import { Effect, PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { FunctionDefinition } from '../../shared/bus/functions.ts';
import { acknowledge } from './acknowledge.ts';
import type { Network } from './deployment.ts';
import { wildcardFinding } from './wildcard-finding.ts';

const look = ['ec2:DescribeNetworkInterfaces', 'ec2:DescribeSubnets'];
const change = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:UnassignPrivateIpAddresses',
];

/** Other functions stay outside the VPC: they only need AWS, and start faster there. */
export function standsInNetwork({ hub }: FunctionDefinition): boolean {
  return hub.length > 0;
}

/**
 * Lambda manages network interfaces with the function's role. The same actions are denied to the function's code: only its
 * own calls carry the ARN of the function.
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

export function enterNetwork(lambda: LambdaFunction, role: Role, network: Network): void {
  (lambda.node.defaultChild as CfnFunction).vpcConfig = {
    subnetIds: [...network.subnetIds],
    securityGroupIds: network.securityGroups.map(({ securityGroupId }) => securityGroupId),
  };
  acknowledge(role, {
    id: wildcardFinding(role.stack, '*'),
    reason: 'EC2 takes no resource for DescribeNetworkInterfaces and DescribeSubnets, which Lambda calls as this role.',
  });
  acknowledge(role, {
    id: wildcardFinding(role.stack, interfacesArn(role.stack)),
    reason:
      "Lambda creates the interfaces, so their ids are unknown in advance, and AWS requires all EC2 resources here; the statement NotForItsCode denies the same calls to the function's own code.",
  });
}

function interfacesArn(stack: Stack): string {
  return stack.formatArn({ service: 'ec2', resource: '*', resourceName: '*' });
}
