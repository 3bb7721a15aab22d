/** Decides which triggers a preview assumes: all of the policy's, or those that the user gave. */
import { listed } from '../../shared/core/count.ts';
import { invalidOption } from '../../shared/core/fault.ts';
import type { Instant } from '../../shared/core/time.ts';
import type { Member } from '../../shared/karmada/member-cluster.ts';
import {
  assumedTriggers,
  type TriggerType,
  triggerTypes,
  typesOf,
} from '../../shared/rebalance-policy/assumed-triggers.ts';
import type { Trigger } from '../../shared/rebalance-policy/policy-run.ts';
import type { RebalancePolicy } from '../../shared/rebalance-policy/rebalance-policy.ts';

/** "ClusterRecovered=member1". */
interface AskedTrigger {
  readonly text: string;
  readonly type: TriggerType;
  readonly cluster?: string;
}

export function chooseTriggers(
  { name, spec }: Pick<RebalancePolicy, 'name' | 'spec'>,
  members: ReadonlyMap<string, Member>,
  { asked, now }: { readonly asked: readonly string[]; readonly now: Instant },
): readonly Trigger[] {
  const wanted = asked.map(parseAsked);
  // A run can be requested of every policy, so it is assumed only where the user gave it.
  const requested = wanted.some(({ type }) => type === 'Requested') ? (['Requested'] as const) : [];
  const had = [...typesOf(spec), ...requested];
  for (const { text, type, cluster } of wanted) {
    if (!had.includes(type))
      throw invalidOption(`--trigger ${text}: RebalancePolicy ${name} has no such trigger; it has ${had.join(', ')}`);
    if (cluster !== undefined && !members.has(cluster))
      throw invalidOption(
        `--trigger ${text}: there is no Cluster of that name; there are ${listed([...members.keys()]) || 'none'}`,
      );
  }
  const isWanted = (trigger: Trigger) =>
    wanted.length === 0 ||
    wanted.some(
      ({ type, cluster }) =>
        type === trigger.type && (cluster === undefined || ('cluster' in trigger && cluster === trigger.cluster)),
    );
  const named = new Set(wanted.flatMap(({ cluster }) => cluster ?? []));
  // A named cluster is assumed to trigger even if it is unhealthy; a note then states that it gets nothing.
  const come = [...members.values()].filter(({ healthy, cluster }) => healthy || named.has(cluster.name));
  return assumedTriggers(had, { spec, members: come, now }).filter(isWanted);
}

function parseAsked(text: string): AskedTrigger {
  const [word = '', ...rest] = text.split('=');
  const cluster = rest.join('=');
  const type = triggerTypes.find((each) => each === word);
  if (type === undefined)
    throw invalidOption(`--trigger ${text} is none of ${triggerTypes.join(', ')}; write one of them`);
  const takesCluster = type === 'ClusterRecovered' || type === 'ClusterJoined';
  if (rest.length === 0) return { text, type };
  if (cluster === '' || !takesCluster)
    throw invalidOption(`--trigger ${text}: only ClusterRecovered=CLUSTER and ClusterJoined=CLUSTER name a cluster`);
  return { text, type, cluster };
}
