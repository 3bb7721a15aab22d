/** What a function stands among: the parts that its environment names and its grants open. */
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { FunctionDefinition, FunctionName } from '../../shared/functions.ts';
import type { EvenkeelConfig } from '../config.ts';
import type { EventRoute } from './event-route.ts';
import type { EventSchedules } from './event-schedules.ts';
import type { State } from './state.ts';

export interface FunctionSurroundings {
  readonly config: EvenkeelConfig;
  readonly state: State;
  readonly oneTimeSchedules: EventSchedules;
  readonly codeOf: (name: FunctionName) => Code;
  /** Every hop of the deployment. */
  readonly hops: readonly EventRoute[];
  /** The logs of the functions behind queues that stand before this one in the table. */
  readonly journal: readonly ILogGroup[];
}

/** One function with the hops that end at it. */
export interface FunctionPlace extends FunctionSurroundings {
  readonly definition: FunctionDefinition;
  readonly routes: readonly EventRoute[];
}

/** Who calls hubs needs their connections; who takes in their events, their tokens and accounts, which are in the same secrets. */
export function readsHubSecrets({ hub, invokedBy }: FunctionDefinition): boolean {
  return hub.length > 0 || invokedBy !== 'queue';
}
