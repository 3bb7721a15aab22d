/** The URL that hubs call: an HTTP API before the functions that answer there, with a route and a limit for each hub. */
import { Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { type CfnStage, HttpApi, HttpMethod, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type FunctionDefinition, type FunctionName, functionNames, functions } from '../../shared/functions.ts';
import type { EvenkeelConfig } from '../config.ts';
import { shortNameOf } from '../function-paths.ts';
import { hookDomain } from './hook-domain.ts';
import { logGroup } from './log-group.ts';

/** An API server's audit webhook sends 10 batches a second at most, 15 at once; a hub has up to three API servers. */
const PER_HUB = { ThrottlingRateLimit: 3 * 10, ThrottlingBurstLimit: 3 * 15 };
/** For hubs that nobody configured: enough to be told so. */
const STRANGERS = { rateLimit: 5, burstLimit: 10 };

/** Who, what and how it went; never a header, for the token is in one, and never a path, for the key of reviews is in one. */
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
  readonly config: EvenkeelConfig;
  readonly lambdas: ReadonlyMap<FunctionName, IFunction>;
}

export class HookApi extends Construct {
  readonly stage: HttpStage;
  /** Where the domain's DNS record points, where there is a domain of one's own. */
  readonly domainTarget: string | undefined;
  readonly #url: string;

  constructor(scope: Construct, id: string, { config, lambdas }: HookApiProps) {
    super(scope, id);
    const domain = hookDomain(this, config.hook);
    const api = new HttpApi(this, 'Api', {
      apiName: `${config.name}-hook`,
      description: 'Takes in what hubs send',
      createDefaultStage: false,
      // Behind a domain with mutual TLS, the API's own address would be a door beside the door.
      disableExecuteApiEndpoint: domain !== undefined,
    });
    const routes = functionNames.flatMap((name) => {
      const lambda = lambdas.get(name);
      return lambda ? addRoutes(api, config, { name, lambda }) : [];
    });
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: api,
      stageName: '$default',
      autoDeploy: true,
      throttle: STRANGERS,
      ...(domain && { domainMapping: { domainName: domain } }),
      accessLogSettings: {
        destination: new LogGroupLogDestination(logGroup(this, 'AccessLog', config.settings)),
        format: AccessLogFormat.custom(accessLog),
      },
    });
    // A limit of its own for each hub, so that one that storms is not another's delay.
    const own = routes.filter(({ hub }) => hub !== undefined).map(({ key }) => [key, PER_HUB] as const);
    (this.stage.node.defaultChild as CfnStage).routeSettings = Object.fromEntries(own);
    this.stage.node.addDependency(...routes.map(({ route }) => route));
    this.domainTarget = domain?.regionalDomainName;
    this.#url = config.hook === undefined ? api.apiEndpoint : `https://${config.hook.domainName}`;
  }

  urlOf(hub: string): string {
    return `${this.#url}/hubs/${hub}/audit`;
  }
}

interface AddedRoute {
  /** Undefined for the route of strangers. */
  readonly hub: string | undefined;
  readonly key: string;
  readonly route: Construct;
}

function addRoutes(
  api: HttpApi,
  { hubs }: EvenkeelConfig,
  { name, lambda }: { readonly name: FunctionName; readonly lambda: IFunction },
): readonly AddedRoute[] {
  const { paths = [] }: FunctionDefinition = functions[name];
  const target = new HttpLambdaIntegration(shortNameOf(name), lambda, { scopePermissionToRoute: false });
  const wanted = paths.flatMap((path) => [undefined, ...hubs.map((hub) => hub.name)].map((hub) => ({ path, hub })));
  return wanted.flatMap(({ path, hub }) => {
    const own = hub === undefined ? path : path.replace('{hub}', hub);
    const routes = api.addRoutes({ path: own, methods: [HttpMethod.POST], integration: target });
    return routes.map((route) => {
      Validations.of(route).acknowledge({
        id: 'AwsSolutions-APIG4',
        reason:
          "The function itself compares what the caller shows with the hub's secret, in constant time, before it reads the body: a kube-apiserver can sign no AWS request, and an authorizer would be a second reader of the same secret.",
      });
      return { hub, key: `POST ${own}`, route };
    });
  });
}
