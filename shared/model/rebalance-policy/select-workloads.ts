/** Whether a policy's selector takes a workload, for runs and for previews. */
import type { ObjectReference } from '../object-reference.ts';
import type { PlacedBinding } from '../placed-binding.ts';
import type { WorkloadMetadata } from '../workload-metadata.ts';
import type { Selector } from './rebalance-policy.ts';

export interface Candidate {
  readonly binding: PlacedBinding;
  /** Absent where its kind is none that is read. */
  readonly metadata?: Pick<WorkloadMetadata, 'labels' | 'annotations'>;
}

type Choice = Omit<Selector, 'exclude'>;
type LabelSelector = NonNullable<Choice['labels']>;

/** Why it is not selected; undefined where it is. */
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

/** Undefined where the choice says nothing of it. */
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
      return choice.labels && matchesLabels(candidate.metadata?.labels, choice.labels);
    case 'policy':
      return choice.policies && isOfPolicy(candidate.binding, choice.policies);
  }
}

/** Labels that nobody read match nothing, not even that one is absent. */
function matchesLabels(labels: Readonly<Record<string, string>> | undefined, selector: LabelSelector): boolean {
  if (labels === undefined) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const exact = Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
  return exact && matchExpressions.every((expression) => holds(labels[expression.key], expression));
}

/** As the API's own label selectors: NotIn holds as well where the label is absent. */
function holds(
  value: string | undefined,
  { operator, values = [] }: NonNullable<LabelSelector['matchExpressions']>[number],
): boolean {
  switch (operator) {
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
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
