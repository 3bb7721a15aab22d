/** Evenkeel's stacks, deployed as users deploy them: cdk bootstrap, cdk deploy, and the outputs of the deployment. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectionSecretName } from '../../../shared/core/environment.ts';
import type { SettingName } from '../../../shared/core/settings.ts';
import { run } from '../command.ts';
import type { Rig } from '../rig.ts';
import { ACCOUNT_ID, type AwsEmulator, REGION } from './aws-emulator.ts';

const project = join(import.meta.dirname, '..', '..', '..');
const cdk = join(project, 'node_modules', '.bin', 'cdk');

/** The default name of a deployment. */
export const DEPLOYMENT = 'evenkeel';

export type DeployedSettings = Partial<Readonly<Record<SettingName, number>>>;

export interface Deployment {
  readonly tableName: string;
  /** Of the registry of hubs. */
  readonly hubsTableName: string;
  readonly busName: string;
  /** The name of the secret with the hub's connection. */
  readonly secretName: string;
  /** The URL that the hub's audit webhook would be configured with. */
  readonly hookUrl: string;
}

/** Deploying the same settings again changes nothing. The hub is registered afterwards. */
export async function deployStacks(
  rig: Rig,
  emulator: AwsEmulator,
  { hub, ...config }: { readonly hub: string; readonly settings: DeployedSettings; readonly tracesTo?: string },
): Promise<Deployment> {
  const evenkeel = JSON.stringify(config);
  await runCdk(rig, emulator, [
    'deploy',
    '--all',
    '--require-approval=never',
    `--context=evenkeel=${evenkeel}`,
    `--output=${rig.path('cdk.out')}`,
    `--outputs-file=${outputsFile(rig)}`,
  ]);
  return readDeployment(rig, hub);
}

export function readDeployment(rig: Rig, hub: string): Deployment {
  const { EvenkeelState: state, EvenkeelFunctions: functions } = JSON.parse(readFileSync(outputsFile(rig), 'utf8')) as {
    EvenkeelState: Record<string, string>;
    EvenkeelFunctions: Record<string, string>;
  };
  return {
    tableName: state.TableName ?? '',
    hubsTableName: state.HubsTableName ?? '',
    busName: state.BusName ?? '',
    secretName: connectionSecretName(DEPLOYMENT, hub),
    hookUrl: `${functions.HookUrl ?? ''}/hubs/${hub}/audit`,
  };
}

export async function bootstrap(rig: Rig, emulator: AwsEmulator): Promise<void> {
  // From a folder without an app, which it would synthesize for nothing.
  await runCdk(rig, emulator, ['bootstrap', `aws://${ACCOUNT_ID}/${REGION}`], rig.folder);
}

function outputsFile(rig: Rig): string {
  return rig.path('cdk-outputs.json');
}

async function runCdk(rig: Rig, emulator: AwsEmulator, args: readonly string[], cwd = project): Promise<void> {
  const env = {
    ...emulator.environment,
    AWS_PROFILE: undefined,
    CDK_HOME: rig.path('cdk-home'),
    CDK_DISABLE_CLI_TELEMETRY: 'true',
    CI: 'true',
  };
  await run(process.execPath, [cdk, ...args, '--no-notices'], { cwd, env });
}
