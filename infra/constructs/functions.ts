/** All stateless resources: routes, functions, schedules, the hook and monitoring. */
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import {
  eventReceivers,
  type FunctionDefinition,
  type FunctionName,
  functionNames,
  functions,
} from '../../shared/bus/functions.ts';
import { routes } from '../../shared/bus/routes.ts';
import { Fault } from '../../shared/core/fault.ts';
import { allowAuditLogs } from './audit-logs.ts';
import type { ConsoleApiFunctions } from './console-api-functions.ts';
import { EventRoute } from './event-route.ts';
import { EventSchedules } from './event-schedules.ts';
import type { FunctionContext } from './function-context.ts';
import { HookApi } from './hook-api.ts';
import { Monitoring } from './monitoring.ts';
import { RecurringSchedule } from './recurring-schedule.ts';
import { TaskFunction } from './task-function.ts';

export interface FunctionsProps extends Omit<FunctionContext, 'oneTimeSchedules' | 'allRoutes' | 'logGroups'> {
  readonly alarmTopic: ITopic | undefined;
}

export class Functions extends Construct {
  readonly hook: HookApi;
  readonly monitoring: Monitoring;
  /** ARNs of the roles that call hubs, for hubs that authenticate them by AWS identity. */
  readonly hubCallers: readonly string[];
  /** Called by users and their tools. */
  readonly consoleApi: ConsoleApiFunctions;

  constructor(scope: Construct, id: string, props: FunctionsProps) {
    super(scope, id);
    const { config, state } = props;
    const { bus } = state;
    const oneTimeSchedules = new EventSchedules(this, 'OneTimeSchedules', {
      groupName: `${config.name}-one-time-schedules`,
      bus,
    });
    new RecurringSchedule(this, 'ResyncSchedules', { name: config.name, bus });

    // The id stays: with another, CloudFormation would replace the queues, whose names are fixed, and fail on the names.
    const routeScope = new Construct(this, 'Hops');
    const eventRoutes = routes.map((route) => new EventRoute(routeScope, route, { config, bus }));
    const logGroups: ILogGroup[] = [];
    const lambdas = new Map<FunctionName, IFunction>(
      functionNames.map((name) => {
        const ending = eventRoutes.filter(({ route }) => route.function === name);
        const context = { ...props, oneTimeSchedules, allRoutes: eventRoutes, logGroups, routes: ending };
        const { lambda, logs } = new TaskFunction(this, name, context);
        if (functions[name].invokedBy === 'queue' || eventReceivers.includes(name)) logGroups.push(logs);
        return [name, lambda];
      }),
    );

    this.hubCallers = [...lambdas].flatMap(([name, { role }]) =>
      actsOnHubs(functions[name]) && role ? [role.roleArn] : [],
    );

    this.consoleApi = {
      runQuery: found(lambdas, 'console-api/run-query'),
      runCommand: found(lambdas, 'console-api/run-command'),
    };

    this.hook = new HookApi(this, 'Hook', { config, lambdas });
    allowAuditLogs(found(lambdas, 'cluster-hook/read-audit-log'));
    this.monitoring = new Monitoring(this, 'Monitoring', {
      config,
      topic: props.alarmTopic,
      key: state.key,
      routes: eventRoutes,
      lambdas,
      hook: this.hook.stage,
      oneTimeSchedules,
    });
  }
}

function found(lambdas: ReadonlyMap<FunctionName, IFunction>, name: FunctionName): IFunction {
  const lambda = lambdas.get(name);
  if (lambda === undefined) throw new Fault('terminal', `${name} is not made`, { reason: 'NoFunction' });
  return lambda;
}

/** A function that only renews its own account's token is not needed on hubs with AWS identities. */
function actsOnHubs({ hub }: FunctionDefinition): boolean {
  return hub.some(({ ofOwnAccount }) => !ofOwnAccount);
}
