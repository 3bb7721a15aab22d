/** All stateless resources: routes, functions, schedules, the hook and monitoring. */
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { type FunctionDefinition, type FunctionName, functionNames, functions } from '../../shared/bus/functions.ts';
import { routes } from '../../shared/bus/routes.ts';
import { Fault } from '../../shared/core/fault.ts';
import { AuditLogs } from './audit-logs.ts';
import type { Deployment } from './deployment.ts';
import { EventRoute } from './event-route.ts';
import { EventSchedules } from './event-schedules.ts';
import type { FunctionContext } from './function-context.ts';
import { HookApi } from './hook-api.ts';
import { HubConstruct } from './hub.ts';
import { Monitoring } from './monitoring.ts';
import { TaskFunction } from './task-function.ts';

export interface FunctionsProps extends Omit<FunctionContext, 'oneTimeSchedules' | 'allRoutes' | 'logGroups'> {
  readonly alarmTopic: ITopic | undefined;
}

/** Access is controlled by lambda:InvokeFunction, separately for reads and writes. */
export interface OperatorFunctions {
  readonly answerQuestion: IFunction;
  readonly carryOutOrder: IFunction;
}

export class Functions extends Construct {
  readonly hook: HookApi;
  readonly monitoring: Monitoring;
  /** ARNs of the roles that call hubs, for hubs that authenticate them by AWS identity. */
  readonly hubCallers: readonly string[];
  /** Called by users and their tools. */
  readonly operator: OperatorFunctions;

  constructor(scope: Construct, id: string, props: FunctionsProps) {
    super(scope, id);
    const { config, state } = props;
    const { bus } = state;
    const oneTimeSchedules = new EventSchedules(this, 'OneTimeSchedules', {
      groupName: `${config.name}-one-time-schedules`,
      bus,
    });
    const resyncSchedules = new EventSchedules(this, 'ResyncSchedules', {
      groupName: `${config.name}-resync-schedules`,
      bus,
    });

    const routeScope = new Construct(this, 'Hops');
    const eventRoutes = routes.map((route) => new EventRoute(routeScope, route, { config, bus }));
    const logGroups: ILogGroup[] = [];
    const lambdas = new Map<FunctionName, IFunction>(
      neededBy(config).map((name) => {
        const ending = eventRoutes.filter(({ route }) => route.function === name);
        const context = { ...props, oneTimeSchedules, allRoutes: eventRoutes, logGroups, routes: ending };
        const { lambda, logs } = new TaskFunction(this, name, context);
        if (functions[name].invokedBy === 'queue') logGroups.push(logs);
        return [name, lambda];
      }),
    );

    this.hubCallers = [...lambdas].flatMap(([name, { role }]) =>
      actsOnHubs(functions[name]) && role ? [role.roleArn] : [],
    );

    this.operator = {
      answerQuestion: found(lambdas, 'operator/answer-question'),
      carryOutOrder: found(lambdas, 'operator/carry-out-order'),
    };

    const hubs = new Construct(this, 'Hubs');
    for (const { name } of config.hubs) new HubConstruct(hubs, name, { config, bus, schedules: resyncSchedules });
    this.hook = new HookApi(this, 'Hook', { config, lambdas });
    const readAuditLog = lambdas.get('cluster-hook/read-audit-log');
    if (readAuditLog) new AuditLogs(this, 'AuditLogs', { config, target: readAuditLog });
    this.monitoring = new Monitoring(this, 'Monitoring', {
      config,
      topic: props.alarmTopic,
      key: state.key,
      routes: eventRoutes,
      lambdas,
      hook: this.hook.stage,
      schedules: { 'one-time-schedules': oneTimeSchedules, 'resync-schedules': resyncSchedules },
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

/** Functions that read logs are created only if a hub names a log group. */
function neededBy({ hubs }: Deployment): readonly FunctionName[] {
  const logs = hubs.some(({ auditLogGroup }) => auditLogGroup !== undefined);
  return functionNames.filter((name) => logs || functions[name].invokedBy !== 'logs');
}
