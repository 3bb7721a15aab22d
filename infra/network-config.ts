/** Where the functions that call hubs run, if hubs are reachable only from a VPC. */
import { Token } from 'aws-cdk-lib';
import type { ISecurityGroup, IVpc, SubnetSelection } from 'aws-cdk-lib/aws-ec2';
import { isRecord, isResource, isText, show } from './given.ts';

/** A VPC in the consumer's app, or the result of a lookup. */
export interface VpcNetwork {
  /** The hubs, and AWS itself by NAT or endpoints, must be reachable from its subnets. */
  readonly vpc: IVpc;
  /** The private subnets by default. */
  readonly subnets?: SubnetSelection;
  /** Created by default; `evenkeel.securityGroups` returns it, because the hubs' own groups must allow it. */
  readonly securityGroups?: readonly ISecurityGroup[];
}

/** As in cdk.json. */
export interface NetworkIds {
  readonly vpc?: undefined;
  readonly subnetIds: readonly string[];
  readonly securityGroupIds: readonly string[];
}

export type NetworkConfig = VpcNetwork | NetworkIds;

const MOST_SUBNETS = 16;
const MOST_GROUPS = 5;
const example = '{ "subnetIds": ["subnet-0a1b2c3d"], "securityGroupIds": ["sg-0a1b2c3d"] }';

/** Errors in the optional field `network`. */
export function wrongNetwork(network: unknown): readonly string[] {
  if (network === undefined) return [];
  if (!isRecord(network)) return [`evenkeel.network: ${show(network)} is not an object; write for example ${example}`];
  const { vpc, ...ids } = network;
  return vpc === undefined ? wrongNetworkIds(ids) : wrongVpcNetwork(network);
}

function wrongVpcNetwork({ vpc, subnets, securityGroups, ...others }: Readonly<Record<string, unknown>>) {
  return [
    ...unknownFields(others, 'beside vpc (there are: vpc, subnets, securityGroups)'),
    ...(isResource(vpc, 'vpcId') ? [] : [`evenkeel.network.vpc: ${show(vpc)} is no IVpc; use Vpc.fromLookup`]),
    ...(subnets === undefined || isRecord(subnets)
      ? []
      : [`evenkeel.network.subnets: ${show(subnets)} is no SubnetSelection; leave it out for the private subnets`]),
    ...(securityGroups === undefined ? [] : wrongGroups(securityGroups)),
  ];
}

function wrongGroups(groups: unknown): readonly string[] {
  const field = 'evenkeel.network.securityGroups';
  if (!Array.isArray(groups)) return [`${field}: ${show(groups)} is not a list; leave it out to have one made`];
  if (groups.length === 0 || groups.length > MOST_GROUPS)
    return [`${field}: must have 1 to ${MOST_GROUPS} items, got ${groups.length}; leave it out to have one made`];
  return groups.flatMap((group: unknown, i) =>
    isResource(group, 'securityGroupId')
      ? []
      : [`${field}[${i}]: ${show(group)} is no ISecurityGroup; use SecurityGroup.fromSecurityGroupId`],
  );
}

function wrongNetworkIds({ subnetIds, securityGroupIds, ...others }: Readonly<Record<string, unknown>>) {
  return [
    ...unknownFields(others, '(there are: subnetIds, securityGroupIds; or vpc)'),
    ...wrongIds('subnetIds', subnetIds, { prefix: 'subnet', most: MOST_SUBNETS }),
    ...wrongIds('securityGroupIds', securityGroupIds, { prefix: 'sg', most: MOST_GROUPS }),
  ];
}

function unknownFields(others: object, known: string): readonly string[] {
  return Object.keys(others).map((field) => `evenkeel.network.${field}: there is no such field ${known}`);
}

function wrongIds(field: string, ids: unknown, { prefix, most }: { prefix: string; most: number }): readonly string[] {
  if (Token.isUnresolved(ids)) return [];
  const wanted = `evenkeel.network.${field}: ${show(ids)}`;
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > most)
    return [`${wanted} is not a list of 1 to ${most} ids; write for example ${example}`];
  const form = new RegExp(`^${prefix}-[0-9a-f]{8,17}$`);
  const wrong = ids.filter((id: unknown) => !isText(id, form));
  return wrong.map((id) => `evenkeel.network.${field}: ${show(id)} is not an id like ${prefix}-0a1b2c3d`);
}
