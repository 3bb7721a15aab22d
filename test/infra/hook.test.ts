import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../infra/config.ts';
import { lambdaOf, only, resourcesOf, synthesize, textOf, twoHubs } from './stacks.ts';

const hook = {
  domainName: 'hook.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0f3c-1',
  truststoreUri: 's3://trust/hubs/ca.pem',
};

function complaintAbout(given: object): string {
  try {
    parseConfig({ hubs: [{ name: 'karmada' }], ...given });
  } catch (thrown) {
    return (thrown as Error).message;
  }
  return 'none';
}

describe('a domain with mutual TLS', () => {
  const { functions: template } = synthesize({ ...twoHubs, hook });

  it("asks for certificates that the truststore vouches for, and the API's own address is closed", () => {
    const domain = only(resourcesOf(template, 'AWS::ApiGatewayV2::DomainName'), 'domains').properties;
    expect(domain.DomainName).toBe('hook.example.com');
    expect(domain.MutualTlsAuthentication).toEqual({ TruststoreUri: 's3://trust/hubs/ca.pem' });
    expect(domain.DomainNameConfigurations).toEqual([
      { CertificateArn: hook.certificateArn, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' },
    ]);
    const api = only(resourcesOf(template, 'AWS::ApiGatewayV2::Api'), 'APIs').properties;
    expect(api.DisableExecuteApiEndpoint).toBe(true);
  });

  it('is the address that hubs send to, and its target is an output for the DNS record', () => {
    const outputs = template.toJSON().Outputs as Record<string, { Value: unknown }>;
    const stackUuid = { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] };
    expect(outputs.HubkarmadaHookUrl?.Value).toEqual({
      'Fn::Join': ['', ['https://hook.example.com/', stackUuid, '/hubs/karmada/audit']],
    });
    expect(JSON.stringify(outputs.HookDomainTarget?.Value)).toContain('RegionalDomainName');
  });

  it('is not there unless asked for', () => {
    const { functions: plain } = synthesize();
    expect(resourcesOf(plain, 'AWS::ApiGatewayV2::DomainName')).toEqual([]);
    expect(only(resourcesOf(plain, 'AWS::ApiGatewayV2::Api'), 'APIs').properties.DisableExecuteApiEndpoint).toBe(false);
  });

  it.each([
    ['no object', { hook: 'x' }, /^evenkeel\.hook: "x" is not an object; it has domainName, certificateArn, trust/],
    [
      'no domain',
      { hook: { ...hook, domainName: 'x' } },
      /^evenkeel\.hook\.domainName: "x" can't be used; write a domain/,
    ],
    ['no certificate', { hook: { ...hook, certificateArn: undefined } }, /^evenkeel\.hook\.certificateArn: nothing/],
    ['no S3 address', { hook: { ...hook, truststoreUri: 'https://x' } }, /truststoreUri: "https:\/\/x" can't be used/],
    ['an unknown field', { hook: { ...hook, ca: 'x' } }, /^evenkeel\.hook\.ca: there is no such field/],
  ])('that is %s is rejected by field', (_, given, complaint) => {
    expect(complaintAbout(given)).toMatch(complaint);
  });
});

describe("a control plane's audit log", () => {
  const { functions: template } = synthesize();

  it('is sent to its reader, of watched kinds only and without reads', () => {
    const { LogGroupName, FilterPattern, DestinationArn } = only(
      resourcesOf(template, 'AWS::Logs::SubscriptionFilter'),
      'filters',
    ).properties;
    const reader = lambdaOf(template, 'cluster-hook/read-audit-log').id;
    expect(LogGroupName).toBe('/aws/eks/edge-1/cluster');
    expect(DestinationArn).toEqual({ 'Fn::GetAtt': [reader, 'Arn'] });
    expect(FilterPattern).toBe(
      '{ $.stage = "ResponseComplete" && $.verb != "get" && $.verb != "list" && $.verb != "watch" && ' +
        '$.objectRef.subresource NOT EXISTS && ' +
        '(($.objectRef.apiGroup = "apps.karmada.io" && $.objectRef.resource = "workloadrebalancers") || ' +
        '($.objectRef.apiGroup = "evenkeel.dev" && $.objectRef.resource = "rebalancepolicies") || ' +
        '($.objectRef.apiGroup = "cluster.karmada.io" && $.objectRef.resource = "clusters")) }',
    );
    expect(String(FilterPattern).length).toBeLessThanOrEqual(1024);
  });

  it('may invoke its reader, and no other log may', () => {
    const permissions = resourcesOf(template, 'AWS::Lambda::Permission').filter(
      ({ properties }) => properties.Principal === 'logs.amazonaws.com',
    );
    expect(permissions.map(({ properties }) => textOf(properties.SourceArn))).toEqual([
      expect.stringMatching(/:log-group:\/aws\/eks\/edge-1\/cluster:\*$/),
    ]);
  });

  it('has no reader where no hub names one', () => {
    const { functions: plain } = synthesize({ hubs: [{ name: 'karmada' }] });
    const names = resourcesOf(plain, 'AWS::Lambda::Function').map(({ properties }) => properties.FunctionName);
    expect(names).not.toContain('evenkeel-read-audit-log');
    expect(resourcesOf(plain, 'AWS::Logs::SubscriptionFilter')).toEqual([]);
  });

  it.each([
    ['no name', [{ name: 'a', auditLogGroup: 7 }], /^evenkeel\.hubs\[0\]\.auditLogGroup: 7 is not the name of a log/],
    ['a pattern', [{ name: 'a', auditLogGroup: '/aws/*' }], /"\/aws\/\*" is not the name of a log group; write/],
    [
      "another hub's",
      [
        { name: 'a', auditLogGroup: '/x' },
        { name: 'b', auditLogGroup: '/x' },
      ],
      /^evenkeel\.hubs\[1\]\.auditLogGroup: "\/x" is that of hubs\[0\] too; a log is of one hub$/,
    ],
  ])('that is %s is rejected', (_, hubs, complaint) => {
    expect(complaintAbout({ hubs })).toMatch(complaint);
  });
});
