/** Whether a policy's selector matches a workload, for runs and previews. */
import { matchesLabels } from '../karmada/assignment/match-cluster.ts';
import type { PlacedBinding } from '../karmada/placed-binding.ts';
import type { ObjectReference } from '../kubernetes/object-reference.ts';
import type { WorkloadMetadata } from '../kubernetes/workload-metadata.ts';
import { MOVE_LIMIT, REBALANCING, type Selector } from './rebalance-policy.ts';

export interface Candidate {
  readonly binding: PlacedBinding;
  /** Absent if the metadata of its kind is not read. */
  readonly metadata?: CandidateMetadata;
}

export interface CandidateMetadata extends Pick<WorkloadMetadata, 'labels' | 'isScaledByClient'> {
  /** The workload's annotation REBALANCING. */
  readonly rebalancing: string | undefined;
  /** The workload's annotation MOVE_LIMIT. */
  readonly moveLimit?: string | undefined;
}

/** Without the other annotations, which are larger than all the rest: kubectl's last applied configuration is one. */
export function candidateMetadata({
  labels,
  annotations,
  isScaledByClient,
}: Omit<WorkloadMetadata, 'key'>): CandidateMetadata {
  const { [REBALANCING]: rebalancing, [MOVE_LIMIT]: moveLimit } = annotations;
  return {
    labels,
    rebalancing,
    ...(moveLimit !== undefined && { moveLimit }),
    ...(isScaledByClient && { isScaledByClient }),
  };
}

type Choice = Omit<Selector, 'exclude'>;

/** Why it is not selected; undefined if it is. */
export function whyNotSelected(candidate: Candidate, selector: Selector): string | undefined {
  const { exclude, ...wanted } = selector;
  const missed = aspects.find((aspect) => matches(aspect, candidate, wanted) === false);
  if (missed !== undefined) return `its ${verbOf(missed)} not selected`;
  const named = exclude && aspects.find((aspect) => matches(aspect, candidate, exclude) === true);
  return named && `its ${verbOf(named)} excluded`;
}

function verbOf(aspect: string): string {
  return aspect === 'labels' ? 'labels are' : `${aspect} is`;
}

const aspects = ['kind', 'namespace', 'name', 'labels', 'policy'] as const;

/** Undefined if the selector does not set the aspect. */
function matches(aspect: (typeof aspects)[number], candidate: Candidate, choice: Choice): boolean | undefined {
  const { resource } = candidate.binding.spec;
  switch (aspect) {
    case 'kind':
      return choice.kinds?.some(({ apiVersion, kind }) => apiVersion === resource.apiVersion && kind === resource.kind);
    case 'namespace':
      return choice.namespaces?.includes(resource.namespace);
    case 'name':
      return choice.names?.includes(resource.name);
    case 'labels':
      // Labels that were not read match nothing, not even an absent label.
      return (
        choice.labels && candidate.metadata !== undefined && matchesLabels(choice.labels, candidate.metadata.labels)
      );
    case 'policy':
      return choice.policies && isOfPolicy(candidate.binding, choice.policies);
  }
}

function isOfPolicy({ metadata }: PlacedBinding, policies: NonNullable<Choice['policies']>): boolean {
  const { annotations } = metadata;
  return policies.some(({ namespace, name }) =>
    namespace === undefined
      ? annotations['clusterpropagationpolicy.karmada.io/name'] === name
      : annotations['propagationpolicy.karmada.io/namespace'] === namespace &&
        annotations['propagationpolicy.karmada.io/name'] === name,
  );
}

/** The workload as a rebalancer names it. */
export function workloadOf({ spec }: PlacedBinding): ObjectReference {
  const { apiVersion, kind, namespace, name } = spec.resource;
  return { apiVersion, kind, namespace, name };
}
