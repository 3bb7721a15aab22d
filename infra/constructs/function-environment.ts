/** A function's environment: all settings, and the variables that its definition requires. */
import { Fn } from 'aws-cdk-lib';
import { registryCallsOf, storeCallsOf } from '../../shared/bus/functions.ts';
import { type EnvironmentName, environmentNames } from '../../shared/core/environment.ts';
import { Fault } from '../../shared/core/fault.ts';
import {
  environmentName,
  type SettingDefinition,
  settingDefinitions,
  settingNames,
} from '../../shared/core/settings.ts';
import type { Deployment } from './deployment.ts';
import type { FunctionPlace } from './function-context.ts';
import { logsPrefix } from './log-group.ts';

export function environmentOf(place: FunctionPlace): Record<string, string> {
  const variables = Object.entries(variablesOf(place)) as [EnvironmentName, string][];
  return {
    ...settingsOf(place.config),
    ...Object.fromEntries(variables.map(([name, value]) => [environmentNames[name], value])),
  };
}

/** All settings are set explicitly: a missing one would have its default in the function, whatever the deployment configures. */
function settingsOf({ settings }: Deployment): Record<string, string> {
  const read = settingNames.filter((name) => {
    const { readBy }: SettingDefinition = settingDefinitions[name];
    return readBy.some((reader) => reader !== 'infra' && reader !== 'local run');
  });
  return Object.fromEntries(read.map((name) => [environmentName(name), String(settings[name])]));
}

function variablesOf(place: FunctionPlace): Partial<Record<EnvironmentName, string>> {
  const { definition, state, oneTimeSchedules, routes } = place;
  return {
    deployment: place.config.name,
    ...(place.config.tracesTo !== undefined && { tracesTo: place.config.tracesTo }),
    ...(Object.keys(storeCallsOf(definition)).length > 0 && { tableName: state.table.tableName }),
    ...(definition.publishes.length > 0 && { busName: state.bus.eventBusName }),
    ...(definition.schedules.length > 0 && {
      busArn: state.bus.eventBusArn,
      scheduleGroup: oneTimeSchedules.group.scheduleGroupName,
      scheduleRoleArn: oneTimeSchedules.role.roleArn,
      scheduleDeadLetterArn: oneTimeSchedules.deadLetters.queueArn,
    }),
    ...(registryCallsOf(definition).length > 0 && { hubsTableName: state.hubsTable.tableName }),
    ...(routes.length > 0 && { queues: queuesJson(place) }),
    ...(definition.queues !== undefined && { queuesUrl: queuesUrl(place) }),
    ...(definition.readsLogs && { logsPrefix: logsPrefix(place.config) }),
  };
}

/** Written by hand because toJsonString rejects unresolved keys, and the keys are ARNs. */
function queuesJson({ routes }: FunctionPlace): string {
  const entries = routes.map(
    ({ queue, deadLetters }) =>
      `"${queue.queueArn}":{"url":"${queue.queueUrl}","deadLetterUrl":"${deadLetters.queueUrl}"}`,
  );
  return `{${entries.join(',')}}`;
}

/** The URLs of all queues would exceed the limit of an environment (4 KB). Each is this base URL and the name of its route. */
function queuesUrl({ config, allRoutes }: FunctionPlace): string {
  const [route] = allRoutes;
  if (route === undefined)
    throw new Fault('terminal', 'a deployment without routes has no queues', { reason: 'NoRoutes' });
  const base = Fn.select(0, Fn.split(`/${route.physicalName}`, route.queue.queueUrl));
  return `${base}/${config.name}-`;
}
