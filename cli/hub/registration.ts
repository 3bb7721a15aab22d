/** The record of a hub in the registry of a deployment, as commands read and write it. */
import type { Command } from 'commander';
import { auditLogFilters } from '../../shared/aws/audit-log-filters.ts';
import { hubSecretsOf } from '../../shared/aws/secrets-manager/hub-secrets.ts';
import type { Ask, InputOf, OutputOf } from '../../shared/console-api/operations.ts';
import { asFault, Fault, invalidOption } from '../../shared/core/fault.ts';
import { estimatorKinds } from '../../shared/estimator/estimator-choice.ts';
import type { Connection } from '../../shared/kubernetes/client/connection.ts';
import { callersOf } from '../../shared/kubernetes/hook-callers.ts';
import {
  type HubFeature,
  type HubFeatures,
  hubFeatureNames,
  hubFeatures,
  resyncFeatures,
} from '../../shared/kubernetes/hub-features.ts';
import { requireNeeds, takesFeatures } from '../hub-options.ts';

export interface RecordOptions extends HubFeatures {
  /** False for --no-features. */
  readonly features: boolean;
  readonly auditLogGroup?: string;
}

type RecordChanges = Pick<InputOf<'setHub'>, 'features' | 'auditLogGroup'>;
type RecordAnswer = OutputOf<'getHub'>;

/** Options that change the record of a hub. */
export function takesRecord(command: Command): Command {
  return takesFeatures(command, hubFeatureNames)
    .option('--no-features', 'none of these features; without any of these options the features stay as they are')
    .option('--audit-log-group <name>', 'log group of the control plane that audit events are read from; none: no log');
}

/** Options that choose the estimator of a hub. */
export function takesEstimator(command: Command): Command {
  return command
    .option('--estimator <kind>', `how unschedulable replicas are counted: ${estimatorKinds.join(', ')}`)
    .option(
      '--estimator-address <host:port>',
      "address of the members' scheduler-estimators; {cluster} is the member's name",
    )
    .option('--estimator-ca <file>', 'PEM of the CA that signed their certificates')
    .option('--estimator-cert <file>', 'PEM of the client certificate for the scheduler-estimators')
    .option('--estimator-key <file>', 'PEM of its key');
}

/** Without the fields that no option changes. */
export function changesOf({ features, auditLogGroup, ...options }: RecordOptions): RecordChanges {
  const named = hubFeatureNames.filter((name) => options[name] === true);
  const [first] = named;
  if (!features && first !== undefined)
    throw invalidOption(`--no-features and ${hubFeatures[first].flag} exclude each other; leave one out`);
  requireNeeds(options);
  return {
    ...((!features || named.length > 0) && { features: named }),
    ...(auditLogGroup !== undefined && { auditLogGroup: auditLogGroup === 'none' ? null : auditLogGroup }),
  };
}

/** The features of a hub, and what a resync does not list without the others. */
export function featureLine(hub: string, features: readonly string[]): string {
  const flagOf = (name: HubFeature) => hubFeatures[name].flag;
  const on = hubFeatureNames.filter((name) => features.includes(name)).map(flagOf);
  const off = resyncFeatures.filter((name) => !features.includes(name)).map(flagOf);
  const has = `Features: ${on.join(', ') || 'none'}.`;
  if (off.length === 0) return has;
  return `${has} Off: ${off.join(', ')}; resync does not list their objects. If the hub uses one, name all of its features: evenkeel hub set ${hub} ${[...on, off[0]].join(' ')}`;
}

/** The part of a connection that is in the record. It contains no token and no key. */
export function fieldsOf(hub: string, connection: Connection) {
  const { server, account, estimator } = connection;
  const { tokenDigests, reviewKeyDigests, subjects } = callersOf(hub, connection);
  const callers = {
    tokenDigests: [...tokenDigests],
    reviewKeyDigests: [...reviewKeyDigests],
    subjects: [...subjects],
  };
  return { server, ...(account !== undefined && { account }), callers, hasEstimator: estimator !== undefined };
}

/** Undefined if the hub is not registered, or its record is invalid. */
export async function recordOf(ask: Ask, hub: string): Promise<RecordAnswer | undefined> {
  try {
    return await ask('getHub', { hub });
  } catch (thrown) {
    const fault = asFault(thrown);
    if (fault.reason === 'UnknownHub' || fault.reason === 'InvalidHubRecord') return undefined;
    if (fault.reason !== 'UnknownOperation') throw thrown;
    const message =
      'the deployment is of a version that lists its hubs in cdk.json; evenkeel hub migrate, then cdk deploy';
    throw new Fault('terminal', message, { reason: 'UnknownOperation', cause: thrown });
  }
}

interface LogChange {
  readonly deployment: string;
  readonly hub: string;
  readonly record: RecordAnswer | undefined;
  readonly changes: RecordChanges;
}

/** Runs `write` between the deletion of the old subscription and the creation of the new one: the function rejects lines of a log group that no record names. */
export async function withSubscription<T>(change: LogChange, write: () => Promise<T>): Promise<T> {
  const { deployment, hub, record, changes } = change;
  const before = record?.auditLogGroup;
  const after = changes.auditLogGroup;
  if (before !== undefined && after !== undefined && after !== before)
    await auditLogFilters().delete({ deployment, hub, logGroup: before });
  const written = await write();
  if (typeof after === 'string') {
    const secrets = hubSecretsOf(deployment);
    const { arn } = await secrets.describe(secrets.nameOf(hub));
    await auditLogFilters().put({ deployment, hub, logGroup: after }, arn);
  }
  return written;
}

/** For commands that can fail between two writes: each may run again. */
export async function orAgain<T>(done: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (thrown) {
    const { retryClass, message, reason } = asFault(thrown);
    throw new Fault(retryClass, `${done}: ${message}; run it again`, { reason, cause: thrown });
  }
}
