/** Everything that can be thrown away and made anew: hops, functions, schedules, the hook and what watches them. */
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { routes } from '../../shared/events/routes.ts';
import { type FunctionName, functionNames } from '../../shared/functions.ts';
import { EventRoute } from './event-route.ts';
import { EventSchedules } from './event-schedules.ts';
import { HookApi } from './hook-api.ts';
import { Hub } from './hub.ts';
import { Monitoring } from './monitoring.ts';
import type { FunctionSurroundings } from './surroundings.ts';
import { TaskFunction } from './task-function.ts';

export type FunctionsProps = Omit<FunctionSurroundings, 'oneTimeSchedules'>;

export class Functions extends Construct {
  readonly hook: HookApi;
  readonly monitoring: Monitoring;

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

    const hops = new Construct(this, 'Hops');
    const eventRoutes = routes.map((route) => new EventRoute(hops, route, { config, bus }));
    const lambdas = new Map<FunctionName, IFunction>(
      functionNames.map((name) => {
        const ending = eventRoutes.filter(({ route }) => route.function === name);
        return [name, new TaskFunction(this, name, { ...props, oneTimeSchedules, routes: ending }).lambda];
      }),
    );

    const hubs = new Construct(this, 'Hubs');
    for (const { name } of config.hubs) new Hub(hubs, name, { config, bus, schedules: resyncSchedules });
    this.hook = new HookApi(this, 'Hook', { config, target: find(lambdas, 'cluster-hook/admit-change') });
    this.monitoring = new Monitoring(this, 'Monitoring', {
      config,
      key: state.key,
      routes: eventRoutes,
      lambdas,
      hook: this.hook.stage,
      schedules: { 'one-time-schedules': oneTimeSchedules, 'resync-schedules': resyncSchedules },
    });
  }
}

function find(lambdas: ReadonlyMap<FunctionName, IFunction>, name: FunctionName): IFunction {
  const found = lambdas.get(name);
  if (!found) throw new Error(`shared/functions.ts has no ${name}`);
  return found;
}
