/** Both stacks as templates, with stubs for the functions' code, and ways to read them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type AppProps } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { afterAll } from 'vitest';
import { type EvenkeelConfigInput, parseConfig } from '../../infra/config.ts';
import { FunctionsStack } from '../../infra/functions-stack.ts';
import { StateStack } from '../../infra/state-stack.ts';
import type { FunctionName } from '../../shared/bus/functions.ts';

type Properties = Record<string, unknown>;

export interface Resource {
  readonly id: string;
  readonly properties: Properties;
  readonly deletion: unknown;
}

export interface Statement {
  readonly Sid?: string;
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Principal?: unknown;
  readonly Condition?: unknown;
}

/** Settings that tests count with are named here, so that they hold when a default changes. */
export const usual: EvenkeelConfigInput = {
  settings: { maxReceives: 7, resyncMinutes: 5 },
};

export const stub = (): Code => Code.fromInline('exports.handler = async () => {};');

const outdirs: string[] = [];
afterAll(() => {
  for (const outdir of outdirs) rmSync(outdir, { recursive: true, force: true });
});

/**
 * An app whose output goes with the test file; by itself the CDK would leave a folder for each. CloudFormation's rules take the CDK 4 s for the first template, and are
 * checked where a test is about findings.
 */
export function newApp(props: AppProps = {}): App {
  const outdir = mkdtempSync(join(tmpdir(), 'evenkeel-cdk-'));
  outdirs.push(outdir);
  const unread = { analyticsReporting: false, treeMetadata: false, stackTraces: false };
  return new App({ ...unread, builtinCloudFormationValidation: false, outdir, ...props });
}

export function makeApp(
  input: EvenkeelConfigInput = usual,
  { context, ...props }: AppProps = {},
): { app: App; state: StateStack; functions: FunctionsStack } {
  const flags = {
    '@aws-cdk/aws-iam:minimizePolicies': true,
    '@aws-cdk/aws-events:eventsTargetQueueSameAccount': true,
  };
  const app = newApp({ ...props, context: { ...flags, ...context } });
  const config = parseConfig(input);
  const state = new StateStack(app, 'EvenkeelState', config);
  const functions = new FunctionsStack(app, 'EvenkeelFunctions', { ...config, state: state.state, codeOf: stub });
  return { app, state, functions };
}

interface Templates {
  readonly state: Template;
  readonly functions: Template;
}

const made = new Map<string, Templates>();

/** Made once for an input: tests only read it. */
export function synthesize(input: EvenkeelConfigInput = usual): Templates {
  const key = JSON.stringify(input);
  const known = made.get(key);
  if (known !== undefined) return known;
  const { state, functions } = makeApp(input);
  const templates = { state: Template.fromStack(state), functions: Template.fromStack(functions) };
  made.set(key, templates);
  return templates;
}

export function resourcesOf(template: Template, type: string): readonly Resource[] {
  return Object.entries(template.findResources(type)).map(([id, resource]) => ({
    id,
    properties: (resource.Properties ?? {}) as Properties,
    deletion: resource.DeletionPolicy as unknown,
  }));
}

export function only(resources: readonly Resource[], what: string): Resource {
  const [first, ...others] = resources;
  if (!first || others.length > 0) throw new Error(`${what}: ${resources.length} of them`);
  return first;
}

/** The resource that `Ref` or `Fn::GetAtt` points at. */
export function targetOf(value: unknown): string | undefined {
  const { Ref, 'Fn::GetAtt': attribute } = (value ?? {}) as { Ref?: string; 'Fn::GetAtt'?: readonly [string, string] };
  return Ref ?? attribute?.[0];
}

export function lambdaOf(template: Template, name: FunctionName): Resource {
  const functionName = `evenkeel-${name.split('/')[1]}`;
  const found = resourcesOf(template, 'AWS::Lambda::Function').filter(
    ({ properties }) => properties.FunctionName === functionName,
  );
  return only(found, functionName);
}

export function queueNamed(template: Template, name: string): Resource {
  const queues = resourcesOf(template, 'AWS::SQS::Queue');
  return only(
    queues.filter(({ properties }) => properties.QueueName === name),
    name,
  );
}

/** The statements of a role, by Sid. */
export function grantsOf(template: Template, roleId: string | undefined): ReadonlyMap<string, Statement> {
  const role = only(
    resourcesOf(template, 'AWS::IAM::Role').filter(({ id }) => id === roleId),
    `role ${roleId}`,
  );
  const policies = role.properties.Policies as readonly { PolicyDocument: { Statement: readonly Statement[] } }[];
  const statements = policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  return new Map(statements.map((statement) => [statement.Sid ?? '', statement]));
}

export function actionsOf(statement: Statement | undefined): readonly string[] {
  return [statement?.Action ?? []].flat();
}

export function targetsOf(statement: Statement | undefined): readonly (string | undefined)[] {
  return [statement?.Resource ?? []].flat().map(targetOf);
}

/** The value as text, each reference replaced by the result of `of`. */
export function textOf(value: unknown, of: (reference: string) => string = (reference) => reference): string {
  if (typeof value === 'string') return value;
  const { 'Fn::Join': join, 'Fn::ImportValue': imported } = value as {
    'Fn::Join'?: readonly [string, readonly unknown[]];
    'Fn::ImportValue'?: string;
  };
  if (join) return join[1].map((part) => textOf(part, of)).join(join[0]);
  return of(imported ?? JSON.stringify(value).replaceAll('"', "'"));
}
