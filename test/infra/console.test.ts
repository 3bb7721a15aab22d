import { Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, it } from 'vitest';
import { type EvenkeelConfigInput, hasConsole, parseConfig } from '../../infra/config.ts';
import type { ConsoleConfig } from '../../infra/console-config.ts';
import { ConsoleStack } from '../../infra/console-stack.ts';
import { grantsOf, newApp, only, resourcesOf, targetOf, textOf } from './stacks.ts';

const login: ConsoleConfig = { issuer: 'https://login.example.com', clientId: 'evenkeel' };
const withConsole = (console: unknown): EvenkeelConfigInput => ({ name: 'blue', console }) as EvenkeelConfigInput;

function stackOf(console: ConsoleConfig): { stack: ConsoleStack; template: Template } {
  const config = parseConfig(withConsole(console));
  if (!hasConsole(config)) throw new Error('it has no console');
  const stack = new ConsoleStack(newApp(), 'EvenkeelConsole', {
    config,
    code: Code.fromInline('exports.handler = async () => {};'),
  });
  return { stack, template: Template.fromStack(stack) };
}

function invoked(template: Template): readonly string[] {
  const { properties } = only(resourcesOf(template, 'AWS::Lambda::Function'), 'the server');
  const statement = grantsOf(template, targetOf(properties.Role)).get('Answers');
  return [statement?.Resource].flat().map((arn) => textOf(arn).split(':').at(-1) ?? '');
}

describe('the page behind a login', () => {
  it('is made only where an issuer is named', () => {
    expect(hasConsole(parseConfig({}))).toBe(false);
    expect(hasConsole(parseConfig(withConsole(login)))).toBe(true);
  });

  it('may invoke the function for queries, and the one for commands only if a user may command', () => {
    expect(invoked(stackOf(login).template)).toEqual(['blue-run-query']);
    const both = invoked(stackOf({ ...login, commandGroups: ['sre'] }).template);
    expect(both).toEqual(['blue-run-query', 'blue-run-command']);
  });

  it("may do nothing else but write its log and read its client's secret", () => {
    const { template } = stackOf({ ...login, commandGroups: ['sre'] });
    const { properties } = only(resourcesOf(template, 'AWS::Lambda::Function'), 'the server');
    const grants = grantsOf(template, targetOf(properties.Role));
    expect([...grants.keys()]).toEqual(['OwnLog', 'ClientSecret', 'Answers']);
    const secret = only(resourcesOf(template, 'AWS::SecretsManager::Secret'), 'the secret');
    expect(targetOf(grants.get('ClientSecret')?.Resource)).toBe(secret.id);
    expect(Object.keys(secret.properties)).not.toContain('GenerateSecretString');
  });

  it('passes the issuer of the login to the server, and no secret', () => {
    const { template } = stackOf({ ...login, commandGroups: ['sre'], groupsClaim: 'roles' });
    const { properties } = only(resourcesOf(template, 'AWS::Lambda::Function'), 'the server');
    const { Variables } = properties.Environment as { Variables: Record<string, unknown> };
    expect(Object.keys(Variables)).toEqual(['EVENKEEL_CONSOLE']);
    expect(JSON.parse(textOf(Variables.EVENKEEL_CONSOLE, () => 'ARN'))).toEqual({
      deployment: 'blue',
      issuer: 'https://login.example.com',
      clientId: 'evenkeel',
      clientSecret: 'ARN',
      scopes: 'openid email',
      groupsClaim: 'roles',
      commandGroups: ['sre'],
    });
  });

  it.each(['openid', 'openid email groups', 'email api://evenkeel/.default openid'])(
    'accepts the scopes %j',
    (scopes) => {
      expect(parseConfig(withConsole({ ...login, scopes })).console?.scopes).toBe(scopes);
    },
  );

  it.each([
    [
      { ...login, issuer: 'http://login.example.com' },
      'evenkeel.console.issuer: is not an https URL; write for example',
    ],
    [{ ...login, clientId: 'two words' }, 'evenkeel.console.clientId: is not a word of at most 200 characters'],
    [{ ...login, scopes: 'email' }, 'evenkeel.console.scopes: does not ask for openid; write "openid email groups"'],
    [{ ...login, scopes: 'email" openid' }, 'evenkeel.console.scopes: does not ask for openid'],
    [{ ...login, scopes: 'openid "email' }, 'evenkeel.console.scopes: does not ask for openid'],
    [{ ...login, commandGroups: [] }, 'evenkeel.console.commandGroups: is empty; leave it out if no user may write'],
    [{ issuer: login.issuer }, 'evenkeel.console.clientId: must be a string'],
    [{ ...login, secret: 'x' }, 'evenkeel.console: unknown field "secret"; write for example'],
    ['on', 'evenkeel.console: must be an object'],
  ])('rejects %j with the remedy', (console, message) => {
    expect(() => parseConfig(withConsole(console))).toThrow(message);
  });
});
