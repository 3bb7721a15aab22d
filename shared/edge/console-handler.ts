/** The page on Lambda: its login's secret is read once, and everything is asked of the functions that answer. */
import { join } from 'node:path';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { handle } from 'hono/aws-lambda';
import { awsTelemetry } from '../adapters/aws/aws-ports.ts';
import { invokeOperator } from '../adapters/lambda/invoke-operator.ts';
import { secretsOfAccount } from '../adapters/secrets-manager/connection-secrets.ts';
import { Fault } from '../model/fault.ts';
import { type ConsoleWiring, wire } from '../wiring.ts';
import { consoleApp } from './console-app.ts';
import type { Environment } from './moment.ts';
import { answererOf } from './operator-app.ts';

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<object>;

/** `folder`: of the built page. */
export function onConsole(folder: string, environment: Environment = process.env): Handler {
  let made: Promise<Handler> | undefined;
  return async (event, context) => {
    made ??= make(folder, environment);
    // What failed is tried again by the next call.
    made.catch(() => (made = undefined));
    return (await made)(event, context);
  };
}

async function make(folder: string, environment: Environment): Promise<Handler> {
  const { deployment, clientSecret: arn, ...login } = JSON.parse(wire(environment, 'console')) as ConsoleWiring;
  const clientSecret = (await secretsOfAccount().read(arn))?.text;
  if (clientSecret === undefined)
    throw new Fault('terminal', 'the secret of the login is empty; docs/console.md says how it is filled', {
      reason: 'InvalidWiring',
    });
  const answerer = answererOf(invokeOperator(deployment));
  const answerers = { question: answerer, order: answerer };
  const telemetry = awsTelemetry();
  const onRefused = (error: string) =>
    telemetry.outcome('EK501', { operation: 'login', reason: 'LoginRefused', error });
  const serve = handle(consoleApp({ ...login, clientSecret: clientSecret.trim(), answerers, folder, onRefused }));
  return (event, context) => serve(event as never, context as never);
}

/** Beside the bundle. */
export function folderBeside(module: string): string {
  return join(module, 'console');
}
