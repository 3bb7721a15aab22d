/** The input for the preview of a RebalancePolicy, and how documents become it. */
import { clusters } from '../../shared/karmada/assignment/cluster.ts';
import { type Member, parseMember } from '../../shared/karmada/member-cluster.ts';
import { APPLIED_PLACEMENT, type PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { namespaces } from '../../shared/karmada/rescheduling-policy.ts';
import { referenceKey } from '../../shared/kubernetes/object-reference.ts';
import { priorityClasses } from '../../shared/kubernetes/priority-class.ts';
import { apiVersionOf } from '../../shared/kubernetes/resource.ts';
import { workloadKinds } from '../../shared/kubernetes/workload-metadata.ts';
import { budgetRules } from '../../shared/move-budget/budget-schema.ts';
import { budgetProblems, limitsOf, type MoveLimit, moveBudgets } from '../../shared/move-budget/move-budget.ts';
import { policyNameRule } from '../../shared/rebalance-policy/policy-crd.ts';
import { policyRules } from '../../shared/rebalance-policy/policy-schema.ts';
import {
  parseRebalancePolicy,
  problemsOf,
  REBALANCING,
  type RebalancePolicy,
  rebalancePolicies,
} from '../../shared/rebalance-policy/rebalance-policy.ts';
import { type CandidateMetadata, candidateMetadata } from '../../shared/rebalance-policy/select-workloads.ts';
import { USUAL_NAMESPACE } from '../hub-options.ts';
import { checkerOf } from './check-written.ts';
import { type ForecastInput, fleetKinds, nothingCollected } from './plan-input.ts';
import type { HubDocument } from './read-documents.ts';
import { isUnseen, type TakenKind, takeDocuments, taking, takingChecked } from './take-documents.ts';

export interface PolicyInput
  extends Pick<ForecastInput, 'bindings' | 'modelled' | 'withoutEnablements' | 'notes' | 'unread'> {
  /** By name. */
  readonly policies: ReadonlyMap<string, RebalancePolicy>;
  /** By name. */
  readonly members: ReadonlyMap<string, Member>;
  /** By referenceKey of the workload. */
  readonly metadata: ReadonlyMap<string, CandidateMetadata>;
  /** Namespaces' annotation REBALANCING; undefined where a namespace has none. */
  readonly switches: ReadonlyMap<string, string | undefined>;
  /** Values of PriorityClasses by name. */
  readonly priorities: ReadonlyMap<string, number>;
  /** Clusters without status.conditions. */
  readonly unready: ReadonlySet<string>;
  /** The limits of each MoveBudget, by its name. */
  readonly limits: ReadonlyMap<string, readonly MoveLimit[]>;
}

const duration = 'a duration; write one like 30s, 5m or 1h30m';
const calendar = {
  cron: 'five fields; write minute, hour, day of month, month and day of week, for example "0 3 * * *"',
  duration,
};

export const checkPolicy = checkerOf({
  kind: rebalancePolicies.kind,
  plural: rebalancePolicies.plural,
  rules: [policyNameRule('object'), ...policyRules('object.spec')],
  parse: parseRebalancePolicy,
  problemsOf,
  forms: {
    ...calendar,
    stableFor: duration,
    pause: duration,
    readyWithin: duration,
    coolDown: duration,
  },
});

const checkBudget = checkerOf({
  kind: moveBudgets.kind,
  plural: moveBudgets.plural,
  rules: budgetRules('object.spec'),
  parse: moveBudgets.parse,
  problemsOf: budgetProblems,
  forms: { ...calendar, replicas: 'a number or a percentage; write one like 20 or 10%', window: duration },
});

export function policyInputOfFiles(documents: readonly HubDocument[], namespace = USUAL_NAMESPACE): PolicyInput {
  const fleet = nothingCollected();
  const collected = {
    policies: new Map<string, RebalancePolicy>(),
    members: new Map<string, Member>(),
    metadata: new Map<string, CandidateMetadata>(),
    switches: new Map<string, string | undefined>(),
    priorities: new Map<string, number>(),
    unready: new Set<string>(),
    limits: new Map<string, readonly MoveLimit[]>(),
  };
  const { policies, metadata, switches, priorities, limits } = collected;
  const kinds = [
    ...fleetKinds(fleet).map((kind) => (kind.resource === clusters ? alsoMember(kind, collected) : kind)),
    ...workloadKinds.map((resource) =>
      taking(resource, (read) => {
        const reference = { apiVersion: apiVersionOf(resource), kind: resource.kind, ...read.key };
        metadata.set(referenceKey(reference), candidateMetadata(read));
      }),
    ),
    takingChecked(rebalancePolicies, checkPolicy, (policy) => policies.set(policy.name, policy)),
    taking(namespaces, ({ key, annotations }) => switches.set(key.name, annotations[REBALANCING])),
    taking(priorityClasses, ({ name, value }) => priorities.set(name, value)),
    takingChecked(moveBudgets, checkBudget, (read) => limits.set(read.name, limitsOf(read))),
  ];
  const notes = takeDocuments(documents, { namespace, kinds });
  const { modelled, withoutEnablements } = fleet;
  const bindings = new Map([...fleet.bindings].map(([key, binding]) => [key, asScheduled(binding)]));
  return { ...collected, bindings, modelled, withoutEnablements, notes, unread: [] };
}

/** A Cluster without status.conditions is assumed to be ready; its taints still count. */
function alsoMember(
  { resource, take }: TakenKind,
  { members, unready }: { readonly members: Map<string, Member>; readonly unready: Set<string> },
): TakenKind {
  return {
    resource,
    take: (object) => {
      const found = take(object);
      const { status, ...rest } = object as { readonly status?: { readonly conditions?: unknown } | null };
      const hasConditions = status?.conditions != null;
      const conditions = [{ type: 'Ready', status: 'True' }];
      const member = parseMember(hasConditions ? object : { ...rest, status: { ...status, conditions } });
      members.set(member.cluster.name, member);
      if (!hasConditions) unready.add(member.cluster.name);
      return found;
    },
  };
}

/** A handwritten binding with clusters is assumed to be scheduled, rather than never scheduled. */
function asScheduled(binding: PlacedBinding): PlacedBinding {
  const { metadata, spec, status, storedPlacement } = binding;
  if (!isUnseen(binding) || spec.clusters.length === 0 || APPLIED_PLACEMENT in metadata.annotations) return binding;
  const annotations = { ...metadata.annotations, [APPLIED_PLACEMENT]: JSON.stringify(storedPlacement ?? {}) };
  const lastScheduledTime = status.lastScheduledTime ?? spec.rescheduleTriggeredAt ?? 0;
  return { ...binding, metadata: { ...metadata, annotations }, status: { ...status, lastScheduledTime } };
}
