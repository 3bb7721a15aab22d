/** Notes on the preview of a policy for stderr: why it would not start now, and what was assumed. */
import { count } from '../../shared/core/count.ts';
import { type Instant, toTimestamp } from '../../shared/core/time.ts';
import { workloadKindOf } from '../../shared/kubernetes/workload-metadata.ts';
import { opensAt } from '../../shared/rebalance-policy/calendar.ts';
import { clustersOf, type Trigger } from '../../shared/rebalance-policy/policy-run.ts';
import { type RebalancePolicy, windowsOf } from '../../shared/rebalance-policy/rebalance-policy.ts';
import type { Candidate } from '../../shared/rebalance-policy/select-workloads.ts';
import { clusterNotes } from './plan-notes.ts';
import type { PolicyInput } from './policy-input.ts';

interface NotedPolicy {
  readonly policy: RebalancePolicy;
  readonly triggers: readonly Trigger[];
  readonly candidates: readonly Candidate[];
  readonly now: Instant;
}

export function policyNotes(input: PolicyInput, asked: NotedPolicy): readonly string[] {
  return [
    ...stateNotes(asked),
    ...triggerNotes(input, asked),
    ...labelNote(asked),
    ...clusterNotes(input),
    ...unreadyNote(input),
  ];
}

function stateNotes({ policy, now }: NotedPolicy): readonly string[] {
  const { name, spec, status, deletionTimestamp } = policy;
  const of = `RebalancePolicy ${name}`;
  const { state, lastRun } = status;
  const opens = opensAt(windowsOf(spec), now);
  const when = Number.isFinite(opens) ? `until ${toTimestamp(opens)}` : 'ever';
  const stopped = lastRun?.message === undefined ? '' : ` (${lastRun.message})`;
  return [
    ...(deletionTimestamp === undefined ? [] : [`${of} is being deleted: it starts no more runs`]),
    ...(spec.suspend ? [`${of} is suspended: it does nothing of this until spec.suspend is false`] : []),
    ...(spec.dryRun ? [`${of} only records what it would do: spec.dryRun is true`] : []),
    ...(state === 'Stopped'
      ? [
          `${of} was stopped${stopped}: it does nothing of this until its spec is edited, or it is suspended and resumed`,
        ]
      : []),
    ...(state === 'Running' || state === 'Waiting'
      ? [`${of} has run ${lastRun?.name ?? ''} in progress: the next run is planned when it ends`]
      : []),
    ...(opens > now ? [`${of} may not begin now: none of spec.strategy.windows is open ${when}`] : []),
  ];
}

function triggerNotes({ members }: PolicyInput, { triggers }: NotedPolicy): readonly string[] {
  if (triggers.length === 0) return ['no trigger can have fired: no cluster is healthy'];
  const named = clustersOf(triggers);
  const unhealthy = [...new Set(named)].filter((name) => members.get(name)?.healthy === false);
  return unhealthy.map(
    (name) =>
      `${name} is not healthy now, so it gets no replicas; to preview a healthy cluster, give its manifest with -f`,
  );
}

/** A label selector matches no workload without metadata. */
function labelNote({ policy, candidates }: NotedPolicy): readonly string[] {
  const { labels, exclude } = policy.spec.selector;
  const order = policy.spec.strategy.order ?? [];
  if (labels === undefined && exclude?.labels === undefined && !order.some(({ by }) => by === 'Label')) return [];
  const unlabelled = candidates.filter(
    ({ binding, metadata }) => metadata === undefined && workloadKindOf(binding.spec.resource),
  );
  const [first] = unlabelled;
  if (first === undefined) return [];
  const { kind, namespace, name } = first.binding.spec.resource;
  return [
    `the policy selects by labels, and ${count(unlabelled.length, 'workload')} have no metadata (the first: ${kind} ${namespace}/${name}); they match no label; give the workloads too`,
  ];
}

function unreadyNote({ unready }: PolicyInput): readonly string[] {
  const [first] = unready;
  if (first === undefined) return [];
  return [`${unready.size} of the clusters have no status.conditions (the first: ${first}); assumed to be ready`];
}
