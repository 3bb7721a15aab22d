/** `evenkeel hub migrate`: takes over the hubs of a deployment that listed them in cdk.json. */
import type { Command } from 'commander';
import { type HubSecrets, hubSecretsOf, type TaggedSecret } from '../../shared/aws/secrets-manager/hub-secrets.ts';
import type { Ask, InputOf, OutputOf } from '../../shared/console-api/operations.ts';
import { tryEach } from '../../shared/core/each-at-once.ts';
import { asFault } from '../../shared/core/fault.ts';
import { parseConnection } from '../../shared/kubernetes/client/connection.ts';
import { hubFeatures, resyncFeatures } from '../../shared/kubernetes/hub-features.ts';
import { aligned } from '../aligned.ts';
import { type DeploymentAddress, reach, withReach } from '../operator/reach.ts';
import { readStoredConnection } from './next-connection.ts';
import { fieldsOf, recordOf } from './registration.ts';

const after = `
Run it before cdk deploy of this version, which deletes the old secrets, and again after it. It can be repeated.
A hub that is registered is not changed. A connection that was stored by hand is registered too.
Afterwards: evenkeel hub set NAME with the hub's features, and --audit-log-group where its audit log is read.

Exit code: 0 all hubs are registered, 1 some are not yet.

Examples:
  evenkeel hub migrate
  evenkeel hub migrate --deployment staging`;

const AT_ONCE = 10;

export function registerMigrate(hub: Command): void {
  withReach(hub.command('migrate'))
    .description('copy connections of a version that listed hubs in cdk.json, and register them')
    .addHelpText('after', after)
    .action(async (options: DeploymentAddress) => {
      const { lines, registered } = await migrate(options);
      process.stdout.write(`${lines.join('\n')}\n`);
      process.exitCode = registered ? 0 : 1;
    });
}

interface Migration {
  readonly ask: Ask;
  readonly secrets: HubSecrets;
}

async function migrate(options: DeploymentAddress): Promise<{ lines: readonly string[]; registered: boolean }> {
  const { deployment } = options;
  const secrets = hubSecretsOf(deployment);
  const found = await secrets.list();
  const names = [...new Set(found.map(({ hub }) => hub))];
  if (names.length === 0)
    return { lines: [`Deployment ${deployment} has no secrets of hubs in this account and region.`], registered: true };
  const migration = { ask: reach(options), secrets };
  const results = await tryEach(names, AT_ONCE, (hub) =>
    migrateHub(
      hub,
      found.find((each) => each.hub === hub && !each.isNamed),
      migration,
    ),
  );
  const rows = results.map(({ item, value, fault }) => [
    item,
    ...(value?.words ?? [`failed: ${fault?.message ?? ''}`]),
  ]);
  const without = results.flatMap(({ item, value }) => (value?.features?.length === 0 ? [item] : []));
  const lines = [...aligned(rows), ...withoutFeatures(without)];
  return { lines, registered: results.every(({ value }) => value?.registered) };
}

/** cdk.json did not name the features, so only the operator knows them. */
function withoutFeatures(hubs: readonly string[]): readonly string[] {
  if (hubs.length === 0) return [];
  const flags = resyncFeatures.map((name) => hubFeatures[name].flag).join(', ');
  return [
    `Registered without features: ${hubs.join(', ')}. Resync does not list their objects of ${flags}.`,
    'For each hub that uses one of these: evenkeel hub set NAME with all of its features.',
  ];
}

interface Migrated {
  readonly words: readonly [copied: string, registration: string];
  readonly registered: boolean;
  /** Of a registered hub. */
  readonly features?: readonly string[];
}

async function migrateHub(hub: string, old: TaggedSecret | undefined, { ask, secrets }: Migration): Promise<Migrated> {
  const deployed = await registrationOf(ask, hub);
  if (typeof deployed === 'object') {
    const { features } = deployed;
    return { words: ['not copied: it is registered', 'registered already'], registered: true, features };
  }
  // Until then the functions renew the token in the old secret, so that a second run copies it again.
  const copied = old === undefined ? 'nothing to copy' : await copy(hub, old, secrets);
  if (deployed === 'too old')
    return { words: [copied, 'not registered: run it again after cdk deploy'], registered: false };
  const stored = await secrets.find(hub);
  const text = stored.state === 'Present' ? stored.value?.text : undefined;
  if (text === undefined)
    return { words: [copied, 'not registered: its secret is empty (evenkeel hub add)'], registered: false };
  const { paused } = readStoredConnection(hub, text);
  const given = { hub, ...fieldsOf(hub, parseConnection(hub, text)), ...(paused !== undefined && { paused }) };
  await ask('registerHub', given as InputOf<'registerHub'>);
  return {
    words: [copied, paused === undefined ? 'registered' : 'registered, and paused as before'],
    registered: true,
    features: [],
  };
}

/** `too old`: the functions that are deployed know no registry. */
async function registrationOf(ask: Ask, hub: string): Promise<OutputOf<'getHub'> | 'unknown' | 'too old'> {
  try {
    return (await recordOf(ask, hub)) ?? 'unknown';
  } catch (thrown) {
    if (asFault(thrown).reason === 'UnknownOperation') return 'too old';
    throw thrown;
  }
}

async function copy(hub: string, old: TaggedSecret, secrets: HubSecrets): Promise<string> {
  const text = await secrets.textOf(old.arn);
  if (text === undefined) return 'nothing to copy';
  const found = await secrets.find(hub);
  if (found.state === 'Present' && found.value?.text === text) return 'copied already';
  // The alias of the deployment's key is made by the deploy that follows; the key is the same.
  const { key } = await secrets.describe(old.arn);
  await secrets.save(hub, text, { found, key });
  return `copied to ${secrets.nameOf(hub)}`;
}
