/** Makes of the documents that a person named what a preview of a RebalancePolicy needs. */
import { clusters } from '../../shared/model/assignment/cluster.ts';
import { type Member, parseMember } from '../../shared/model/member-cluster.ts';
import { referenceKey } from '../../shared/model/object-reference.ts';
import { APPLIED_PLACEMENT, type PlacedBinding } from '../../shared/model/placed-binding.ts';
import { priorityClasses } from '../../shared/model/priority-class.ts';
import {
  REBALANCING,
  type RebalancePolicy,
  rebalancePolicies,
} from '../../shared/model/rebalance-policy/rebalance-policy.ts';
import { namespaces } from '../../shared/model/rescheduling-policy.ts';
import { apiVersionOf, type Resource } from '../../shared/model/resource.ts';
import { type WorkloadMetadata, workloadKinds } from '../../shared/model/workload-metadata.ts';
import { checkPolicy } from './check-policy.ts';
import { fleetKinds, USUAL_NAMESPACE } from './objects-of-files.ts';
import { nothingCollected } from './plan-input.ts';
import type { PolicyInput } from './policy-input.ts';
import type { HubDocument } from './read-documents.ts';
import { isUnseen, type TakenKind, takeDocuments } from './take-documents.ts';

interface Collected {
  readonly policies: Map<string, RebalancePolicy>;
  readonly members: Map<string, Member>;
  readonly metadata: Map<string, WorkloadMetadata>;
  readonly switches: Map<string, string | undefined>;
  readonly priorities: Map<string, number>;
  readonly unready: Set<string>;
}

export function policyInputOfFiles(documents: readonly HubDocument[], namespace = USUAL_NAMESPACE): PolicyInput {
  const fleet = nothingCollected();
  const collected: Collected = {
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
  const { modelled, unsaid } = fleet;
  const bindings = new Map([...fleet.bindings].map(([key, binding]) => [key, asScheduled(binding)]));
  return { ...collected, bindings, modelled, unsaid, notes, unread: [] };
}

/** A Cluster of which nobody wrote down how it does is taken to be ready: its taints still count. */
function alsoMember({ resource, take }: TakenKind, { members, unready }: Collected): TakenKind {
  return {
    resource,
    take: (object) => {
      const found = take(object);
      const { status, ...rest } = object as { readonly status?: { readonly conditions?: unknown } | null };
      const isSaid = status?.conditions != null;
      const conditions = [{ type: 'Ready', status: 'True' }];
      const member = parseMember(isSaid ? object : { ...rest, status: { ...status, conditions } });
      members.set(member.cluster.name, member);
      if (!isSaid) unready.add(member.cluster.name);
      return found;
    },
  };
}

/** One that somebody wrote down with clusters is taken to be where its scheduler wants it, rather than to be never scheduled. */
function asScheduled(binding: PlacedBinding): PlacedBinding {
  const { metadata, spec, status, storedPlacement } = binding;
  if (!isUnseen(binding) || spec.clusters.length === 0 || APPLIED_PLACEMENT in metadata.annotations) return binding;
  const annotations = { ...metadata.annotations, [APPLIED_PLACEMENT]: JSON.stringify(storedPlacement ?? {}) };
  const lastScheduledTime = status.lastScheduledTime ?? spec.rescheduleTriggeredAt ?? 0;
  return { ...binding, metadata: { ...metadata, annotations }, status: { ...status, lastScheduledTime } };
}

function takesMetadata(resource: Resource<WorkloadMetadata>, { metadata }: Collected): TakenKind {
  return {
    resource,
    take: (object) => {
      const found = resource.parse(object);
      metadata.set(referenceKey({ apiVersion: apiVersionOf(resource), kind: resource.kind, ...found.key }), found);
      return [];
    },
  };
}

function othersInto({ policies, switches, priorities }: Collected): readonly TakenKind[] {
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
