/** A function's environment: every setting that a function can read, and those wires that its definition calls for. */
import { Fn, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Fault } from '../../shared/model/fault.ts';
import { environmentName, type SettingDefinition, settingDefinitions, settingNames } from '../../shared/settings.ts';
import { type WiringName, wiringNames } from '../../shared/wiring.ts';
import type { EvenkeelConfig } from '../config.ts';
import { logsPrefix } from './log-group.ts';
import { type FunctionPlace, readsHubSecrets } from './surroundings.ts';

export function environmentOf(scope: Construct, place: FunctionPlace): Record<string, string> {
  const wires = Object.entries(wiresOf(scope, place)) as [WiringName, string][];
  return {
    ...settingsOf(place.config),
    ...Object.fromEntries(wires.map(([name, value]) => [wiringNames[name], value])),
  };
}

/** A setting that was left out would be its default in the function, whatever the deployment says: so all are given. */
function settingsOf({ settings }: EvenkeelConfig): Record<string, string> {
  const read = settingNames.filter((name) => {
    const { readBy }: SettingDefinition = settingDefinitions[name];
    return readBy.some((reader) => reader !== 'infra' && reader !== 'local run');
  });
  return Object.fromEntries(read.map((name) => [environmentName(name), String(settings[name])]));
}

function wiresOf(scope: Construct, place: FunctionPlace): Partial<Record<WiringName, string>> {
  const { definition, state, oneTimeSchedules, routes } = place;
  return {
    ...(definition.table.length > 0 && { tableName: state.table.tableName }),
    ...(definition.says.length > 0 && { busName: state.bus.eventBusName }),
    ...(definition.schedules.length > 0 && {
      busArn: state.bus.eventBusArn,
      scheduleGroup: oneTimeSchedules.group.scheduleGroupName,
      scheduleRoleArn: oneTimeSchedules.role.roleArn,
      scheduleDeadLetterArn: oneTimeSchedules.deadLetters.queueArn,
    }),
    ...(readsHubSecrets(definition) && { hubSecrets: json(scope, hubSecretsOf(place)) }),
    ...(definition.invokedBy === 'logs' && { auditLogs: json(scope, auditLogsOf(place)) }),
    ...(routes.length > 0 && { queues: queuesJson(place) }),
    ...(definition.queues !== undefined && { queuesUrl: queuesUrl(place) }),
    ...(definition.readsLogs && { logsPrefix: logsPrefix(place.config) }),
  };
}

function hubSecretsOf({ state }: FunctionPlace): Record<string, string> {
  return Object.fromEntries([...state.hubSecrets].map(([hub, { secretArn }]) => [hub, secretArn]));
}

function auditLogsOf({ config }: FunctionPlace): Record<string, string> {
  return Object.fromEntries(
    config.hubs.flatMap(({ name, auditLogGroup }) => (auditLogGroup === undefined ? [] : [[auditLogGroup, name]])),
  );
}

/** Written by hand because the keys are ARNs that only a deployment knows, which toJsonString refuses as keys. */
function queuesJson({ routes }: FunctionPlace): string {
  const entries = routes.map(
    ({ queue, deadLetters }) =>
      `"${queue.queueArn}":{"url":"${queue.queueUrl}","deadLetterUrl":"${deadLetters.queueUrl}"}`,
  );
  return `{${entries.join(',')}}`;
}

/** The URLs of all queues would not fit into an environment (4 KB). Each is this and the name of its route. */
function queuesUrl({ config, hops }: FunctionPlace): string {
  const [hop] = hops;
  if (hop === undefined)
    throw new Fault('terminal', 'a deployment without routes has no queues', { reason: 'NoRoutes' });
  const base = Fn.select(0, Fn.split(`/${hop.physicalName}`, hop.queue.queueUrl));
  return `${base}/${config.name}-`;
}

function json(scope: Construct, value: object): string {
  return Stack.of(scope).toJsonString(value);
}
