/** Everything that can be thrown away and made anew: hops, functions, schedules, the hook and what watches them. */
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { routes } from '../../shared/events/routes.ts';
import { type FunctionDefinition, type FunctionName, functionNames, functions } from '../../shared/functions.ts';
import { Fault } from '../../shared/model/fault.ts';
import type { EvenkeelConfig } from '../config.ts';
import { AuditLogs } from './audit-logs.ts';
import { EventRoute } from './event-route.ts';
import { EventSchedules } from './event-schedules.ts';
import { HookApi } from './hook-api.ts';
import { Hub } from './hub.ts';
import { Monitoring } from './monitoring.ts';
import type { FunctionSurroundings } from './surroundings.ts';
import { TaskFunction } from './task-function.ts';

export type FunctionsProps = Omit<FunctionSurroundings, 'oneTimeSchedules' | 'hops' | 'journal'>;

/** Who may use either is whoever gets lambda:InvokeFunction on it: orders are granted apart from questions. */
export interface OperatorFunctions {
  readonly answerQuestion: IFunction;
  readonly carryOutOrder: IFunction;
}

export class Functions extends Construct {
  readonly hook: HookApi;
  readonly monitoring: Monitoring;
  /** ARNs of the roles that call hubs: who reaches a hub by its AWS identity is let in by these. */
  readonly hubCallers: readonly string[];
  /** Called by people and their tools. */
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

    const scopeOfHops = new Construct(this, 'Hops');
    const hops = routes.map((route) => new EventRoute(scopeOfHops, route, { config, bus }));
    const journal: ILogGroup[] = [];
    const lambdas = new Map<FunctionName, IFunction>(
      neededBy(config).map((name) => {
        const ending = hops.filter(({ route }) => route.function === name);
        const around = { ...props, oneTimeSchedules, hops, journal, routes: ending };
        const { lambda, logs } = new TaskFunction(this, name, around);
        if (functions[name].invokedBy === 'queue') journal.push(logs);
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
    for (const { name } of config.hubs) new Hub(hubs, name, { config, bus, schedules: resyncSchedules });
    this.hook = new HookApi(this, 'Hook', { config, lambdas });
    const readAuditLog = lambdas.get('cluster-hook/read-audit-log');
    if (readAuditLog) new AuditLogs(this, 'AuditLogs', { config, target: readAuditLog });
    this.monitoring = new Monitoring(this, 'Monitoring', {
      config,
      key: state.key,
      routes: hops,
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

/** Who only renews a token of its own account has nothing to do where roles open the hub. */
function actsOnHubs({ hub }: FunctionDefinition): boolean {
  return hub.some(({ ofOwnAccount }) => !ofOwnAccount);
}

/** Who reads logs is made only where a hub names one. */
function neededBy({ hubs }: EvenkeelConfig): readonly FunctionName[] {
  const logs = hubs.some(({ auditLogGroup }) => auditLogGroup !== undefined);
  return functionNames.filter((name) => logs || functions[name].invokedBy !== 'logs');
}
