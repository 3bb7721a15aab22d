/** `evenkeel undo`: gives the workloads of a run their assignments from before it; without --yes it shows the plan. */
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import type { RunAnswer } from '../shared/console-api/operations/decisions.ts';
import { count } from '../shared/core/count.ts';
import { Fault, invalidOption } from '../shared/core/fault.ts';
import { bindingKey } from '../shared/karmada/binding.ts';
import { readClusters } from '../shared/karmada/read-clusters.ts';
import type { Hub } from '../shared/kubernetes/hub.ts';
import { keyText } from '../shared/kubernetes/object-key.ts';
import { referenceLabel } from '../shared/kubernetes/object-reference.ts';
import { getBindings } from '../shared/rebalance-policy/read-fleet.ts';
import { type RebalancePolicy, rebalancePolicies } from '../shared/rebalance-policy/rebalance-policy.ts';
import {
  ASSIGN_ANNOTATION,
  rebalanceSpec,
  workloadRebalancers,
} from '../shared/workload-rebalancer/workload-rebalancer.ts';
import { aligned } from './aligned.ts';
import { type HubOptions, hubOf, parseSeconds, takesHub } from './hub-options.ts';
import { objectName } from './object-name.ts';
import { openHub } from './open-hub.ts';
import { type DeploymentAddress, hubOf as hubOfDeployment, reach, withHub } from './operator/reach.ts';
import { patchPolicy } from './patch-policy.ts';
import { changesBetween } from './plan/print-plan.ts';
import { generatedName } from './rebalance/new-rebalancer.ts';
import { waitForRebalance } from './rebalance/wait-for-rebalance.ts';
import { planUndo, type RestoredWorkload, type UndoPlan } from './undo/plan-undo.ts';
import { inPortions } from './undo/portions.ts';

interface UndoOptions extends HubOptions, DeploymentAddress {
  readonly yes?: true;
  readonly wait?: true;
  readonly timeout: string;
}

const after = `
The run is read from a local run (--api) or a deployment (--deployment), the hub with your kubeconfig. A workload that
was assigned otherwise since the run, or scaled, stays as it is. Without --yes nothing is changed.

With --yes the RebalancePolicy is suspended, so that it does not move the same workloads again, and a
WorkloadRebalancer names the assignments; the functions write them within the MoveBudgets of the hub.

Exit code: 0 nothing to move back, or done (with --wait: all moved back), 1 with --wait: not all, 2 the input is wrong.
Without --yes: 3 replicas would move back. After Ctrl-C: 130.

Examples:
  evenkeel get runs --policy home
  evenkeel undo 2026-11-25T10:00:00Z-4f2a81c0
  evenkeel undo 2026-11-25T10:00:00Z-4f2a81c0 --yes --wait`;

export function registerUndo(evenkeel: Command): void {
  const command = evenkeel
    .command('undo')
    .description('move back what a run of a RebalancePolicy has moved')
    .argument('<run>', 'the name of the run')
    .option('--yes', 'do it; without it the plan is shown')
    .option('--wait', 'with --yes: until each workload has its result')
    .option('--timeout <time>', 'with --wait: for so long at most', '10m');
  takesHub(withHub(command))
    .addHelpText('after', after)
    .action(async (run: string, options: UndoOptions) => {
      process.exitCode = await undo(run, options);
    });
}

async function undo(run: string, options: UndoOptions): Promise<number> {
  if (options.wait && !options.yes) throw invalidOption('--wait goes with --yes; leave it out to see the plan');
  const timeoutSeconds = parseSeconds('--timeout', options.timeout);
  const ask = reach(options);
  const answer = await ask('getRun', { hub: await hubOfDeployment(ask, options), run });
  const { hub } = await openHub(hubOf(options));
  const plan = await readPlan(hub, answer);
  process.stdout.write(`${planText(plan)}\n`);
  if (!options.yes) {
    process.stdout.write(`\nNothing was changed; evenkeel undo ${run} --yes does it.\n`);
    return plan.restored.length > 0 ? 3 : 0;
  }
  await suspend(hub, answer.run);
  if (plan.restored.length === 0) return 0;
  const codes = [];
  for (const some of inPortions(plan.restored)) {
    const { name, since } = await create(hub, some);
    process.stdout.write(`${objectName(workloadRebalancers, name)} created for ${count(some.length, 'workload')}\n`);
    if (!options.wait) continue;
    const followed = { name, since, bindings: some.map(({ binding }) => binding) };
    codes.push(await waitForRebalance(hub, followed, { timeoutSeconds, stream: process.stdout }));
  }
  return Math.max(0, ...codes);
}

async function readPlan(hub: Hub, { decisions }: RunAnswer): Promise<UndoPlan> {
  const keys = decisions.map(({ workload }) => bindingKey(workload));
  const [bindings, clusters] = await Promise.all([getBindings(hub, keys), readClusters(hub)]);
  return planUndo(decisions, { bindings, clusters });
}

function planText({ restored, left }: UndoPlan): string {
  const rows = restored.map(({ workload, now, before, moves }) => [
    referenceLabel(workload),
    String(moves),
    changesBetween(now, before),
  ]);
  const table = aligned([['WORKLOAD', 'MOVES', 'ASSIGNMENT'], ...rows], { right: [1], text: 2 });
  const stays = left.map(({ workload, reason }) => `${referenceLabel(workload)} stays: ${reason}`);
  const replicas = restored.reduce((sum, { moves }) => sum + moves, 0);
  const of = count(restored.length + left.length, 'workload');
  const summary = `${count(replicas, 'replica')} would move back in ${restored.length} of ${of} that the run moved.`;
  return [...(rows.length > 0 ? [...table, ''] : []), ...stays, ...(stays.length > 0 ? [''] : []), summary].join('\n');
}

/** Its next wave, or the same triggers, would move the workloads again. The policy of the run may be gone. */
async function suspend(hub: Hub, { policy: name }: RunAnswer['run']): Promise<void> {
  const policy = await hub.get(rebalancePolicies, { namespace: '', name });
  if (policy === undefined || policy.spec.suspend) return;
  await patchPolicy(hub, policy, { spec: { suspend: true } });
  process.stdout.write(`${resumeHint(policy)}\n`);
}

function resumeHint({ name }: RebalancePolicy): string {
  const patch = `kubectl patch rebalancepolicy ${name} --type merge -p '{"spec":{"suspend":false}}'`;
  return `${objectName(rebalancePolicies, name)} is suspended; resume it with: ${patch}`;
}

/** Its name, and its creation time by the hub's clock. */
async function create(
  hub: Hub,
  restored: readonly RestoredWorkload[],
): Promise<{ readonly name: string; readonly since: number }> {
  const name = generatedName([...randomBytes(5)], 'undo');
  const assignments = Object.fromEntries(restored.map(({ binding, before }) => [keyText(binding.metadata), before]));
  const written = await hub.create(workloadRebalancers, {
    metadata: { name, annotations: { [ASSIGN_ANNOTATION]: JSON.stringify(assignments) } },
    spec: rebalanceSpec(
      restored.map(({ workload }) => workload),
      undefined,
    ),
  });
  if (written.result === 'done') return { name, since: written.object.creationTimestamp };
  throw new Fault('terminal', `WorkloadRebalancer ${name} was not created (${written.result}); run the command again`, {
    reason: 'NotCreated',
  });
}
