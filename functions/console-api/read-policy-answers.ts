/** Reads the answers about policies and budgets that need more than one read. */
import type { PolicyPreviewAnswer } from '../../shared/console-api/operations/policies.ts';
import type { OutputOf } from '../../shared/console-api/operations.ts';
import type { Instant } from '../../shared/core/time.ts';
import type { Hubs } from '../../shared/kubernetes/hub.ts';
import type { MoveLedger } from '../../shared/move-budget/move-ledger.ts';
import { readBudgets } from '../../shared/move-budget/read-budgets.ts';
import { readPreview } from '../../shared/move-budget/read-preview.ts';
import { readPolicies } from '../../shared/rebalance-policy/read-policies.ts';
import { budgetsAnswer } from './budget-view.ts';
import { previewAnswer, triggersNow } from './preview-view.ts';
import { found, noPolicy } from './run-query.ts';

interface PolicyAnswerPorts {
  readonly hubs: Hubs;
  readonly ledger: MoveLedger;
  readonly now: () => Instant;
}

export async function readPolicyPreview(
  hub: string,
  name: string,
  ports: PolicyAnswerPorts,
): Promise<PolicyPreviewAnswer> {
  const { hubs } = ports;
  const { policies } = await readPolicies(hubs, hub);
  const policy = found(
    policies.find((each) => each.name === name),
    noPolicy(hub, name),
  );
  const now = ports.now();
  const failback = await hubs.uses(hub, 'failback');
  return previewAnswer(
    await readPreview(await hubs.open(hub), {
      ...{ policy, reason: 'Policy', failback, now },
      triggersOf: (members) => triggersNow(policy.spec, members, now),
    }),
  );
}

export async function readBudgetsAnswer(hub: string, ports: PolicyAnswerPorts): Promise<OutputOf<'listBudgets'>> {
  const { hubs, ledger, now } = ports;
  return budgetsAnswer({ ...(await readBudgets(hub, hubs, ledger)), now: now() });
}
