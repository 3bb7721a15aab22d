/** The parts that alarms and the dashboard look at. */
import type { IHttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { FunctionName } from '../../shared/bus/functions.ts';
import type { Deployment } from './deployment.ts';
import type { EventRoute } from './event-route.ts';
import type { EventSchedules } from './event-schedules.ts';

export interface Watched {
  readonly config: Deployment;
  readonly routes: readonly EventRoute[];
  readonly lambdas: ReadonlyMap<FunctionName, IFunction>;
  readonly hook: IHttpStage;
  readonly oneTimeSchedules: EventSchedules;
}
