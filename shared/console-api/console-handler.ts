/** Serves the page on Lambda: reads the login's secret once, and calls the operator functions. */
import { join } from 'node:path';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { handle } from 'hono/aws-lambda';
import type { Environment } from '../aws/client-config.ts';
import { PowertoolsTelemetry } from '../aws/powertools-telemetry.ts';
import { secretsOfAccount } from '../aws/secrets-manager/connection-secrets.ts';
import { type ConsoleEnvironment, readEnvironment } from '../core/environment.ts';
import { Fault } from '../core/fault.ts';
import { consoleApp } from './console-app.ts';
import { invokeOperation } from './invoke-operation.ts';
import { answererOf } from './operations-app.ts';

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<object>;

/** `folder`: of the built page. */
export function onConsole(folder: string, environment: Environment = process.env): Handler {
  let made: Promise<Handler> | undefined;
  return async (event, context) => {
    made ??= make(folder, environment);
    // A failed start is retried on the next call.
    made.catch(() => (made = undefined));
    return (await made)(event, context);
  };
}

async function make(folder: string, environment: Environment): Promise<Handler> {
  const {
    deployment,
    clientSecret: arn,
    ...login
  } = JSON.parse(readEnvironment(environment, 'console')) as ConsoleEnvironment;
  const clientSecret = (await secretsOfAccount().read(arn))?.text;
  if (clientSecret === undefined)
    throw new Fault('terminal', 'the secret of the login is empty; docs/guides/console.md describes how to fill it', {
      reason: 'InvalidEnvironment',
    });
  const answerer = answererOf(invokeOperation(deployment));
  const answerers = { query: answerer, command: answerer };
  const telemetry = new PowertoolsTelemetry(deployment);
  const onRejected = (error: string) =>
    telemetry.outcome('EK501', { operation: 'login', reason: 'LoginRejected', error });
  const serve = handle(consoleApp({ ...login, clientSecret: clientSecret.trim(), answerers, folder, onRejected }));
  return (event, context) => serve(event as never, context as never);
}

/** The folder next to the bundle. */
export function folderBeside(module: string): string {
  return join(module, 'console');
}
