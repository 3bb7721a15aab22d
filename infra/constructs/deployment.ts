/** Resolves names, ids and ARNs of a configuration to CDK resources, in one place. */
import { Certificate, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { type ISecurityGroup, SecurityGroup } from 'aws-cdk-lib/aws-ec2';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { Fault } from '../../shared/core/fault.ts';
import type { EvenkeelConfig } from '../config.ts';
import { type HookDomain, type Truststore, truststoreUri } from '../hook-config.ts';
import type { NetworkConfig } from '../network-config.ts';

export interface Deployment extends Pick<EvenkeelConfig, 'name' | 'settings' | 'tracesTo'> {
  readonly hook?: Hook;
  readonly network?: Network;
}

export interface Hook {
  readonly domainName: string;
  readonly certificate: ICertificate;
  readonly truststore: Truststore;
}

export interface Network {
  readonly subnetIds: readonly string[];
  readonly securityGroups: readonly ISecurityGroup[];
}

export function deploymentOf(
  scope: Construct,
  { name, settings, tracesTo, hook, network }: EvenkeelConfig,
): Deployment {
  return {
    name,
    settings,
    ...(tracesTo !== undefined && { tracesTo }),
    ...(hook && { hook: hookOf(scope, hook) }),
    ...(network && { network: networkOf(new Construct(scope, 'Network'), network) }),
  };
}

function hookOf(scope: Construct, hook: HookDomain): Hook {
  return {
    domainName: hook.domainName,
    certificate: hook.certificate ?? Certificate.fromCertificateArn(scope, 'Certificate', hook.certificateArn),
    truststore: hook.truststore ?? truststoreAt(scope, hook.truststoreUri),
  };
}

/** Not by URL: CDK lower-cases URLs, which breaks the tokens of bucket names that are unresolved at synthesis. */
function truststoreAt(scope: Construct, uri: string): Truststore {
  const { bucket = '', key = '' } = truststoreUri.exec(uri)?.groups ?? {};
  return { bucket: Bucket.fromBucketName(scope, 'Truststore', bucket), key };
}

function networkOf(scope: Construct, network: NetworkConfig): Network {
  if (network.vpc === undefined)
    return {
      subnetIds: network.subnetIds,
      securityGroups: network.securityGroupIds.map((id, i) =>
        SecurityGroup.fromSecurityGroupId(scope, `SecurityGroup${i}`, id),
      ),
    };
  const { vpc, subnets, securityGroups } = network;
  const { subnetIds, hasPublic } = vpc.selectSubnets(subnets);
  if (hasPublic) throw wrongSubnets('selects public subnets, from which a function reaches nothing outside its VPC');
  if (subnetIds.length === 0) throw wrongSubnets('selects no subnets');
  const made = () => [
    new SecurityGroup(scope, 'SecurityGroup', { vpc, description: 'Evenkeel: the functions that call hubs' }),
  ];
  return { subnetIds, securityGroups: securityGroups ?? made() };
}

function wrongSubnets(what: string): Fault {
  return new Fault('terminal', `evenkeel.network.subnets: ${what}; select private ones`, { reason: 'InvalidConfig' });
}
