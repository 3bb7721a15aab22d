/** The URL that hubs send their audit events to: an HTTP API before cluster-hook/admit-change. */
import { Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi, HttpMethod, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { EvenkeelConfig } from '../config.ts';
import { logGroup } from './log-group.ts';

/** An API server's audit webhook sends 10 batches a second at most, 15 at once; a hub has up to three API servers. */
const PER_HUB = { rate: 3 * 10, burst: 3 * 15 };

/** Who, what and how it went; never a header, for the token is in one. */
const accessLog = JSON.stringify({
  requestId: '$context.requestId',
  time: '$context.requestTime',
  ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  path: '$context.path',
  status: '$context.status',
  bytes: '$context.responseLength',
  integrationMs: '$context.integrationLatency',
  error: '$context.integrationErrorMessage',
});

export interface HookApiProps {
  readonly config: EvenkeelConfig;
  readonly target: IFunction;
}

export class HookApi extends Construct {
  readonly api: HttpApi;
  readonly stage: HttpStage;

  constructor(scope: Construct, id: string, { config, target }: HookApiProps) {
    super(scope, id);
    this.api = new HttpApi(this, 'Api', {
      apiName: `${config.name}-hook`,
      description: 'Takes in the audit events of hubs',
      createDefaultStage: false,
    });
    const routes = this.api.addRoutes({
      path: '/hubs/{hub}/audit',
      methods: [HttpMethod.POST],
      integration: new HttpLambdaIntegration('AdmitChange', target),
    });
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: {
        rateLimit: PER_HUB.rate * config.hubs.length,
        burstLimit: PER_HUB.burst * config.hubs.length,
      },
      accessLogSettings: {
        destination: new LogGroupLogDestination(logGroup(this, 'AccessLog', config.settings)),
        format: AccessLogFormat.custom(accessLog),
      },
    });
    for (const route of routes) {
      Validations.of(route).acknowledge({
        id: 'AwsSolutions-APIG4',
        reason:
          "The function itself compares the bearer token with those in the hub's secret, in constant time, before it reads the body: a kube-apiserver can sign no AWS request, and an authorizer would be a second reader of the same secret.",
      });
    }
  }

  urlOf(hub: string): string {
    return `${this.api.apiEndpoint}/hubs/${hub}/audit`;
  }
}
