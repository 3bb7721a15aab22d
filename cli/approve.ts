/** `evenkeel approve`: lets the waves of a run start that wait for a user. */
import type { Command } from 'commander';
import { invalidOption } from '../shared/core/fault.ts';
import type { Hub } from '../shared/kubernetes/hub.ts';
import { listAll } from '../shared/kubernetes/list-all.ts';
import { APPROVED, approvalText } from '../shared/rebalance-policy/approval.ts';
import { policyKind } from '../shared/rebalance-policy/cluster-drain.ts';
import { listDrains } from '../shared/rebalance-policy/read-fleet.ts';
import { type RebalancePolicy, rebalancePolicies } from '../shared/rebalance-policy/rebalance-policy.ts';
import { type HubOptions, hubOf, takesHub } from './hub-options.ts';
import { objectName } from './object-name.ts';
import { openHub } from './open-hub.ts';
import { patchPolicy } from './patch-policy.ts';

interface ApproveOptions extends HubOptions {
  readonly all?: true;
}

const after = `
For a RebalancePolicy or ClusterDrain with strategy.approval AfterFirstWave or EachWave. The name of the run is in its
status (.status.lastRun.name), and in the message of the wave that waits.

Examples:
  kubectl get rebalancepolicy home -o jsonpath='{.status.message}'
  evenkeel approve 2026-11-25T10:00:00Z-4f2a81c0
  evenkeel approve 2026-11-25T10:00:00Z-4f2a81c0 --all`;

export function registerApprove(evenkeel: Command): void {
  const command = evenkeel
    .command('approve')
    .description('let the next wave of a run start that waits for approval')
    .argument('<run>', 'the name of the run')
    .option('--all', 'also all later waves of the run');
  takesHub(command)
    .addHelpText('after', after)
    .action(async (run: string, options: ApproveOptions) => {
      process.stdout.write(`${await approve(run, options)}\n`);
    });
}

async function approve(run: string, { all, ...options }: ApproveOptions): Promise<string> {
  const { hub } = await openHub(hubOf(options));
  const policy = policyOfRun(await runningPolicies(hub), run);
  const { wavesDone = 0, waves = 0 } = policy.status.lastRun ?? {};
  const wave = wavesDone + 1;
  await patchPolicy(hub, policy, { annotations: { [APPROVED]: approvalText(run, all ? 'All' : wave) } });
  const name = objectName(policyKind(policy), policy.name);
  return all ? `${name}: all waves of the run are approved` : `${name}: wave ${wave} of ${waves} is approved`;
}

/** RebalancePolicies and ClusterDrains with a run in progress. */
export async function runningPolicies(hub: Hub): Promise<readonly RebalancePolicy[]> {
  const [policies, drains] = await Promise.all([listAll(hub, rebalancePolicies, ({ uid }) => uid), listDrains(hub)]);
  return [...policies, ...drains].filter(({ status }) => status.lastRun?.state === 'Running');
}

function policyOfRun(running: readonly RebalancePolicy[], run: string): RebalancePolicy {
  const policy = running.find(({ status }) => status.lastRun?.name === run);
  if (policy === undefined) {
    const others = running.flatMap(({ status }) => status.lastRun?.name ?? []).join(', ') || 'none';
    throw invalidOption(`${run}: no run of that name is in progress; those in progress: ${others}`);
  }
  if (policy.spec.strategy.approval === 'None')
    throw invalidOption(`${run}: its waves wait for no approval (strategy.approval of ${policy.name} is None)`);
  return policy;
}
