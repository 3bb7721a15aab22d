import { CfnParameter, Duration, Fn, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { type IVpc, SecurityGroup, SubnetType, Vpc, type VpcProps } from 'aws-cdk-lib/aws-ec2';
import { Bucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import { Evenkeel, type EvenkeelProps } from '../../infra/evenkeel.ts';
import { type FunctionDefinition, functionNames, functions } from '../../shared/bus/functions.ts';
import { grantsOf, lambdaOf, newApp, only, resourcesOf, stub, targetOf, textOf } from './stacks.ts';

const callers = functionNames.filter((name) => (functions[name] as FunctionDefinition).hub.length > 0);

/** A stack of a consumer's with Evenkeel in it; what `props` makes is made in the same stack. */
function deploy(props: (stack: Stack) => Partial<EvenkeelProps>): { template: Template; evenkeel: Evenkeel } {
  const stack = new Stack(newApp(), 'Platform');
  const evenkeel = new Evenkeel(stack, 'Evenkeel', { codeOf: stub, ...props(stack) });
  return { template: Template.fromStack(stack), evenkeel };
}

// The CDK's own classes are not assignable to its interfaces under exactOptionalPropertyTypes, which this repository sets.
const vpcIn = (stack: Stack, props?: VpcProps) => new Vpc(stack, 'Network', props) as IVpc;
const bucketIn = (stack: Stack): IBucket => new Bucket(stack, 'Trust') as IBucket;

function rejection(props: (stack: Stack) => object): string {
  try {
    deploy(props);
  } catch (thrown) {
    return (thrown as Error).message;
  }
  return 'none';
}

/** The logical id of the one resource of this type in the stack of the consumer, outside Evenkeel. */
function ownId(template: Template, type: string): string {
  const own = resourcesOf(template, type).filter(({ id }) => !id.startsWith('Evenkeel'));
  return only(own, type).id;
}

describe('a Vpc and a SecurityGroup of the same app', () => {
  const { template, evenkeel } = deploy((stack) => {
    const vpc = vpcIn(stack, { maxAzs: 2 });
    return { network: { vpc, securityGroups: [new SecurityGroup(stack, 'ToHubs', { vpc })] } };
  });

  it.each(callers)('are where %s runs: in the private subnets', (name) => {
    const { SubnetIds, SecurityGroupIds } = lambdaOf(template, name).properties.VpcConfig as Record<string, unknown[]>;
    expect(SubnetIds?.map(targetOf)).toEqual([
      expect.stringMatching(/^NetworkPrivateSubnet1/),
      expect.stringMatching(/^NetworkPrivateSubnet2/),
    ]);
    expect(SecurityGroupIds?.map(targetOf)).toEqual([ownId(template, 'AWS::EC2::SecurityGroup')]);
  });

  it('are listed again as the security groups of the functions', () => {
    expect(evenkeel.securityGroups.map(({ node }) => node.path)).toEqual(['Platform/ToHubs']);
  });
});

it('makes a security group for the functions in a Vpc for which none is given', () => {
  const { template, evenkeel } = deploy((stack) => ({ network: { vpc: vpcIn(stack) } }));
  const made = only(resourcesOf(template, 'AWS::EC2::SecurityGroup'), 'security groups');
  expect(evenkeel.securityGroups.map(({ node }) => node.path)).toEqual(['Platform/Evenkeel/Network/SecurityGroup']);
  for (const name of callers) {
    const { SecurityGroupIds } = lambdaOf(template, name).properties.VpcConfig as Record<string, unknown[]>;
    expect(SecurityGroupIds?.map(targetOf)).toEqual([made.id]);
  }
});

it('takes the subnets that are selected', () => {
  const { template } = deploy((stack) => ({
    network: {
      vpc: vpcIn(stack, {
        subnetConfiguration: [
          { name: 'Public', subnetType: SubnetType.PUBLIC },
          { name: 'Apps', subnetType: SubnetType.PRIVATE_WITH_EGRESS },
          { name: 'Hubs', subnetType: SubnetType.PRIVATE_WITH_EGRESS },
        ],
      }),
      subnets: { subnetGroupName: 'Hubs' },
    },
  }));
  const { SubnetIds = [] } = lambdaOf(template, 'workload-rebalancer/trigger-bindings').properties.VpcConfig as Record<
    string,
    unknown[]
  >;
  expect(SubnetIds.length).toBeGreaterThan(0);
  expect(SubnetIds.map((id) => targetOf(id)?.replace(/Subnet.*/, ''))).toEqual(SubnetIds.map(() => 'NetworkHubs'));
});

it('takes ids of subnets and security groups that are known at deployment only', () => {
  const { template } = deploy(() => ({
    network: { subnetIds: [Fn.importValue('SubnetA')], securityGroupIds: [Fn.importValue('ToHubs')] },
  }));
  for (const name of callers)
    expect(lambdaOf(template, name).properties.VpcConfig).toEqual({
      SubnetIds: [{ 'Fn::ImportValue': 'SubnetA' }],
      SecurityGroupIds: [{ 'Fn::ImportValue': 'ToHubs' }],
    });
});

it('takes lists of ids that are known at deployment only', () => {
  const list = (name: string) => Fn.split(',', Fn.importValue(name));
  const { template } = deploy(() => ({ network: { subnetIds: list('Subnets'), securityGroupIds: list('Groups') } }));
  for (const name of callers)
    expect(lambdaOf(template, name).properties.VpcConfig).toEqual({
      SubnetIds: { 'Fn::Split': [',', { 'Fn::ImportValue': 'Subnets' }] },
      SecurityGroupIds: { 'Fn::Split': [',', { 'Fn::ImportValue': 'Groups' }] },
    });
});

it('treats a field that is undefined as one that is left out', () => {
  const { template } = deploy(
    (stack) =>
      ({
        network: { vpc: undefined, subnetIds: ['subnet-0a1b2c3d'], securityGroupIds: ['sg-0a1b2c3d'] },
        hook: {
          domainName: 'hook.example.com',
          certificate: new Certificate(stack, 'HookCertificate', { domainName: 'hook.example.com' }),
          certificateArn: undefined,
          truststore: undefined,
          truststoreUri: 's3://trust/ca.pem',
        },
      }) satisfies Partial<EvenkeelProps>,
  );
  const [caller] = callers;
  expect(caller && lambdaOf(template, caller).properties.VpcConfig).toEqual({
    SubnetIds: ['subnet-0a1b2c3d'],
    SecurityGroupIds: ['sg-0a1b2c3d'],
  });
  const domain = only(resourcesOf(template, 'AWS::ApiGatewayV2::DomainName'), 'domains').properties;
  expect(domain.MutualTlsAuthentication).toEqual({ TruststoreUri: 's3://trust/ca.pem' });
});

describe('a Certificate and a Bucket of the same app', () => {
  const { template } = deploy((stack) => ({
    hook: {
      domainName: 'hook.example.com',
      certificate: new Certificate(stack, 'HookCertificate', { domainName: 'hook.example.com' }),
      truststore: { bucket: bucketIn(stack), key: 'hubs/ca.pem' },
    },
  }));
  const { DomainNameConfigurations, MutualTlsAuthentication } = only(
    resourcesOf(template, 'AWS::ApiGatewayV2::DomainName'),
    'domains',
  ).properties;

  it('are what the domain of the hook shows and trusts', () => {
    const [{ CertificateArn }] = DomainNameConfigurations as [{ CertificateArn: unknown }];
    expect(targetOf(CertificateArn)).toBe(ownId(template, 'AWS::CertificateManager::Certificate'));
    const { TruststoreUri } = MutualTlsAuthentication as { TruststoreUri: unknown };
    expect(textOf(TruststoreUri)).toBe(`s3://{'Ref':'${ownId(template, 'AWS::S3::Bucket')}'}/hubs/ca.pem`);
  });
});

it('takes the ARN of a certificate and the address of a truststore that are known at deployment only', () => {
  const { template } = deploy((stack) => ({
    hook: {
      domainName: new CfnParameter(stack, 'HookDomain').valueAsString,
      certificateArn: Fn.importValue('HookCertificate'),
      truststoreUri: `s3://${Fn.importValue('Trust')}/hubs/ca.pem`,
    },
  }));
  const { DomainName, DomainNameConfigurations, MutualTlsAuthentication } = only(
    resourcesOf(template, 'AWS::ApiGatewayV2::DomainName'),
    'domains',
  ).properties;
  expect(DomainName).toEqual({ Ref: 'HookDomain' });
  expect(DomainNameConfigurations).toEqual([
    expect.objectContaining({ CertificateArn: { 'Fn::ImportValue': 'HookCertificate' } }),
  ]);
  expect(textOf((MutualTlsAuthentication as { TruststoreUri: unknown }).TruststoreUri)).toBe('s3://Trust/hubs/ca.pem');
});

it('sends every alarm to a Topic of the same app, and makes none of its own', () => {
  const { template, evenkeel } = deploy((stack) => ({ alarmTopic: new Topic(stack, 'OnCall') }));
  const topic = only(resourcesOf(template, 'AWS::SNS::Topic'), 'topics');
  expect(topic.id).toBe(ownId(template, 'AWS::SNS::Topic'));
  const alarms = ['Alarm', 'CompositeAlarm'].flatMap((type) => resourcesOf(template, `AWS::CloudWatch::${type}`));
  const actions = alarms.flatMap(({ properties }) => (properties.AlarmActions as unknown[] | undefined) ?? []);
  expect(actions.length).toBeGreaterThan(20);
  expect(new Set(actions.map(targetOf))).toEqual(new Set([topic.id]));
  expect(evenkeel.alarmTopic.node.path).toBe('Platform/OnCall');
});

it('takes the issuer and the client of a user pool of the same app', () => {
  const { template } = deploy((stack) => ({
    console: {
      issuer: `https://cognito-idp.${stack.region}.amazonaws.com/${new CfnParameter(stack, 'UserPool').valueAsString}`,
      clientId: new CfnParameter(stack, 'UserPoolClient').valueAsString,
    },
  }));
  const servers = resourcesOf(template, 'AWS::Lambda::Function').filter(
    ({ properties }) => properties.FunctionName === 'evenkeel-serve-console',
  );
  const { Variables } = only(servers, 'servers').properties.Environment as { Variables: Record<string, unknown> };
  const { issuer, clientId } = JSON.parse(
    textOf(Variables.EVENKEEL_CONSOLE, (reference) => reference.replaceAll("'", '')),
  ) as { issuer: string; clientId: string };
  expect([issuer, clientId]).toEqual([
    'https://cognito-idp.{Ref:AWS::Region}.amazonaws.com/{Ref:UserPool}',
    '{Ref:UserPoolClient}',
  ]);
});

it('takes a Duration for every setting that is a time, in the unit of the setting', () => {
  const { template } = deploy(() => ({
    settings: {
      hubTimeoutSeconds: Duration.seconds(5),
      rescheduleTimeoutSeconds: Duration.minutes(10),
      resyncMinutes: Duration.hours(1),
      tokenHours: Duration.days(1),
      historyDays: Duration.days(7),
    },
  }));
  const { properties } = lambdaOf(template, 'workload-rebalancer/plan-rebalance');
  const { Variables } = properties.Environment as { Variables: Record<string, unknown> };
  expect([
    Variables.EVENKEEL_HUB_TIMEOUT_SECONDS,
    Variables.EVENKEEL_RESCHEDULE_TIMEOUT_SECONDS,
    Variables.EVENKEEL_RESYNC_MINUTES,
    Variables.EVENKEEL_TOKEN_HOURS,
    Variables.EVENKEEL_HISTORY_DAYS,
  ]).toEqual(['5', '600', '60', '24', '7']);
});

it('gives the functions in a Vpc the rights of those in subnets that are named by id, and no managed policy', () => {
  const { template } = deploy((stack) => ({ network: { vpc: vpcIn(stack) } }));
  for (const name of callers) {
    const roleId = targetOf(lambdaOf(template, name).properties.Role);
    const role = only(
      resourcesOf(template, 'AWS::IAM::Role').filter(({ id }) => id === roleId),
      name,
    );
    expect(role.properties.ManagedPolicyArns).toBeUndefined();
    expect([...grantsOf(template, roleId).keys()]).toEqual(
      expect.arrayContaining(['FindNetwork', 'OwnNetworkInterfaces', 'NotForItsCode']),
    );
  }
});

describe('rejects, with the field and the way out,', () => {
  it.each<readonly [string, (stack: Stack) => object, RegExp]>([
    [
      'a Vpc without private subnets',
      (stack) => ({
        network: {
          vpc: vpcIn(stack, {
            natGateways: 0,
            subnetConfiguration: [{ name: 'Public', subnetType: SubnetType.PUBLIC }],
          }),
        },
      }),
      /^evenkeel\.network\.subnets: selects public subnets, from which a function reaches nothing outside its VPC; select private ones$/,
    ],
    [
      'a Vpc together with ids of subnets',
      (stack) => ({ network: { vpc: vpcIn(stack), subnetIds: ['subnet-0a1b2c3d'] } }),
      /^evenkeel\.network\.subnetIds: there is no such field beside vpc \(there are: vpc, subnets, securityGroups\)$/,
    ],
    [
      'no security group',
      (stack) => ({ network: { vpc: vpcIn(stack), securityGroups: [] } }),
      /^evenkeel\.network\.securityGroups: must have 1 to 5 items, got 0; leave it out to have one made$/,
    ],
    [
      'the name of a VPC',
      () => ({ network: { vpc: 'vpc-0a1b2c3d' } }),
      /^evenkeel\.network\.vpc: "vpc-0a1b2c3d" is no IVpc; use Vpc\.fromLookup$/,
    ],
    [
      'a certificate twice',
      (stack) => ({
        hook: {
          domainName: 'hook.example.com',
          certificate: new Certificate(stack, 'HookCertificate', { domainName: 'hook.example.com' }),
          certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0f3c-1',
          truststoreUri: 's3://trust/ca.pem',
        },
      }),
      /^evenkeel\.hook\.certificateArn: may not be set beside certificate$/,
    ],
    [
      'a truststore without a key',
      (stack) => ({
        hook: {
          domainName: 'hook.example.com',
          certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0f3c-1',
          truststore: { bucket: bucketIn(stack) },
        },
      }),
      /^evenkeel\.hook\.truststore\.key: nothing can't be used; write the key of a PEM file in the bucket$/,
    ],
    [
      'a Duration that is no whole number of the unit',
      () => ({ settings: { resyncMinutes: Duration.seconds(90) } }),
      /^evenkeel\.settings\.resyncMinutes: .*90 seconds.*whole number of minutes/i,
    ],
    [
      'a Duration for a number of requests',
      () => ({ settings: { hubInFlight: Duration.seconds(9) } }),
      /^evenkeel\.settings\.hubInFlight: a Duration is not a number of requests; write the number$/,
    ],
  ])('%s', (_, props, message) => {
    expect(rejection(props)).toMatch(message);
  });
});
