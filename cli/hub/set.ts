/** `evenkeel hub set`: changes the features, the log group and the estimator of a hub, and leaves its credential as it is. */
import type { Command } from 'commander';
import { hubSecretsOf } from '../../shared/aws/secrets-manager/hub-secrets.ts';
import { Fault } from '../../shared/core/fault.ts';
import { type EstimatorWords, readEstimator } from '../../shared/estimator/estimator-choice.ts';
import { parseConnection } from '../../shared/kubernetes/client/connection.ts';
import { type DeploymentAddress, reach, withReach } from '../operator/reach.ts';
import { readStoredConnection, withEstimator } from './next-connection.ts';
import {
  changesOf,
  featureLine,
  fieldsOf,
  orAgain,
  type RecordOptions,
  recordOf,
  takesEstimator,
  takesRecord,
  withSubscription,
} from './registration.ts';

interface SetOptions extends DeploymentAddress, EstimatorWords, RecordOptions {}

const after = `
Server, account and callers of the hook are taken from the stored connection: run it without options after the secret was changed by hand.

Examples:
  evenkeel hub set karmada --policies --scheduler     exactly these features
  evenkeel hub set fleet --audit-log-group /aws/eks/fleet/cluster
  evenkeel hub set karmada --estimator none`;

export function registerSet(hub: Command): void {
  takesEstimator(takesRecord(withReach(hub.command('set'))))
    .description("change a hub's features, log group or estimator, without a new credential")
    .argument('<hub>', "the hub's name in the deployment")
    .addHelpText('after', after)
    .action(async (name: string, options: SetOptions) => {
      process.stdout.write(`${await set(name, options)}\n`);
    });
}

async function set(hub: string, options: SetOptions): Promise<string> {
  const { deployment } = options;
  const changes = changesOf(options);
  const estimator = readEstimator(options);
  const ask = reach(options);
  const record = await recordOf(ask, hub);
  const secrets = hubSecretsOf(deployment);
  const found = await secrets.find(hub);
  if (record === undefined || found.state !== 'Present' || found.value === undefined) throw notAdded(hub, options);
  const next = withEstimator(readStoredConnection(hub, found.value.text), estimator);
  const connection = parseConnection(hub, JSON.stringify(next));
  if (estimator !== undefined) await secrets.save(hub, JSON.stringify(next), { found });
  const { revision } = await orAgain(`hub ${hub} is changed in part`, () =>
    withSubscription({ deployment, hub, record, changes }, () =>
      ask('setHub', { hub, ...fieldsOf(hub, connection), ...changes }),
    ),
  );
  const changed = `Hub ${hub} is changed (revision ${revision}); running functions use it within seconds.`;
  return `${changed}\n${featureLine(hub, changes.features ?? record.features)}`;
}

function notAdded(hub: string, { deployment }: SetOptions): Fault {
  const message = `deployment ${deployment} has no hub ${hub} with a connection; evenkeel hub add ${hub} connects it`;
  return new Fault('terminal', message, { reason: 'UnknownHub' });
}
