import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../infra/config.ts';
import { lambdaOf, only, resourcesOf, synthesize, textOf, usual } from './stacks.ts';

const hook = {
  domainName: 'hook.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0f3c-1',
  truststoreUri: 's3://trust/hubs/ca.pem',
};

function complaintAbout(given: object): string {
  try {
    parseConfig(given);
  } catch (thrown) {
    return (thrown as Error).message;
  }
  return 'none';
}

describe('a domain with mutual TLS', () => {
  const { functions: template } = synthesize({ ...usual, hook });

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
    expect(outputs.HookUrl?.Value).toEqual({ 'Fn::Join': ['', ['https://hook.example.com/', stackUuid]] });
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

  it('may invoke its reader, if it is in this account', () => {
    const permission = only(
      resourcesOf(template, 'AWS::Lambda::Permission').filter(
        ({ properties }) => properties.Principal === 'logs.amazonaws.com',
      ),
      'permissions',
    ).properties;
    const reader = lambdaOf(template, 'cluster-hook/read-audit-log').id;
    expect(permission.FunctionName).toEqual({ 'Fn::GetAtt': [reader, 'Arn'] });
    expect(permission.SourceAccount).toEqual({ Ref: 'AWS::AccountId' });
    expect(textOf(permission.SourceArn)).toMatch(/^arn:.*:logs:.*AWS::AccountId.*:log-group:\*$/);
  });

  it('is subscribed when its hub is registered, not by the stack', () => {
    expect(resourcesOf(template, 'AWS::Logs::SubscriptionFilter')).toEqual([]);
  });
});
