/** The packed construct in CDK apps of a consumer, installed by npm with the lowest CDK that peerDependencies allow, and with the latest one. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../command.ts';
import { Consumer, lowestOf, manifestOf, packed, temporaryFolder } from './consumer.ts';

const app = `
import { App, Stack } from 'aws-cdk-lib';
import { Evenkeel } from '@evenkeel/cdk';
const app = new App({ outdir: 'cdk.out', analyticsReporting: false });
const stack = new Stack(app, 'Platform');
const evenkeel = new Evenkeel(stack, 'Evenkeel', {
  network: { subnetIds: ['subnet-0a1b2c3d'], securityGroupIds: ['sg-0a1b2c3d'] },
  hook: {
    domainName: 'hook.example.com',
    certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0f3c-1',
    truststoreUri: 's3://trust/ca.pem',
  },
  console: { issuer: 'https://login.example.com', clientId: 'evenkeel' },
});
if (!evenkeel.hookUrlOf('karmada').endsWith('/hubs/karmada/audit')) throw new Error('no URL for the hub');
app.synth();
`;

const own = `
import { App, Duration, Stack } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Port, SecurityGroup, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Evenkeel, type EvenkeelProps } from '@evenkeel/cdk';
const app = new App({ outdir: 'cdk.out', analyticsReporting: false });
const stack = new Stack(app, 'Platform');
const vpc = new Vpc(stack, 'Vpc');
const ofHub = new SecurityGroup(stack, 'OfHub', { vpc });
const props: EvenkeelProps = {
  settings: { resyncMinutes: Duration.minutes(10), chunkSize: 50 },
  network: { vpc, securityGroups: [new SecurityGroup(stack, 'OfFunctions', { vpc })] },
  hook: {
    domainName: 'hook.example.com',
    certificate: new Certificate(stack, 'Certificate', { domainName: 'hook.example.com' }),
    truststore: { bucket: new Bucket(stack, 'Trust'), key: 'ca.pem' },
  },
  alarmTopic: new Topic(stack, 'OnCall'),
};
const evenkeel = new Evenkeel(stack, 'Evenkeel', props);
for (const group of evenkeel.securityGroups) ofHub.connections.allowFrom(group, Port.tcp(6443));
app.synth();
`;

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

const node = join(process.execPath, '..');
const beside = { lowest: new Consumer(temporaryFolder(), node), latest: new Consumer(temporaryFolder(), node) };

beforeAll(async () => {
  const lowest = Object.entries(manifestOf('@evenkeel/cdk').peerDependencies).map(
    ([name, range]) => `${name}@${lowestOf(range)}`,
  );
  await beside.lowest.install(packed('@evenkeel/cdk'), ...lowest);
  await beside.latest.install(packed('@evenkeel/cdk'), 'aws-cdk-lib@2', 'constructs@10');
});
afterAll(() => {
  for (const consumer of Object.values(beside)) consumer.remove();
});

function synthesize(consumer: Consumer, file: string): Readonly<Record<string, Resource>> {
  const { status, err } = consumer.node(file);
  if (status !== 0) throw new Error(`the app ended with ${status}: ${err}`);
  const template = readFileSync(join(consumer.folder, 'cdk.out', 'Platform.template.json'), 'utf8');
  return (JSON.parse(template) as { Resources: Record<string, Resource> }).Resources;
}

const ofType = (resources: Readonly<Record<string, Resource>>, type: string) =>
  Object.entries(resources).filter(([, { Type }]) => Type === type);

describe('the construct', () => {
  it('creates the same resources with the lowest CDK as with the latest', () => {
    for (const consumer of Object.values(beside)) consumer.write('app.mjs', app);
    const lowest = synthesize(beside.lowest, 'app.mjs');
    expect(ofType(lowest, 'AWS::Lambda::Function').length).toBeGreaterThan(20);
    expect(lowest).toEqual(synthesize(beside.latest, 'app.mjs'));
  });

  it('creates the same resources in an app of CommonJS', () => {
    const required = app.replaceAll(/import (\{[^}]*\}) from ('[^']*')/g, 'const $1 = require($2)');
    beside.lowest.write('app.cjs', required);
    beside.lowest.write('app.mjs', app);
    expect(synthesize(beside.lowest, 'app.cjs')).toEqual(synthesize(beside.lowest, 'app.mjs'));
  });

  it('installs no other package than those of the CDK', () => {
    const others = beside.lowest.installed().filter((name) => !/^(aws-cdk-lib|constructs|@aws-cdk)\b/.test(name));
    expect(others).toEqual(['@evenkeel/cdk']);
  });

  // A check of all declarations of the CDK takes the compiler in JavaScript a minute: one case is enough for it.
  it.each([
    ['lowest', 'node16', 'node16', 'typescript'],
    ['lowest', 'esnext', 'bundler', 'typescript-native'],
    ['latest', 'node16', 'node16', 'typescript-native'],
    ['latest', 'esnext', 'bundler', 'typescript-native'],
    ['lowest', 'commonjs', 'node10', 'typescript'],
  ] as const)(
    "is typed for a consumer's own Vpc, SecurityGroup, Certificate, Bucket and Topic, with the %s CDK, module %s, moduleResolution %s and the compiler %s",
    async (which, module, moduleResolution, compiler) => {
      beside[which].write('own.ts', own);
      // The CDK's own declarations use Disposable, and zod's URL.
      const flags = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--lib', 'es2022,dom,esnext.disposable'];
      // TypeScript 6 warns of node10, which it is the last to have.
      if (moduleResolution === 'node10') flags.push('--ignoreDeprecations', '6.0');
      const tsc = resolve(`node_modules/${compiler}/bin/tsc`);
      await run(
        process.execPath,
        [tsc, ...flags, '--module', module, '--moduleResolution', moduleResolution, 'own.ts'],
        { cwd: beside[which].folder },
      );
    },
  );

  it.each(['lowest', 'latest'] as const)('synthesizes in an app with such resources and the %s CDK', (which) => {
    beside[which].write('own.ts', own);
    const resources = synthesize(beside[which], 'own.ts');
    const [[certificate] = []] = ofType(resources, 'AWS::CertificateManager::Certificate');
    const [[, domain] = []] = ofType(resources, 'AWS::ApiGatewayV2::DomainName');
    const [[topic] = []] = ofType(resources, 'AWS::SNS::Topic');
    expect(domain?.Properties?.DomainNameConfigurations).toEqual([
      expect.objectContaining({ CertificateArn: { Ref: certificate } }),
    ]);
    const alarms = ['Alarm', 'CompositeAlarm'].flatMap((type) => ofType(resources, `AWS::CloudWatch::${type}`));
    // The alarms that are conditions of composite ones have no actions.
    const actions = alarms.flatMap(([, { Properties }]) => Properties?.AlarmActions ?? []);
    expect(new Set(actions.map((action) => JSON.stringify(action)))).toEqual(new Set([JSON.stringify({ Ref: topic })]));
  });
});
