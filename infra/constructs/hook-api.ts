/** The URL that hubs call: an HTTP API in front of the hook functions, with one route for each path, for all hubs. */
import { Fn, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type FunctionDefinition, type FunctionName, functionNames, functions } from '../../shared/bus/functions.ts';
import { shortNameOf } from '../function-paths.ts';
import { acknowledge } from './acknowledge.ts';
import type { Deployment } from './deployment.ts';
import { hookDomain } from './hook-domain.ts';
import { logGroup } from './log-group.ts';

/**
 * Requests per second for each route, from all hubs together: half of what API Gateway lets an account have by default. A write is one review: a failover
 * shrinks some hundred bindings at once, and a review that is answered 429 does not hold replicas (failurePolicy Ignore). Audit webhooks send far
 * less: three API servers of a hub, each 10 batches a second and 15 at once. hubEventsPerSecond limits a single hub.
 */
const LIMIT = { rateLimit: 5000, burstLimit: 2500 };

/** Without headers, which contain the token, and without paths, which contain the key of reviews. */
const accessLog = JSON.stringify({
  requestId: '$context.requestId',
  time: '$context.requestTime',
  ip: '$context.identity.sourceIp',
  subject: '$context.identity.clientCert.subjectDN',
  route: '$context.routeKey',
  status: '$context.status',
  bytes: '$context.responseLength',
  integrationMs: '$context.integrationLatency',
  error: '$context.integrationErrorMessage',
});

export interface HookApiProps {
  readonly config: Deployment;
  readonly lambdas: ReadonlyMap<FunctionName, IFunction>;
}

export class HookApi extends Construct {
  readonly stage: HttpStage;
  /** Target of the domain's DNS record, if a domain is configured. */
  readonly domainTarget: string | undefined;
  /** Unguessable: only requests to a published URL reach a route, and so a function and a limit; API Gateway answers others with 404. */
  readonly #secretPath: string;
  /** Without the path of a hub. */
  readonly url: string;

  constructor(scope: Construct, id: string, { config, lambdas }: HookApiProps) {
    super(scope, id);
    const domain = hookDomain(this, config.hook);
    const api = new HttpApi(this, 'Api', {
      apiName: `${config.name}-hook`,
      description: 'Takes in what hubs send',
      createDefaultStage: false,
      // With a mutual TLS domain, the API's own address would bypass mutual TLS.
      disableExecuteApiEndpoint: domain !== undefined,
    });
    // The last part of the stack's ARN is a UUID. It can only be used in a route key: keys of a stage's routeSettings do not support tokens.
    this.#secretPath = `/${Fn.select(2, Fn.split('/', Stack.of(this).stackId))}`;
    const routes = functionNames.flatMap((name) => {
      const lambda = lambdas.get(name);
      return lambda ? this.#addRoutes(api, { name, lambda }) : [];
    });
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: api,
      stageName: '$default',
      autoDeploy: true,
      throttle: LIMIT,
      ...(domain && { domainMapping: { domainName: domain } }),
      accessLogSettings: {
        destination: new LogGroupLogDestination(logGroup(this, 'AccessLog', config.settings)),
        format: AccessLogFormat.custom(accessLog),
      },
    });
    this.stage.node.addDependency(...routes);
    this.domainTarget = domain?.regionalDomainName;
    this.url = `${config.hook === undefined ? api.apiEndpoint : `https://${config.hook.domainName}`}${this.#secretPath}`;
  }

  #addRoutes(
    httpApi: HttpApi,
    { name, lambda }: { readonly name: FunctionName; readonly lambda: IFunction },
  ): readonly HttpRoute[] {
    const { paths = [] }: FunctionDefinition = functions[name];
    const integration = new HttpLambdaIntegration(shortNameOf(name), lambda, { scopePermissionToRoute: false });
    return paths.map((path) => {
      const routeKey = HttpRouteKey.with(`${this.#secretPath}${path}`, HttpMethod.POST);
      const route = new HttpRoute(this, `POST ${path}`, { httpApi, routeKey, integration });
      acknowledge(route, {
        id: 'AwsSolutions-APIG4',
        reason:
          "The function itself compares what the caller shows with the hub's access list, in constant time, before it reads the body: a kube-apiserver can sign no AWS request, and an authorizer would be a second reader of the same list.",
      });
      return route;
    });
  }
}
