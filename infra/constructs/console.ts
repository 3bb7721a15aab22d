/** The page behind a login: an HTTP API in front of one function, which may only call the deployment's operator functions. */
import { Duration, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, type Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import type { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { type ConsoleEnvironment, environmentNames } from '../../shared/core/environment.ts';
import type { EvenkeelConfig } from '../config.ts';
import type { ConsoleConfig } from '../console-config.ts';
import { SERVE_CONSOLE, shortNameOf } from '../function-paths.ts';
import { acknowledge } from './acknowledge.ts';
import { logGroup, logsPrefix } from './log-group.ts';

export interface ConsoleProps {
  readonly config: Pick<EvenkeelConfig, 'name' | 'settings'> & { readonly console: ConsoleConfig };
  readonly code: Code;
}

/** An open page sends about two requests a second; a few dozen users are concurrent. */
const THROTTLE = { rateLimit: 100, burstLimit: 200 };

const accessLog = JSON.stringify({
  requestId: '$context.requestId',
  time: '$context.requestTime',
  ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  path: '$context.path',
  status: '$context.status',
  bytes: '$context.responseLength',
  error: '$context.integrationErrorMessage',
});

export class Console extends Construct {
  readonly url: string;
  /** The client's secret: an operator stores the issuer's value in it. */
  readonly clientSecret: Secret;

  constructor(scope: Construct, id: string, { config, code }: ConsoleProps) {
    super(scope, id);
    this.clientSecret = emptySecret(this);
    const lambda = this.#server(config, code);
    const api = new HttpApi(this, 'Api', {
      apiName: `${config.name}-console`,
      description: 'The page of Evenkeel, behind a login',
      createDefaultStage: false,
    });
    const [route] = api.addRoutes({ path: '/{proxy+}', integration: new HttpLambdaIntegration('Serve', lambda) });
    const [root] = api.addRoutes({ path: '/', integration: new HttpLambdaIntegration('ServeRoot', lambda) });
    for (const each of [route, root])
      if (each !== undefined)
        acknowledge(each, {
          id: 'AwsSolutions-APIG4',
          reason: 'The function itself authenticates users at the issuer before it responds.',
        });
    new HttpStage(this, 'Stage', {
      httpApi: api,
      stageName: '$default',
      autoDeploy: true,
      throttle: THROTTLE,
      accessLogSettings: {
        destination: new LogGroupLogDestination(logGroup(this, 'AccessLog', config.settings)),
        format: AccessLogFormat.custom(accessLog),
      },
    });
    this.url = api.apiEndpoint;
  }

  #server({ name, settings, console: login }: ConsoleProps['config'], code: Code): LambdaFunction {
    const short = shortNameOf(SERVE_CONSOLE);
    const logs = logGroup(this, 'Log', settings, `${logsPrefix({ name })}${short}`);
    const { issuer, clientId, scopes = 'openid email', groupsClaim = 'groups', commandGroups = [] } = login;
    const clientSecret = this.clientSecret.secretArn;
    const environment: ConsoleEnvironment = {
      deployment: name,
      ...{ issuer, clientId, clientSecret, scopes, groupsClaim, commandGroups },
    };
    const answering = ['run-query', ...(commandGroups.length > 0 ? ['run-command'] : [])];
    const role = new Role(this, 'Role', {
      description: 'Evenkeel: serves the page behind a login',
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        definition: new PolicyDocument({
          statements: [
            allow('OwnLog', ['logs:CreateLogStream', 'logs:PutLogEvents'], [logs.logGroupArn]),
            allow('ClientSecret', ['secretsmanager:GetSecretValue'], [clientSecret]),
            allow(
              'Answers',
              ['lambda:InvokeFunction'],
              answering.map((each) => functionArn(this, `${name}-${each}`)),
            ),
          ],
        }),
      },
    });
    return new LambdaFunction(this, 'Function', {
      functionName: `${name}-${short}`,
      description: 'Serves the page of Evenkeel to logged-in users',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code,
      // An HTTP API waits for at most 30 s.
      timeout: Duration.seconds(29),
      memorySize: 512,
      role: role.withoutPolicyUpdates(),
      logGroup: logs,
      environment: { [environmentNames.console]: Stack.of(this).toJsonString(environment) },
    });
  }
}

function functionArn(scope: Construct, functionName: string): string {
  return Stack.of(scope).formatArn({ service: 'lambda', resource: `function:${functionName}` });
}

function allow(sid: string, actions: string[], resources: string[]): PolicyStatement {
  return new PolicyStatement({ sid, actions, resources });
}

/** The template contains neither a value nor a generator, so that no deployment overwrites the stored value. */
function emptySecret(scope: Construct): Secret {
  const secret = new Secret(scope, 'ClientSecret', {
    description: "Evenkeel: the secret of the page's client at its issuer; how to fill it: docs/guides/console.md",
  });
  (secret.node.defaultChild as CfnSecret).addPropertyDeletionOverride('GenerateSecretString');
  acknowledge(secret, {
    id: 'AwsSolutions-SMG4',
    reason:
      'The value is issued by an identity provider that AWS cannot reach; an operator who renews it there stores it here.',
  });
  return secret;
}
