/** Dependencies of a function: the resources for its environment and its permissions. */
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { FunctionDefinition, FunctionName } from '../../shared/bus/functions.ts';
import type { Deployment } from './deployment.ts';
import type { EventRoute } from './event-route.ts';
import type { EventSchedules } from './event-schedules.ts';
import type { State } from './state.ts';

export interface FunctionContext {
  readonly config: Deployment;
  readonly state: State;
  readonly oneTimeSchedules: EventSchedules;
  readonly codeOf: (name: FunctionName) => Code;
  /** All routes of the deployment. */
  readonly allRoutes: readonly EventRoute[];
  /** The log groups of the functions behind queues that precede this one in the table. */
  readonly logGroups: readonly ILogGroup[];
}

/** One function with the routes whose queues it consumes. */
export interface FunctionPlace extends FunctionContext {
  readonly definition: FunctionDefinition;
  readonly routes: readonly EventRoute[];
}

/** Functions that call hubs read the hubs' connections. */
export function readsHubSecrets({ hub }: FunctionDefinition): boolean {
  return hub.length > 0;
}
