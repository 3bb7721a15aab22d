/** Decides what the commands that register, change and remove a hub write. */
import type { InputOf, OutputOf } from '../../shared/console-api/operations.ts';
import { Fault } from '../../shared/core/fault.ts';
import { fromTimestamp, toTimestamp } from '../../shared/core/time.ts';
import type { Pause } from '../../shared/kubernetes/hub-pause.ts';
import { unknownHub } from '../../shared/kubernetes/hub-record.ts';
import type { HubRecord, NewHubRecord } from '../../shared/kubernetes/hub-registry.ts';

/**
 * A registration decides which tokens the hook accepts. That requires AWS permissions, so the groups that may give commands in a deployed console
 * may not do it. `by`: the user (subjectText).
 */
export function assertMayRegister(by: string): void {
  if (!by.startsWith('console:')) return;
  const message = 'hubs are not registered in the console; use evenkeel hub add, set or remove, with AWS credentials';
  throw new Fault('terminal', message, { reason: 'Forbidden' });
}

/** The record of a registered hub. An existing hub keeps its pause, and the features and log group that the command omits. */
export function registered(command: InputOf<'registerHub'>, existing: HubRecord | undefined): NewHubRecord {
  const { hub, server, account, callers, features, hasEstimator, paused } = command;
  return {
    name: hub,
    state: 'Active',
    server,
    account,
    callers,
    features: features ?? existing?.features ?? [],
    hasEstimator: hasEstimator ?? existing?.hasEstimator,
    auditLogGroup: logGroupOf(command, existing),
    pause: existing === undefined ? pauseOf(paused) : existing.pause,
  };
}

/** The answer about a registered hub. */
export function registration(
  command: InputOf<'registerHub'>,
  { before, revision }: { readonly before: HubRecord | undefined; readonly revision: number },
): OutputOf<'registerHub'> {
  const { pause } = registered(command, before);
  const paused = pause && { ...pause, since: toTimestamp(pause.since) };
  return { revision, created: before === undefined, ...(paused && { paused }) };
}

/** An invalid record counts as absent, so that a registration replaces it. */
export function absentIfInvalid(fault: Fault): undefined {
  if (fault.reason !== 'InvalidHubRecord') throw fault;
}

/** The record with the fields of the command; all others stay. */
export function changed(command: InputOf<'setHub'>, existing: HubRecord | undefined): NewHubRecord {
  const { hub, server, account, callers, features, hasEstimator } = command;
  if (existing === undefined) throw unknownHub(hub);
  const { revision: _, ...record } = existing;
  if (record.state === 'Removing') {
    const message = `hub ${hub} is being removed; evenkeel hub remove ${hub} --yes completes that, evenkeel hub add ${hub} registers it again`;
    throw new Fault('terminal', message, { reason: 'Conflict' });
  }
  return {
    ...record,
    server: server ?? record.server,
    account: account ?? record.account,
    callers: callers ?? record.callers,
    features: features ?? record.features,
    hasEstimator: hasEstimator ?? record.hasEstimator,
    auditLogGroup: logGroupOf(command, existing),
  };
}

/** From then on the functions do not connect to the hub, and its hook accepts no caller. Undefined if that is already so. */
export function removing(existing: HubRecord | undefined): NewHubRecord | undefined {
  if (existing === undefined || existing.state === 'Removing') return undefined;
  const { revision: _, ...record } = existing;
  return { ...record, state: 'Removing', callers: { tokenDigests: [], reviewKeyDigests: [], subjects: [] } };
}

/** `deleted`: the result of its deletion; there was nothing to delete if it had no record. */
export function assertRemoved(before: HubRecord | undefined, deleted: 'done' | 'changed'): void {
  if (before === undefined || deleted === 'done') return;
  const message = `hub ${before.name} was changed while it was being removed; run it again to remove it`;
  throw new Fault('terminal', message, { reason: 'Conflict' });
}

/** The tasks that are not finished. */
export function running<T extends { readonly state: string }>(tasks: readonly (T | undefined)[]): readonly T[] {
  return tasks.filter((task): task is T => task?.state === 'Running');
}

/** Names of the tasks whose transition was made. */
export function namesOfDone(
  results: readonly { readonly task: { readonly name: string } | undefined; readonly result: string }[],
): readonly string[] {
  return results.flatMap(({ task, result }) => (result === 'done' && task ? [task.name] : []));
}

/** A line of a log contains no hub, so the log group alone identifies the hub. */
export function assertOwnLogGroup({ name, auditLogGroup }: NewHubRecord, all: readonly HubRecord[]): void {
  const other = all.find((each) => each.name !== name && each.auditLogGroup === auditLogGroup);
  if (auditLogGroup === undefined || other === undefined) return;
  const message = `auditLogGroup: Invalid value: ${JSON.stringify(auditLogGroup)}: is that of hub ${other.name}; a log is of one hub`;
  throw new Fault('terminal', message, { reason: 'InvalidInput' });
}

/** The answer about a removed hub. `abandoned`: names of its tasks that were not finished. */
export function removal(existing: HubRecord | undefined, abandoned: readonly string[]): OutputOf<'removeHub'> {
  return {
    wasRegistered: existing !== undefined,
    deleted: [
      ...(existing === undefined ? [] : ['its record, with its pause and the digests of the callers of its hook']),
      ...abandoned.map((name) => `the open task of WorkloadRebalancer ${name}, which is Abandoned now`),
    ],
    left: [
      'one-time schedules: each fires once, finds no such hub, and deletes itself',
      'the history of its tasks, runs and decisions: each row expires by its TTL',
    ],
  };
}

function logGroupOf(
  { auditLogGroup }: Pick<InputOf<'setHub'>, 'auditLogGroup'>,
  existing: HubRecord | undefined,
): string | undefined {
  return auditLogGroup === undefined ? existing?.auditLogGroup : (auditLogGroup ?? undefined);
}

function pauseOf(paused: InputOf<'registerHub'>['paused']): Pause | undefined {
  if (paused === undefined) return undefined;
  const since = fromTimestamp(paused.since);
  if (since !== undefined) return { ...paused, since };
  const message = `paused.since: Invalid value: ${JSON.stringify(paused.since.slice(0, 80))}: must be a time in RFC 3339`;
  throw new Fault('terminal', message, { reason: 'InvalidInput' });
}
