/** Builds the input for the preview of a RebalancePolicy from documents. */
import { clusters } from '../../shared/karmada/assignment/cluster.ts';
import { type Member, parseMember } from '../../shared/karmada/member-cluster.ts';
import { APPLIED_PLACEMENT, type PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { namespaces } from '../../shared/karmada/rescheduling-policy.ts';
import { referenceKey } from '../../shared/kubernetes/object-reference.ts';
import { priorityClasses } from '../../shared/kubernetes/priority-class.ts';
import { apiVersionOf, type Resource } from '../../shared/kubernetes/resource.ts';
import { type WorkloadMetadata, workloadKinds } from '../../shared/kubernetes/workload-metadata.ts';
import {
  REBALANCING,
  type RebalancePolicy,
  rebalancePolicies,
} from '../../shared/rebalance-policy/rebalance-policy.ts';
import { checkPolicy } from './check-policy.ts';
import { fleetKinds, USUAL_NAMESPACE } from './objects-of-files.ts';
import { nothingCollected } from './plan-input.ts';
import type { PolicyInput } from './policy-input.ts';
import type { HubDocument } from './read-documents.ts';
import { isUnseen, type TakenKind, takeDocuments } from './take-documents.ts';

interface CollectedPolicies {
  readonly policies: Map<string, RebalancePolicy>;
  readonly members: Map<string, Member>;
  readonly metadata: Map<string, WorkloadMetadata>;
  readonly switches: Map<string, string | undefined>;
  readonly priorities: Map<string, number>;
  readonly unready: Set<string>;
}

export function policyInputOfFiles(documents: readonly HubDocument[], namespace = USUAL_NAMESPACE): PolicyInput {
  const fleet = nothingCollected();
  const collected: CollectedPolicies = {
    policies: new Map(),
    members: new Map(),
    metadata: new Map(),
    switches: new Map(),
    priorities: new Map(),
    unready: new Set(),
  };
  const kinds = [
    ...fleetKinds(fleet).map((kind) => (kind.resource === clusters ? alsoMember(kind, collected) : kind)),
    ...workloadKinds.map((resource) => takesMetadata(resource, collected)),
    ...othersInto(collected),
  ];
  const notes = takeDocuments(documents, { namespace, kinds });
  const { modelled, withoutEnablements } = fleet;
  const bindings = new Map([...fleet.bindings].map(([key, binding]) => [key, asScheduled(binding)]));
  return { ...collected, bindings, modelled, withoutEnablements, notes, unread: [] };
}

/** A Cluster without status.conditions is assumed to be ready; its taints still count. */
function alsoMember({ resource, take }: TakenKind, { members, unready }: CollectedPolicies): TakenKind {
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

function takesMetadata(resource: Resource<WorkloadMetadata>, { metadata }: CollectedPolicies): TakenKind {
  return {
    resource,
    take: (object) => {
      const found = resource.parse(object);
      metadata.set(referenceKey({ apiVersion: apiVersionOf(resource), kind: resource.kind, ...found.key }), found);
      return [];
    },
  };
}

function othersInto({ policies, switches, priorities }: CollectedPolicies): readonly TakenKind[] {
  return [
    {
      resource: rebalancePolicies,
      take: (object) => {
        const checked = checkPolicy(object);
        if ('wrong' in checked) return checked.wrong;
        policies.set(checked.read.name, checked.read);
        return [];
      },
    },
    {
      resource: namespaces,
      take: (object) => {
        const { key, annotations } = namespaces.parse(object);
        switches.set(key.name, annotations[REBALANCING]);
        return [];
      },
    },
    {
      resource: priorityClasses,
      take: (object) => {
        const { name, value } = priorityClasses.parse(object);
        priorities.set(name, value);
        return [];
      },
    },
  ];
}
