/** What is said beside the preview of a policy, on stderr: why it would not start now, and what was taken for granted. */
import { opensAt } from '../../shared/model/rebalance-policy/calendar.ts';
import { clustersOf, type Trigger } from '../../shared/model/rebalance-policy/policy-run.ts';
import { type RebalancePolicy, windowsOf } from '../../shared/model/rebalance-policy/rebalance-policy.ts';
import type { Candidate } from '../../shared/model/rebalance-policy/select-workloads.ts';
import { type Instant, toTimestamp } from '../../shared/model/time.ts';
import { count } from '../../shared/model/words.ts';
import { workloadKindOf } from '../../shared/model/workload-metadata.ts';
import { clusterNotes } from './plan-notes.ts';
import type { PolicyInput } from './policy-input.ts';

interface Asked {
  readonly policy: RebalancePolicy;
  readonly triggers: readonly Trigger[];
  readonly candidates: readonly Candidate[];
  readonly now: Instant;
}

export function policyNotes(input: PolicyInput, asked: Asked): readonly string[] {
  return [
    ...stateNotes(asked),
    ...triggerNotes(input, asked),
    ...labelNote(asked),
    ...clusterNotes(input),
    ...unreadyNote(input),
  ];
}

function stateNotes({ policy, now }: Asked): readonly string[] {
  const { name, spec, status, deletionTimestamp } = policy;
  const of = `RebalancePolicy ${name}`;
  const { state, lastRun } = status;
  const opens = opensAt(windowsOf(spec), now);
  const when = Number.isFinite(opens) ? `until ${toTimestamp(opens)}` : 'ever';
  const stopped = lastRun?.message === undefined ? '' : ` (${lastRun.message})`;
  return [
    ...(deletionTimestamp === undefined ? [] : [`${of} is being deleted: it starts nothing more`]),
    ...(spec.suspend ? [`${of} is suspended: it does nothing of this until spec.suspend is false`] : []),
    ...(spec.dryRun ? [`${of} only records what it would do: spec.dryRun is true`] : []),
    ...(state === 'Stopped'
      ? [
          `${of} was stopped${stopped}: it does nothing of this until its spec is edited, or it is suspended and resumed`,
        ]
      : []),
    ...(state === 'Running' || state === 'Waiting'
      ? [`${of} has run ${lastRun?.name ?? ''} under way: it plans anew when that has ended`]
      : []),
    ...(opens > now ? [`${of} may not begin now: none of spec.strategy.windows is open ${when}`] : []),
  ];
}

function triggerNotes({ members }: PolicyInput, { triggers }: Asked): readonly string[] {
  if (triggers.length === 0) return ['nothing can have set it off: no cluster is well'];
  const named = clustersOf(triggers);
  const unwell = [...new Set(named)].filter((name) => members.get(name)?.well === false);
  return unwell.map(
    (name) =>
      `${name} is not well now, so nothing is given to it; to see it well, give the Cluster as it will be with -f`,
  );
}

/** A selector by labels takes no workload of which nobody told the labels. */
function labelNote({ policy, candidates }: Asked): readonly string[] {
  const { labels, exclude } = policy.spec.selector;
  const order = policy.spec.strategy.order ?? [];
  if (labels === undefined && exclude?.labels === undefined && !order.some(({ by }) => by === 'Label')) return [];
  const untold = candidates.filter(
    ({ binding, metadata }) => metadata === undefined && workloadKindOf(binding.spec.resource),
  );
  const [first] = untold;
  if (first === undefined) return [];
  const { kind, namespace, name } = first.binding.spec.resource;
  return [
    `the policy goes by labels, and ${count(untold.length, 'workload')} came without (the first: ${kind} ${namespace}/${name}); none matches them; give the workloads too`,
  ];
}

function unreadyNote({ unready }: PolicyInput): readonly string[] {
  const [first] = unready;
  if (first === undefined) return [];
  return [
    `${unready.size} of the clusters do not say how they do (status.conditions; the first: ${first}); taken to be ready`,
  ];
}
