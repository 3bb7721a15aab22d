/** Reads the input for the preview of a RebalancePolicy from a hub, with the functions' own reads, and writes nothing. */
import { invalidOption } from '../../shared/core/fault.ts';
import type { Telemetry } from '../../shared/core/telemetry.ts';
import { memberClusters, parseMember } from '../../shared/karmada/member-cluster.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { whyNotListed } from '../../shared/kubernetes/hub-features.ts';
import { listAll, listIfServed } from '../../shared/kubernetes/list-all.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import { referenceKey } from '../../shared/kubernetes/object-reference.ts';
import { limitsOf, moveBudgets } from '../../shared/move-budget/move-budget.ts';
import { listFleet, listPriorities } from '../../shared/rebalance-policy/read-fleet.ts';
import { type RebalancePolicy, rebalancePolicies } from '../../shared/rebalance-policy/rebalance-policy.ts';
import { type Candidate, workloadOf } from '../../shared/rebalance-policy/select-workloads.ts';
import { openHub } from '../open-hub.ts';
import { isModelled } from './plan-input.ts';
import { checkPolicy, type PolicyInput } from './policy-input.ts';

export interface PolicyOnHub {
  readonly kubeconfig: string;
  readonly context?: string;
  readonly name: string;
  /** If already known. */
  readonly policy?: RebalancePolicy | undefined;
}

export async function policyInputOfHub({ kubeconfig, context, name, policy }: PolicyOnHub): Promise<PolicyInput> {
  const unread: string[] = [];
  const { hub } = await openHub({ kubeconfig, context }, reporting(unread));
  const wanted = policy ?? (await policyOf(hub, name, kubeconfig));
  const read = await listAll(hub, membersAndMore, ({ member }) => member.cluster.name);
  const { switches, pages } = await listFleet(hub);
  const candidates: Candidate[] = [];
  for await (const page of pages) candidates.push(...page);
  const budgets = await listIfServed(hub, moveBudgets, (budget) => budget.name).catch((thrown: unknown) =>
    whyNotListed(thrown, 'MoveBudgets', 'budgets'),
  );
  return {
    policies: new Map([[wanted.name, wanted]]),
    members: new Map(read.map(({ member }) => [member.cluster.name, member])),
    bindings: new Map(candidates.map(({ binding }) => [keyText(binding.metadata), binding])),
    metadata: new Map(
      candidates.flatMap(({ binding, metadata }) =>
        metadata === undefined ? [] : [[referenceKey(workloadOf(binding)), metadata] as const],
      ),
    ),
    switches,
    priorities: await listPriorities(hub, [wanted]),
    modelled: new Set(read.flatMap(({ member, modelled }) => (modelled ? [member.cluster.name] : []))),
    withoutEnablements: new Set(),
    unready: new Set(),
    notes: typeof budgets === 'string' ? [budgets] : [],
    unread,
    limits: new Map(typeof budgets === 'string' ? [] : budgets.map((budget) => [budget.name, limitsOf(budget)])),
  };
}

const membersAndMore = {
  ...memberClusters,
  parse: (object: unknown) => ({ member: parseMember(object), modelled: isModelled(object) }),
};

async function policyOf(hub: Hub, name: string, kubeconfig: string): Promise<RebalancePolicy> {
  const asIs = { ...rebalancePolicies, parse: (object: unknown) => object as object };
  const object = await hub.get(asIs, { namespace: '', name });
  if (object === undefined)
    throw invalidOption(
      `--policy ${name}: the hub of ${kubeconfig} has no RebalancePolicy of that name; name one it has, or give it with -f`,
    );
  const checked = checkPolicy(object);
  if ('read' in checked) return checked.read;
  const all = checked.wrong.map(({ path, what }) => `${path.map(String).join('.')}: ${what}`);
  throw invalidOption(`RebalancePolicy ${name} of the hub: ${all.join('; ')}`);
}

/** Reports an object that a list leaves out by its name. */
function reporting(unread: string[]): Telemetry {
  return {
    outcome: (code, { error }) => {
      if (code === 'EK201') unread.push(String(error));
    },
    count: () => undefined,
    begin: () => undefined,
  };
}
